/** A process, as /proc describes it. */
export interface Process {
  readonly pid: number;
  /** Its arguments, each followed by a NUL; empty if it is about to end. */
  readonly command: string;
  readonly cwd: string;
  /** The id of its session, such as that of a terminal. */
  readonly session: number;
}

/** All living processes that this user may see. */
export async function processes(): Promise<Process[]> {
  const found: Process[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const command = await Deno.readTextFile(`/proc/${name}/cmdline`);
      const cwd = await Deno.readLink(`/proc/${name}/cwd`);
      const stat = await Deno.readTextFile(`/proc/${name}/stat`);
      const session = Number(stat.slice(stat.lastIndexOf(")")).split(" ")[4]);
      found.push({ pid: Number(name), command, cwd, session });
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}
