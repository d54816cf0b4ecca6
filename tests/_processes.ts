/** A process, as the kernel tells of it. */
export interface Process {
  readonly pid: number;
  /** Its words, each with a NUL behind it; empty when it is about to end. */
  readonly command: string;
  readonly cwd: string;
}

/** All living processes that may be looked at. */
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
