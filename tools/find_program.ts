/**
 * The file that a shell would start for a program's name: the first executable one on the `PATH`;
 * `undefined` if there is none.
 */
export function findProgram(name: string): string | undefined {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    // As in a shell, an empty entry is the working folder.
    const path = `${folder || "."}/${name}`;
    try {
      const { isFile, mode } = Deno.statSync(path);
      if (isFile && ((mode ?? 0o111) & 0o111) !== 0) return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
