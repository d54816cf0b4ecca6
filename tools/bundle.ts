/**
 * Bundles the command: `deno task bundle` writes it to `dist/llmcmd/`, from where it is installed;
 * `deno task build` and the benchmark of its start use the function.
 *
 * From source a start opens each of the modules, some 800 files: the bundle takes about half the
 * time of that.
 */

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

if (import.meta.main) {
  const folder = "dist/llmcmd";
  // What an older version left would lie beside the new files.
  await Deno.remove(folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  console.info(await bundle("cli.ts", folder));
}
