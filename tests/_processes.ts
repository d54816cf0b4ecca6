/** A process, as /proc describes it. */
export interface Process {
  readonly pid: number;
  /** Its arguments, each followed by a NUL; empty when it is about to end. */
  readonly command: string;
  readonly cwd: string;
}

/** All living processes that this user may see. */
export async function processes(): Promise<Process[]> {
  const found: Process[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const command = await Deno.readTextFile(`/proc/${name}/cmdline`);
      const cwd = await Deno.readLink(`/proc/${name}/cwd`);
      found.push({ pid: Number(name), command, cwd });
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}
