import { currentFolder, processHost } from "../sys/mod.ts";
import { MOVED, SECRET_PATH_VARIABLES, SECRET_PATHS, SYSTEM_SECRETS } from "./_secret_paths.ts";

/**
 * Paths that a sandbox hides: keys, logins and histories below a home folder or where variables say
 * that they are, secrets of the system, the SSH agent's socket, and `more`. Also for other tools
 * that must not show more than a sandbox does.
 *
 * @example
 * ```ts
 * import { hiddenPaths } from "@llmcmd/llmcmd/terminal";
 *
 * if (!hiddenPaths("/home/me", []).includes("/home/me/.ssh")) throw new Error("keys are hidden");
 * ```
 */
export function hiddenPaths(home: string | undefined, more: readonly string[]): string[] {
  const { env } = processHost();
  return [
    ...isAbsolute(home) ? SECRET_PATHS.map((path) => `${home}/${path}`) : [],
    ...SYSTEM_SECRETS,
    ...Object.entries(MOVED).flatMap(([name, usual]) => moved(env[name], usual)),
    ...SECRET_PATH_VARIABLES.flatMap((name) => named(env[name])),
    // The socket of the SSH agent, which signs with the user's keys for every program that can
    // reach it.
    ...named(env["SSH_AUTH_SOCK"]),
    ...more,
  ];
}

/** The secrets below `folder`, which replaces the `usual` one. */
function moved(folder: string | undefined, usual: string): string[] {
  if (!isAbsolute(folder)) return [];
  return SECRET_PATHS.filter((path) => path.startsWith(`${usual}/`))
    .map((path) => folder + path.slice(usual.length));
}

/**
 * The paths in a variable, which may be several. A path to the working folder, or to a folder
 * around it, is left out: hiding it would leave nothing to work on.
 */
function named(value: string | undefined): string[] {
  const folder = currentFolder();
  return (value ?? "").split(":").map((path) => path.replace(/(?<=.)\/+$/, "")).filter((path) =>
    isAbsolute(path) && path !== "/" && !/^\/(dev|proc)\//.test(path) &&
    !`${folder}/`.startsWith(`${path}/`)
  );
}

function isAbsolute(path: string | undefined): path is string {
  return path?.startsWith("/") === true;
}
