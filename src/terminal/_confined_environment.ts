import { commandEnvironment, type EnvironmentOptions } from "./environment.ts";
import type { Sandbox } from "./sandbox.ts";

/** Variables that name sockets and folders which a sandbox hides. */
const OUTSIDE = [
  "DBUS_SESSION_BUS_ADDRESS",
  "DISPLAY",
  "DOCKER_HOST",
  "SSH_AUTH_SOCK",
  "TMPDIR",
  "TMUX",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "XDG_RUNTIME_DIR",
];

/** The environment for a command in a sandbox; see {@linkcode commandEnvironment}. */
export function confinedEnvironment(
  sandbox: Sandbox,
  options: EnvironmentOptions,
): Record<string, string> {
  const env = commandEnvironment(options);
  if (sandbox.kind === "none") return env;
  for (const name of OUTSIDE) delete env[name];
  return { ...env, ...options.env };
}
