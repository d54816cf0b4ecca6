/**
 * Compares CliRun of `true` with its bare parts, run in turn: the same sandbox, a keeper that only
 * starts the shell and waits, and the shell. Prints medians of both, of their ratio, of a call over
 * standard streams, and of the library without MCP.
 *
 *     deno task bench:cli-run [runs=60]
 */
import { bwrapArguments } from "../src/terminal/_bwrap.ts";
import { SessionFolders } from "../src/terminal/_session_folders.ts";
import { chooseSandbox, CommandSession } from "../src/terminal/mod.ts";
import { pythonProgram } from "../src/sys/mod.ts";
import { bundle, lazyEntry } from "../tools/bundle.ts";
import { figure, machine, markdownTable, median } from "./_report.ts";
import { startMcpServer } from "./_mcp_server.ts";

const runs = Number(Deno.args[0] ?? 60);
const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-cli-run-" }));
const SHELL = ["bash", "-c", "true"];

/** A keeper in Python: it imports the modules of a real one, starts the shell and waits. */
const PYTHON = `
import ctypes, os, resource, select, sys, time
pid = os.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
os.waitpid(pid, 0)`;

/** The command line of the bare parts, with or without the sandbox. */
async function bareParts(kind: "none" | "bwrap"): Promise<string[]> {
  if (kind === "none") return [pythonProgram(), "-I", "-S", "-c", PYTHON, ...SHELL];
  const sandbox = await chooseSandbox("bwrap");
  if (sandbox.kind === "none") throw new Error("There is no sandbox");
  const folders = new SessionFolders({ cwd: folder, sandbox, output: null, keepOutput: false });
  const { tmp: _, ...place } = await folders.place(undefined);
  // The keeper in the sandbox is a shell.
  const keeper = ["bash", "-p", "-c", '"$@"; exit $?', "keeper", ...SHELL];
  return ["bwrap", ...bwrapArguments(sandbox, place), ...keeper];
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

async function runBare([program = "", ...args]: readonly string[]): Promise<void> {
  const { code } = await new Deno.Command(program, { args, cwd: folder, stdin: "null" }).output();
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

async function measure(program: string, kind: "none" | "bwrap"): Promise<string[]> {
  const { child, client, call } = await startMcpServer(program, folder, `--sandbox=${kind}`);
  const sandbox = await chooseSandbox(kind);
  await using session = new CommandSession({ cwd: folder, sandbox });
  const { signal } = new AbortController();
  const runApart = async () => {
    const options = { timeout: 30_000, maxBytes: 40_000, signal, shell: "/bin/bash" };
    const { exitCode } = await session.runApart("true", options);
    if (exitCode !== 0) throw new Error(`true ended with ${exitCode}`);
  };
  const cliRun = async () => {
    const { exitCode } = await call("CliRun", { command: "true" });
    if (exitCode !== 0) throw new Error(`true ended with ${exitCode}`);
  };
  const bare = await bareParts(kind);
  const times: [number, number, number][] = [];
  for (let run = -5; run < runs; run++) {
    const round: [number, number, number] = [
      await timed(() => runBare(bare)),
      await timed(cliRun),
      await timed(runApart),
    ];
    if (run >= 0) times.push(round);
  }
  await client.close();
  await child.status;
  return [
    kind === "none" ? "no sandbox (Python, bash)" : "bwrap (bwrap, bash, bash)",
    ...([0, 1, 2] as const).map((column) => figure(median(times.map((it) => it[column])))),
    ...([1, 2] as const).map((column) => figure(median(times.map((it) => it[column] / it[0])))),
  ];
}

try {
  const source = new URL("../cli.ts", import.meta.url).pathname;
  const program = lazyEntry(await bundle(source, `${folder}/llmcmd`));
  const rows = [await measure(program, "none"), await measure(program, "bwrap")];
  console.info(`${machine()}\n`);
  console.info(markdownTable(
    ["parts", "bare, ms", "CliRun, ms", "library, ms", "CliRun / bare", "library / bare"],
    rows,
  ));
} finally {
  await Deno.remove(folder, { recursive: true });
}
