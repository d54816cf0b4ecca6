/** Bundles the command, for `deno task build` and for the benchmark of its start. */

/**
 * Bundles a program into a folder, with what it imports lazily in files of their own: a run loads
 * what it uses. Returns the path of the file to run.
 */
export async function bundle(program: string, folder: string): Promise<string> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--minify",
      "--code-splitting",
      `--outdir=${folder}`,
      program,
    ],
    env: { NO_COLOR: "1" },
    stdout: "null",
  }).output();
  if (!success) throw new Error(`Cannot bundle ${program}: ${new TextDecoder().decode(stderr)}`);
  const name = program.split("/").at(-1) ?? program;
  return `${folder}/${name.replace(/\.ts$/, ".js")}`;
}
