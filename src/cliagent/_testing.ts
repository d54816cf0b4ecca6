/** Ports for tests: processes and files of this machine, and entries of a registry. */
import { fromReadable } from "../streams/mod.ts";
import { type ModelEntry, parseRegistry } from "./registry/mod.ts";
import { ProgramNotFoundError, type SpawnAgent } from "./run/mod.ts";

/** An entry of the driver `generic` with a script of the shell as its command. */
export function scriptEntry(script: string, fields: Record<string, unknown> = {}): ModelEntry {
  return entryOf({ driver: "generic", command: "/bin/sh", args: ["-c", script], ...fields });
}

/** An entry with its defaults. */
export function entryOf(fields: Record<string, unknown>): ModelEntry {
  const text = JSON.stringify({ m: { repoPath: Deno.cwd(), ...fields } });
  const entry = parseRegistry(text, { file: "models.json", folder: "/" }).get("m");
  if (entry === undefined) throw new Error("no entry");
  return entry;
}

/** Starts processes in a group of their own, which is what is killed. */
export const spawnForTest: SpawnAgent = (request) => {
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(request.program, {
      args: [...request.args],
      cwd: request.cwd,
      env: { ...request.env },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
  } catch (error) {
    return Promise.reject(
      error instanceof Deno.errors.NotFound
        ? new ProgramNotFoundError(request.program, { cause: error })
        : error,
    );
  }
  const exit = child.status.then(({ code }) => code);
  return Promise.resolve({
    stdin: child.stdin,
    stdout: fromReadable(child.stdout),
    stderr: fromReadable(child.stderr),
    exit,
    async kill() {
      try {
        Deno.kill(-child.pid, "SIGKILL");
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
      await exit;
    },
  });
};
