import { PermissionError } from "./errors.ts";
import { mayRun } from "./process/mod.ts";

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

/** Programs of which each command that starts programs needs one. */
const BASIC_PROGRAMS = ["bash", "sh", "git", "python3"];

/**
 * Checks that an executable may start programs: its permissions are fixed when it is compiled, so a
 * command that would fail later is of no use. Other ways to start this program pass.
 *
 * @throws {PermissionError} It may start none of those that commands need.
 */
export function requirePrograms(standalone: boolean = Deno.build.standalone): void {
  if (!standalone || BASIC_PROGRAMS.some(mayRun)) return;
  throw new PermissionError("start programs", "--allow-run");
}
