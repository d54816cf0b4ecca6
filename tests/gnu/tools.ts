import { makeCasesFolder } from "../../tools/many_files_folder.ts";
import {
  type Bytes,
  type CaseFile,
  commandLine,
  type GnuAnswer,
  type GnuCase,
  shellWord,
} from "./case.ts";

/** Commands whose shell builtins differ from GNU's tools. */
const SHELLS_OWN: ReadonlySet<string> = new Set(["echo", "printf"]);
/** Tools of the pipelines that are recorded as cases of `bash`: one of each package. */
const PIPELINE_TOOLS = ["sort", "grep", "sed", "diff", "xxd", "rev"];
/** Cases that one shell runs. */
const BATCH = 100;
/** Seconds of processor time for a case. */
const CASE_SECONDS = 20;
/** Milliseconds for a batch. */
const BATCH_TIME = 120_000;

/** The statuses of processes that SIGKILL and SIGXCPU have ended. */
const KILLED = 137;
const OUT_OF_TIME = 152;

const decoder = new TextDecoder();

function environment(): Record<string, string> {
  return { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", LC_ALL: "C.UTF-8" };
}

/**
 * The first line of a tool's `--version`; `undefined` if the tool is missing. For `bash`, whose
 * cases are pipelines, the versions of their tools.
 */
export async function versionOf(tool: string): Promise<string | undefined> {
  if (tool === "bash") {
    const versions = await Promise.all(PIPELINE_TOOLS.map(versionOf));
    return versions.includes(undefined) ? undefined : versions.join(", ");
  }
  try {
    const { stdout, stderr } = await new Deno.Command(tool, {
      args: ["--version"],
      clearEnv: true,
      env: environment(),
      stdin: "null",
    }).output();
    return decoder.decode(stdout.length > 0 ? stdout : stderr).split("\n")[0];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function writeFile(path: string, file: CaseFile): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  if (path.endsWith("/")) return;
  const [data, mode = 0o644] = file instanceof Uint8Array ? [file] : file;
  Deno.writeFileSync(path, data);
  if (mode !== 0o644) Deno.chmodSync(path, mode);
}

function readFile(path: string): Bytes | undefined {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The names of all files in a folder, in no order; empty folders end with a slash. */
function* namesIn(folder: string, prefix = ""): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(`${folder}/${prefix}`)) {
    if (!isDirectory) {
      yield prefix + name;
      continue;
    }
    const inside = [...namesIn(folder, `${prefix}${name}/`)];
    yield* inside.length > 0 ? inside : [`${prefix}${name}/`];
  }
}

function filesAfter(
  folder: string,
  { compare = [] }: GnuCase,
): Pick<GnuAnswer, "files" | "executable"> {
  const files: Record<string, Bytes> = {};
  const executable: string[] = [];
  for (const name of compare === "all" ? [...namesIn(folder)].sort() : compare) {
    const data = name.endsWith("/") ? new Uint8Array(0) : readFile(`${folder}/${name}`);
    if (data === undefined) continue;
    files[name] = data;
    const { mode } = Deno.statSync(`${folder}/${name}`);
    if (!name.endsWith("/") && ((mode ?? 0) & 0o100) !== 0) executable.push(name);
  }
  return { files, executable };
}

/**
 * Runs a tool on each case, each in its own folder, in C.UTF-8 with an otherwise empty environment.
 * Throws an `Error` that names a case which takes more than 20 s of processor time.
 */
export async function runTool(tool: string, cases: readonly GnuCase[]): Promise<GnuAnswer[]> {
  const batches: GnuCase[][] = [];
  for (let at = 0; at < cases.length; at += BATCH) batches.push(cases.slice(at, at + BATCH));
  const answers: GnuAnswer[][] = [];
  const waiting = batches.entries();
  const workUntilNoneWaits = async () => {
    for (const [i, batch] of waiting) answers[i] = await runBatch(tool, batch);
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, workUntilNoneWaits));
  return answers.flat();
}

/** Runs cases in one shell. */
async function runBatch(tool: string, cases: readonly GnuCase[]): Promise<GnuAnswer[]> {
  const folder = await makeCasesFolder("gnu-", [tool]);
  try {
    const inputs = new Map<Bytes, string>();
    const inputOf = (data: Bytes = new Uint8Array(0)): string => {
      let path = inputs.get(data);
      if (path === undefined) {
        path = `${folder}/in.${inputs.size}`;
        inputs.set(data, path);
        Deno.writeFileSync(path, data);
      }
      return path;
    };
    const program = SHELLS_OWN.has(tool) ? `env ${tool}` : tool;
    const lines: string[] = ["umask 022", `ulimit -t ${CASE_SECONDS}`];
    for (const [i, test] of cases.entries()) {
      const own = `${folder}/d.${i}`;
      Deno.mkdirSync(own);
      for (const [name, file] of Object.entries(test.files ?? {})) {
        writeFile(`${own}/${name}`, file);
      }
      const input = inputOf(test.stdin);
      const run = `${program} ${test.args.map(shellWord).join(" ")}` +
        ` >${folder}/o.${i} 2>${folder}/e.${i}`;
      lines.push(`cd ${own}`);
      lines.push(test.seekable === true ? `${run} <${input}` : `cat ${input} 2>/dev/null | ${run}`);
      lines.push(`echo $? >${folder}/s.${i}`);
    }
    Deno.writeTextFileSync(`${folder}/script`, lines.join("\n"));
    await new Deno.Command("sh", {
      args: [`${folder}/script`],
      clearEnv: true,
      env: environment(),
      stdin: "null",
      stdout: "null",
      stderr: "null",
      signal: AbortSignal.timeout(BATCH_TIME),
    }).output();
    return cases.map((test, i) => {
      const status = Number(decoder.decode(readFile(`${folder}/s.${i}`)) || KILLED);
      if (status === KILLED || status === OUT_OF_TIME) {
        throw new Error(`Ended by a signal, or by a limit of time: ${commandLine(tool, test)}`);
      }
      return {
        stdout: Deno.readFileSync(`${folder}/o.${i}`),
        stderr: Deno.readFileSync(`${folder}/e.${i}`),
        status,
        ...filesAfter(`${folder}/d.${i}`, test),
      };
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
