import { PermissionError } from "./errors.ts";

/** True if a path may be read or written without a permission prompt. */
export function mayUse(name: "read" | "write", path: string): boolean {
  return Deno.permissions.querySync({ name, path }).state === "granted";
}

/**
 * Checks that this process may connect to `host` (`name`, or `name:port`).
 *
 * @throws {PermissionError} `--allow-net` doesn't cover it, and there is no terminal for a prompt.
 */
export function requireNet(host: string): void {
  const { state } = Deno.permissions.querySync({ name: "net", host });
  if (state === "granted" || state === "prompt" && Deno.stdin.isTerminal()) return;
  throw new PermissionError(`connect to ${host}`, `--allow-net=${host}`);
}
