import { argumentsOf, type FuzzCase, type FuzzOutcome, MAX_OUTPUT, SECONDS } from "./case.ts";
import type { Chunk } from "../../src/streams/mod.ts";
import { findProgram } from "../../tools/find_program.ts";
import { makeCasesFolder } from "../../tools/many_files_folder.ts";

/** Commands whose shell builtins differ from GNU's tools. */
const SHELLS_OWN: ReadonlySet<string> = new Set(["echo", "printf", "true", "false"]);

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The status of a command that SIGKILL has ended. */
const KILLED = 137;
/** Milliseconds for a batch. */
const PATIENCE = 60_000;

let sandbox: readonly string[] | undefined;

/**
 * The command that confines the shell to `folder` by bubblewrap: a script that the shrinker has cut
 * may contain an `e` or `w` that no generator writes. Empty if bubblewrap is missing; see
 * {@linkcode isConfined}.
 */
async function confinement(folder: string): Promise<readonly string[]> {
  const flags = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
    "--unshare-all",
  ];
  if (sandbox === undefined) {
    const test = new Deno.Command("bwrap", { args: [...flags, "true"], stderr: "null" });
    const works = findProgram("bwrap") !== undefined && (await test.output()).success;
    sandbox = works ? ["bwrap", ...flags, "--die-with-parent"] : [];
  }
  return sandbox.length === 0 ? [] : [...sandbox, "--bind", folder, folder, "--"];
}

/** True if GNU's tools cannot write outside of their folder. */
export async function isConfined(): Promise<boolean> {
  return (await confinement("/")).length > 0;
}

/** True if the tool is installed. */
export async function hasTool(command: string): Promise<boolean> {
  const test = new Deno.Command("sh", { args: ["-c", `command -v ${command} >/dev/null`] });
  return (await test.output()).success;
}

/**
 * Runs the GNU tool on each case, each in its own folder, in C.UTF-8 with an otherwise empty
 * environment. One shell runs them all.
 */
export async function runGnuCases(cases: readonly FuzzCase[]): Promise<FuzzOutcome[]> {
  const folder = await makeCasesFolder("fuzz-", cases.map(({ command }) => command));
  try {
    // ulimit counts blocks of 512 bytes.
    const lines = [`ulimit -t ${SECONDS}`, `ulimit -f ${MAX_OUTPUT / 512 + 1}`, "ulimit -c 0"];
    for (const [i, test] of cases.entries()) {
      const own = `${folder}/d.${i}`;
      Deno.mkdirSync(own);
      for (const [name, data] of Object.entries(test.files)) {
        if (name.includes("/")) {
          Deno.mkdirSync(`${own}/${name.slice(0, name.lastIndexOf("/"))}`, { recursive: true });
        }
        Deno.writeFileSync(`${own}/${name}`, data);
      }
      Deno.writeFileSync(`${folder}/in.${i}`, test.stdin);
      const words = argumentsOf(test).map(quoted).join(" ");
      const [input, out, err] = [`${folder}/in.${i}`, `${folder}/o.${i}`, `${folder}/e.${i}`];
      const program = SHELLS_OWN.has(test.command) ? `env ${test.command}` : test.command;
      const run = `${program} ${words} 2>${err}${test.seekable ? ` <${input}` : ""}`;
      const cut = test.limit === undefined ? "" : ` | head -c ${test.limit}`;
      lines.push(`cd ${own}`);
      // `xxd -r` seeks in a file; to compare, the output must be a stream.
      const piped = test.command === "xxd" ? `{ ${run}; echo $? >${folder}/s.${i}; } | cat` : run;
      const feed = test.seekable ? "" : `cat ${input} 2>/dev/null | `;
      lines.push(`${feed}${piped}${cut} >${out}`);
      if (piped === run) lines.push(`echo $? >${folder}/s.${i}`);
    }
    Deno.writeTextFileSync(`${folder}/script`, lines.join("\n"));
    const [program = "sh", ...args] = [...await confinement(folder), "sh", `${folder}/script`];
    const child = new Deno.Command(program, {
      args,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    // The limit of processor time ends loops; this ends processes that wait.
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    await child.status;
    clearTimeout(timer);
    return cases.map((test, i) => readOutcome(folder, i, test));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Reads a file; empty if the shell ended before it was written. */
function bytes(path: string): Chunk {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Uint8Array(0);
    throw error;
  }
}

/** Adds the files of a folder; empty folders get names that end with a slash. */
function addFiles(folder: string, prefix: string, files: Record<string, Chunk>): void {
  for (const entry of Deno.readDirSync(folder)) {
    const path = `${folder}/${entry.name}`;
    // A name that is not UTF-8 cannot be read here.
    if (entry.name.includes("\ufffd")) continue;
    if (entry.isFile) files[prefix + entry.name] = Deno.readFileSync(path);
    if (!entry.isDirectory) continue;
    const count = Object.keys(files).length;
    addFiles(path, `${prefix}${entry.name}/`, files);
    if (Object.keys(files).length === count) files[`${prefix}${entry.name}/`] = new Uint8Array(0);
  }
}

function readOutcome(folder: string, i: number, test: FuzzCase): FuzzOutcome {
  const status = test.limit === undefined
    ? Number(new TextDecoder().decode(bytes(`${folder}/s.${i}`)).trim() || KILLED)
    : 0;
  const files: Record<string, Chunk> = {};
  addFiles(`${folder}/d.${i}`, "", files);
  return {
    stdout: bytes(`${folder}/o.${i}`),
    stderr: new TextDecoder().decode(bytes(`${folder}/e.${i}`)),
    status,
    files,
    // Ended by a limit of time or of output, for itself or for a process in its pipeline.
    ...([KILLED, 141, 152, 153].includes(status) && { endless: true }),
  };
}
