import { processHost } from "../sys/mod.ts";
import { SECRET_PATHS } from "./_secret_paths.ts";

/** What a sandbox hides: the secrets below a home folder, the key agent's socket, and `more`. */
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
