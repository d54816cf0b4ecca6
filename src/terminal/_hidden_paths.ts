import { currentFolder, processHost } from "../sys/mod.ts";
import { MOVED, SECRET_PATH_VARIABLES, SECRET_PATHS, SYSTEM_SECRETS } from "./_secret_paths.ts";

/**
 * What a sandbox hides: keys, logins and histories below a home folder or where variables say that
 * they are, those of the system, the key agent's socket, and `more`. For other tools that are to show no more than a sandbox does.
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
    // The socket of the SSH agent, which signs with the user's keys for whoever can reach it.
    ...named(env["SSH_AUTH_SOCK"]),
    ...more,
  ];
}

/** The secrets that are below `folder` where that takes the place of the `usual` one. */
function moved(folder: string | undefined, usual: string): string[] {
  if (!isAbsolute(folder)) return [];
  return SECRET_PATHS.filter((path) => path.startsWith(`${usual}/`))
    .map((path) => folder + path.slice(usual.length));
}

/**
 * The paths in a variable, which may be several. One that leads to where the program works is left
 * out: to hide that would leave nothing to work on.
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
