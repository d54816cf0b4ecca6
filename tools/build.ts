/**
 * Builds `dist/`: the bundle in `dist/llmcmd/`, the man page, the shells' completions and, where
 * Deno's base binary can be had, an executable: `deno task build [--agent]`.
 *
 * The permissions of an executable are fixed when it is compiled. Those of the usual one leave out
 * the commands that start programs, such as `llmcmd agent`; `--agent` adds them.
 */
import { bundle } from "./bundle.ts";

const DIST = "dist";

/** Permissions of the usual executable: no other program, native library or system information. */
const NARROW = ["--allow-read", "--allow-write", "--allow-net", "--allow-env"];

/**
 * Permissions of an executable for all commands. A list of programs would protect nothing, as a
 * shell is on it; and Deno lets only a program with all permissions look into `/proc`, by which
 * files are opened without a race against links, and use devices.
 */
const AGENT = ["--allow-all"];

/** The flags with which the executable is compiled. */
export function permissionFlags(agent: boolean): readonly string[] {
  return agent ? AGENT : NARROW;
}

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

/**
 * Compiles a program into an executable.
 *
 * @throws {Error} `deno compile` failed, such as where it could not get Deno's base binary.
 */
export async function compile(program: string, executable: string, agent: boolean): Promise<void> {
  const flags = permissionFlags(agent);
  const { ok, error } = await deno(["compile", ...flags, `--output=${executable}`, program]);
  if (!ok) throw new Error(reason(error));
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

/** Builds `dist/` anew. */
async function build(agent: boolean): Promise<void> {
  const folder = `${DIST}/llmcmd`;
  // Files of an older build would otherwise become part of this one.
  await Deno.remove(DIST, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Deno.mkdir(DIST);
  const program = await bundle("cli.ts", folder);
  console.info(`${program} (${await kilobytes(folder)} kB with its parts)`);

  const run = (...args: string[]) => must(["run", "--quiet", "--no-prompt", program, ...args]);
  await Deno.writeFile(`${DIST}/llmcmd.1`, await run("--man"));
  for (const shell of ["bash", "zsh", "fish"]) {
    await Deno.writeFile(`${DIST}/llmcmd.${shell}`, await run("--completions", shell));
  }
  console.info(`${DIST}/llmcmd.1 and the completions of bash, zsh and fish`);

  const executable = `${DIST}/bin/llmcmd`;
  try {
    await compile(program, executable, agent);
    console.info(
      agent
        ? `${executable}, with all permissions`
        : `${executable}, which starts no programs: deno task build --agent makes one that does`,
    );
  } catch (error) {
    const flags = permissionFlags(agent).join(" ");
    console.info(
      `No executable: deno compile failed. Run the bundle instead:\n  deno run ${flags} ${program}`,
    );
    console.info(error instanceof Error ? error.message : error);
  }
}

if (import.meta.main) {
  const unknown = Deno.args.find((arg) => arg !== "--agent");
  if (unknown === undefined) await build(Deno.args.includes("--agent"));
  else {
    console.error(`Unknown argument ${unknown}: the only one is --agent`);
    Deno.exitCode = 2;
  }
}
