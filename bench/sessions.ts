/**
 * Terminal sessions under load, through the tools of a separate `llmcmd mcp` process: 16 sessions
 * that each write 100 MB, with and without a reader, and `yes` in CliRun. Prints the peak memory of
 * the server and of the keepers, and the times.
 *
 *     deno task bench:sessions [MB=100] [SESSIONS=16]
 */
import { bundle, lazyEntry } from "../tools/bundle.ts";
import { type McpServer, startMcpServer } from "./_mcp_server.ts";
import { figure, machine, markdownTable } from "./_report.ts";

const [megabytes = 100, count = 16] = Deno.args.map(Number);
const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-sessions-" }));

/** Peak resident memory in MB (10^6 bytes); 0 if the process has ended. */
function peakOf(pid: number): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) * 1024 / 1e6;
  } catch {
    return 0;
  }
}

/** Ids of the keeper processes below a process, found by their name. */
function keepersOf(root: number): number[] {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = Deno.readTextFileSync(`/proc/${name}/stat`);
      const [, comm = "", parent = ""] = /\((.*)\) \S (\d+)/s.exec(stat) ?? [];
      parents.set(Number(name), { parent: Number(parent), name: comm });
    } catch {
      // It has ended.
    }
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent;
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  return [...parents].flatMap(([pid, { name }]) =>
    name.startsWith("llmcmd-pty") && isBelow(pid) ? [pid] : []
  );
}

/** Runs a job on a new server; returns the row of the table. */
async function measure(
  program: string,
  name: string,
  job: (call: McpServer["call"]) => Promise<string>,
): Promise<string[]> {
  const { child, client, call } = await startMcpServer(program, folder, "--sandbox=none");
  const before = peakOf(child.pid);
  let keeper = 0;
  let keepers = 0;
  const timer = setInterval(() => {
    const pids = keepersOf(child.pid);
    keepers = Math.max(keepers, pids.length);
    keeper = Math.max(keeper, ...pids.map(peakOf));
  }, 200);
  const begin = performance.now();
  try {
    const outcome = await job(call);
    const seconds = (performance.now() - begin) / 1000;
    const server = peakOf(child.pid);
    return [
      name,
      figure(seconds),
      figure(before),
      figure(server),
      `${keepers}`,
      figure(keeper),
      outcome,
    ];
  } finally {
    clearInterval(timer);
    await client.close();
    await child.status;
  }
}

/** Starts floods, each of which ends after the same number of bytes with a line that says so. */
async function flood(call: McpServer["call"], line: string) {
  const command = `${line} | head -c ${megabytes * 1e6}; echo; echo the end`;
  const started = await Promise.all(
    Array.from({ length: count }, () => call("CliSession", { command })),
  );
  return started.map(({ sessionId, ...first }) => ({
    sessionId: `${sessionId}`,
    bytes: `${first.initialOutput}`.length + Number(first.droppedBytes ?? 0),
  }));
}

const LINE = "yes 'A line of output as a build writes it, 64 characters long......'";

try {
  const source = new URL("../cli.ts", import.meta.url).pathname;
  const program = lazyEntry(await bundle(source, `${folder}/llmcmd`));
  const rows = [
    await measure(program, `${count} x ${megabytes} MB, until the end`, async (call) => {
      const ids = await flood(call, LINE);
      const ends = await Promise.all(ids.map(async ({ sessionId }) => {
        const read = await call("CliRead", { sessionId, timeout: 300, until: "exit" });
        if (read.isRunning !== false) return "still running";
        const { finalOutput } = await call("CliStop", { sessionId });
        return /the end\s*$/.test(`${finalOutput}`) ? "end" : "no end";
      }));
      return `${ends.filter((it) => it === "end").length} ended`;
    }),
    await measure(program, `${count} x ${megabytes} MB, read`, async (call) => {
      const ids = await flood(call, LINE);
      const ends = await Promise.all(ids.map(async ({ sessionId, ...first }) => {
        let last = "";
        let { bytes } = first;
        for (;;) {
          const read = await call("CliRead", { sessionId, timeout: 60, maxBytes: 65_536 });
          last = (last + read.output).slice(-40);
          bytes += `${read.output}`.length + Number(read.droppedBytes ?? 0);
          if (read.isRunning === false && read.hasMore === false) break;
        }
        await call("CliStop", { sessionId });
        return /the end\s*$/.test(last) && bytes >= megabytes * 1e6;
      }));
      return `${ends.filter((it) => it).length} whole, gaps counted`;
    }),
    await measure(program, "yes in CliRun, 10 s", async (call) => {
      const { status, stdout, stdoutBytes } = await call("CliRun", { command: "yes", timeout: 10 });
      return `${status}, ${`${stdout}`.length} bytes kept of ${stdoutBytes ?? "?"}`;
    }),
  ];
  console.info(`${machine()}\n`);
  console.info(markdownTable(
    ["job", "s", "server at first, MB", "server, peak MB", "keepers", "keeper, peak MB", "outcome"],
    rows,
  ));
} finally {
  await Deno.remove(folder, { recursive: true });
}
