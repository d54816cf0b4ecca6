import type { ProcessTable } from "../../ports/mod.ts";
import { PermissionError } from "../errors.ts";

/**
 * The processes of this machine, from `/proc` if it exists and may be read, otherwise from `ps`.
 *
 * @throws {PermissionError} From `startTime`: it may neither read `/proc` (`--allow-all`) nor run
 * `ps`.
 */
export function processTable(): ProcessTable {
  return {
    self: Deno.pid,
    startTime: async (pid) => {
      const line = await readStat(pid);
      return line === null ? await askPs(pid) : line === undefined ? undefined : startOf(line);
    },
  };
}

/** The line of `/proc/PID/stat`; `undefined`: no such process, `null`: `/proc` is not available. */
async function readStat(pid: number): Promise<string | undefined | null> {
  try {
    return await Deno.readTextFile(`/proc/${pid}/stat`);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return null;
    if (!(error instanceof Deno.errors.NotFound)) return undefined;
    return await exists("/proc/self/stat") ? undefined : null;
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/**
 * Field 22 (proc(5)): ticks since the system started. The program's name before it may contain
 * blanks and parentheses. A zombie (an ended process before its parent's `wait`) does not count.
 */
function startOf(line: string): string | undefined {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? undefined : fields[19];
}

async function askPs(pid: number): Promise<string | undefined> {
  try {
    const { code, stdout } = await new Deno.Command("ps", {
      args: ["-o", "lstart=", "-p", `${pid}`],
      env: { LC_ALL: "C", TZ: "UTC" },
      stdin: "null",
      stderr: "null",
    }).output();
    const text = new TextDecoder().decode(stdout).trim();
    return code === 0 && text !== "" ? text : undefined;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    throw new PermissionError("tell whether a process is running", "--allow-run=ps", error);
  }
}
