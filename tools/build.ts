/**
 * Builds `dist/`: the bundle in `dist/llmcmd/`, the man page, the shells' completions and, where
 * Deno's base binary can be had, a compiled executable. Run by `deno task build`.
 */
import { bundle } from "./bundle.ts";

const DIST = "dist";

/** Permissions of the executable: no other program, no native library, no system information. */
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

/** An error message without its stack. */
function reason(messages: string): string {
  return messages.split("\n\nStack backtrace", 1)[0] ?? messages;
}

async function kilobytes(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name } of Deno.readDir(folder)) {
    bytes += (await Deno.stat(`${folder}/${name}`)).size;
  }
  return Math.round(bytes / 1024);
}

const FOLDER = `${DIST}/llmcmd`;
// Files of an older build would otherwise become part of this one.
await Deno.remove(DIST, { recursive: true }).catch((error) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
});
await Deno.mkdir(DIST);
const program = await bundle("cli.ts", FOLDER);
console.info(`${program} (${await kilobytes(FOLDER)} kB with its parts)`);

const run = (...args: string[]) => must(["run", "--quiet", "--no-prompt", program, ...args]);
await Deno.writeFile(`${DIST}/llmcmd.1`, await run("--man"));
for (const shell of ["bash", "zsh", "fish"]) {
  await Deno.writeFile(`${DIST}/llmcmd.${shell}`, await run("--completions", shell));
}
console.info(`${DIST}/llmcmd.1 and the completions of bash, zsh and fish`);

const EXECUTABLE = `${DIST}/bin/llmcmd`;
const compiled = await deno(["compile", ...PERMISSIONS, `--output=${EXECUTABLE}`, program]);
console.info(
  compiled.ok
    ? EXECUTABLE
    : `No executable: deno compile could not get its base binary. Run the bundle instead:\n` +
      `  deno run ${PERMISSIONS.join(" ")} ${program}\n${reason(compiled.error)}`,
);
