/**
 * Builds `dist/`: one bundled file, the man page, the shells' completions and, where Deno's base
 * binary can be had, a compiled executable. Run by `deno task build`.
 */
const DIST = "dist";

/** What the executable may do: no other program, no native library, no system information. */
const PERMISSIONS = ["--allow-read", "--allow-write", "--allow-net", "--allow-env"];

async function deno(args: string[]): Promise<{ ok: boolean; stdout: Uint8Array; error: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    env: { NO_COLOR: "1" },
  }).output();
  return { ok: success, stdout, error: new TextDecoder().decode(stderr).trim() };
}

async function must(args: string[]): Promise<Uint8Array> {
  const { ok, stdout, error } = await deno(args);
  if (!ok) throw new Error(`deno ${args.join(" ")}\n${error}`);
  return stdout;
}

const bundle = `${DIST}/llmcmd.js`;
await Deno.mkdir(DIST, { recursive: true });
await must(["bundle", "--quiet", "--minify", `--output=${bundle}`, "cli.ts"]);
const { size } = await Deno.stat(bundle);
console.info(`${bundle} (${Math.round(size / 1024)} kB)`);

const run = (...args: string[]) => must(["run", "--quiet", "--no-prompt", bundle, ...args]);
await Deno.writeFile(`${DIST}/llmcmd.1`, await run("--man"));
for (const shell of ["bash", "zsh", "fish"]) {
  await Deno.writeFile(`${DIST}/llmcmd.${shell}`, await run("--completions", shell));
}
console.info(`${DIST}/llmcmd.1 and the completions of bash, zsh and fish`);

const compiled = await deno(["compile", ...PERMISSIONS, `--output=${DIST}/llmcmd`, bundle]);
console.info(
  compiled.ok
    ? `${DIST}/llmcmd`
    : `No executable: deno compile could not get its base binary. Run the bundle instead:\n` +
      `  deno run ${PERMISSIONS.join(" ")} ${bundle}\n${compiled.error.split("\n").at(-1)}`,
);
