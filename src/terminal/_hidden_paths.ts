import { processHost } from "../sys/mod.ts";
import { SECRET_PATHS } from "./_secret_paths.ts";

/**
 * What a sandbox hides: keys, logins and histories below a home folder, the key agent's socket, and
 * `more`. For other tools that are to show no more than a sandbox does.
 *
 * @example
 * ```ts
 * import { hiddenPaths } from "@llmcmd/llmcmd/terminal";
 *
 * if (!hiddenPaths("/home/me", []).includes("/home/me/.ssh")) throw new Error("keys are hidden");
 * ```
 */
export function hiddenPaths(home: string | undefined, more: readonly string[]): string[] {
  return [
    ...home?.startsWith("/") === true ? SECRET_PATHS.map((path) => `${home}/${path}`) : [],
    ...keyAgent(),
    ...more,
  ];
}

/**
 * The socket of the SSH agent, which signs with the user's keys for every process that can reach
 * it.
 */
function keyAgent(): string[] {
  const path = processHost().env["SSH_AUTH_SOCK"];
  return path?.startsWith("/") === true ? [path] : [];
}
