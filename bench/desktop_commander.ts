/**
 * Compares `llmcmd mcp` with Desktop Commander (npm) in one run: which of them detects that a
 * program waits for input, on 20 programs of `_waiting_programs.ts`, and how fast each answers
 * after its start. Both run without a sandbox, as Desktop Commander has none.
 *
 *     deno task bench:desktop-commander [runs of the start]
 *
 * Of the installed programs in the list it takes 10 that wait and 10 that do not, at equal steps.
 * Desktop Commander is kept in `LLMCMD_AGENTS` (~/.cache/llmcmd-agents).
 */
import { LineClient } from "./_line_client.ts";
import { processes } from "../tests/_processes.ts";
import { AGENTS_FOLDER, installDesktopCommander } from "../tests/agents/install.ts";
import { bundle } from "../tools/bundle.ts";
import { findProgram } from "../tools/find_program.ts";
import { figure, machine, markdownTable, median } from "./_report.ts";
import { WAITING, type WaitingProgram, WORKING } from "./_waiting_programs.ts";

/** Seconds within which a waiting program must be detected. */
const MOST = 10;
/** Seconds, its start included, in which a working program must not be taken for a waiting one. */
const WATCHED = 6;
const EACH = 10;

const runs = Number(Deno.args[0] ?? 10);
const bin = await installDesktopCommander(AGENTS_FOLDER);
const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-compared-" }));
const program = await bundle(new URL("../cli.ts", import.meta.url).pathname, `${root}/llmcmd`);

/** One of the two servers. */
interface Compared {
  readonly command: readonly string[];
  /** Runs a program for `seconds`, or until the server reports that it waits. */
  ask(client: LineClient, command: string, seconds: number): Promise<string>;
}

const SERVERS: Record<"llmcmd" | "Desktop Commander", Compared> = {
  llmcmd: {
    command: [
      ...[Deno.execPath(), "run", "--quiet", "--no-prompt", "--allow-all", program],
      ...["mcp", "--sandbox", "none"],
    ],
    async ask(client, command, seconds) {
      const end = performance.now() + 1000 * seconds;
      let state = await client.call("CliSession", { command });
      const { sessionId } = state.structuredContent ?? {};
      for (;;) {
        const { waitingForInput, isRunning } = state.structuredContent ?? {};
        if (waitingForInput) return "waits";
        if (isRunning === false) return "ended";
        if (isRunning === undefined) return state.text;
        const timeout = Math.ceil((end - performance.now()) / 1000);
        if (timeout <= 0) return "works";
        state = await client.call("CliRead", { sessionId, timeout, until: "input" });
      }
    },
  },
  "Desktop Commander": {
    command: [`${bin}/desktop-commander`, "--no-onboarding"],
    async ask(client, command, seconds) {
      const started = await client.call("start_process", { command, timeout_ms: 1000 * seconds });
      const pid = Number(/with PID (\d+)/.exec(started.text)?.[1]);
      // The first answer does not distinguish an end from a time-out.
      const read = await client.call("read_process_output", { pid, timeout_ms: 100 });
      if (read.text.includes("Process completed with exit code")) return "ended";
      if (started.text.includes("is waiting for input")) return "waits";
      if (started.text.includes("has finished execution")) return "said to have finished";
      return "works";
    },
  },
};

/** Starts a server with this folder as its home. */
function open(command: readonly string[], folder: string): LineClient {
  return new LineClient(command, {
    cwd: folder,
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: folder,
      SHELL: "/bin/bash",
      DESKTOP_COMMANDER_DISABLE_TELEMETRY: "1",
      DC_FLAG_URL: "http://127.0.0.1:9/",
    },
  });
}

/** Ends the processes that a server has left; resolves to their number. */
async function endLeft(folder: string): Promise<number> {
  const left = (await processes()).filter(({ cwd }) => cwd.startsWith(folder));
  for (const { pid } of left) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
  return left.length;
}

/** A server's answer about a program, and the number of processes left after its end. */
async function ask(
  { command, ask: askServer }: Compared,
  asked: WaitingProgram,
): Promise<{ said: string; left: number }> {
  const folder = await Deno.makeTempDir({ dir: root });
  const client = open(command, folder);
  await client.initialize();
  const said = await askServer(client, asked.command, asked.mode === null ? WATCHED : MOST);
  await client.close();
  return { said, left: await endLeft(folder) };
}

/** Some of the installed programs, at equal steps. */
function choose(programs: readonly WaitingProgram[]): WaitingProgram[] {
  const all = programs.filter(({ needs }) => needs.every((it) => findProgram(it) !== undefined));
  return Array.from({ length: EACH }, (_, index) => all[Math.floor(index * all.length / EACH)])
    .flatMap((it) => it ?? []);
}

async function comparePrograms(): Promise<void> {
  const rows: string[][] = [];
  const right: Record<string, number> = {};
  const left: Record<string, number> = {};
  const chosen = [...choose(WAITING), ...choose(WORKING)];
  const queue = [...chosen];
  const next = async () => {
    for (let asked = queue.shift(); asked !== undefined; asked = queue.shift()) {
      const truth = asked.mode === null ? "works" : "waits";
      const row = [asked.command.slice(0, 60).replaceAll("|", "\\|"), truth];
      for (const [name, server] of Object.entries(SERVERS)) {
        const { said, left: survivors } = await ask(server, asked);
        right[name] = (right[name] ?? 0) + (said === truth ? 1 : 0);
        left[name] = (left[name] ?? 0) + survivors;
        row.push(said);
      }
      rows.push(row);
    }
  };
  await Promise.all([next(), next()]);
  const names = Object.keys(SERVERS);
  rows.sort((one, other) => (one[1] ?? "").localeCompare(other[1] ?? ""));
  rows.push([`right, of ${chosen.length}`, "", ...names.map((name) => `${right[name]}`)]);
  rows.push(["processes left by the servers", "", ...names.map((name) => `${left[name]}`)]);
  console.info(markdownTable(["program", "it", ...names], rows));
}

/** Milliseconds from the start of a server to its first two answers. */
async function start(command: readonly string[], folder: string): Promise<[number, number]> {
  const begin = performance.now();
  const client = open(command, folder);
  await client.initialize();
  const initialized = performance.now() - begin;
  await client.request("tools/list", {});
  const listed = performance.now() - begin;
  await client.close();
  return [initialized, listed];
}

async function compareStarts(): Promise<void> {
  const servers = Object.values(SERVERS).map(({ command }, index) => ({
    command,
    folder: `${root}/start-${index}`,
    times: [] as [number, number][],
  }));
  for (const { folder } of servers) await Deno.mkdir(folder);
  for (let run = -2; run < runs; run++) {
    for (const { command, folder, times } of servers) {
      const time = await start(command, folder);
      if (run >= 0) times.push(time);
    }
  }
  const [ours, theirs] = servers.map(({ times }) => times);
  const rows = ["initialize", "tools/list"].map((name, which) => {
    const of = (times: [number, number][] = []) => median(times.map((it) => it[which] ?? NaN));
    return [name, figure(of(ours)), figure(of(theirs)), figure(of(ours) / of(theirs))];
  });
  console.info(`\nFrom the start to the answer, ms, medians of ${runs}. ${machine()}\n`);
  console.info(markdownTable(["answer to", ...Object.keys(SERVERS), "ratio"], rows));
}

try {
  await comparePrograms();
  await compareStarts();
} finally {
  await endLeft(root);
  await Deno.remove(root, { recursive: true });
}
