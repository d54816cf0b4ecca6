/**
 * Many chats at once with `llmcmd serve` on the mock endpoint. Checks that each gets its own whole
 * answer and nothing else, and measures the memory of an open chat and the time to the first byte.
 * Compared in turn with
 *
 * - `stream`, a bare `Deno.serve` stream, which sends the same words at the same pace without an
 *   endpoint;
 * - `proxy`, a bare `Deno.serve` handler, which passes on the words of the endpoint;
 * - `endpoint`, the mock itself, called by the clients: the model's part of the time.
 *
 * Mock, servers and clients are separate processes on the same processors. `deno task bench:chats
 * [chats] [rounds]`. Needs Linux for the memory.
 */
import { answerOf, type ChatOutcome, delayOf, messageOf, TOKEN, WORD_DELAY } from "./_chat_load.ts";
import { figure, machine, markdownTable, median } from "./_report.ts";

const ROOT = new URL("../", import.meta.url).pathname;
/** Milliseconds between two chats at an even pace. */
const PACE = 30;

/** A server process that prints its address on standard error. */
class Server implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly url: string;

  static async start(env: Record<string, string>, ...args: string[]): Promise<Server> {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "--allow-all", ...args],
      env,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let told = "";
    const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value = "" } = await reader.read();
      told += value;
      const url = /http:\/\/[\d.]+:\d+/.exec(told)?.[0];
      if (url !== undefined) {
        reader.releaseLock();
        return new Server(child, url);
      }
      if (done) throw new Error(`Cannot start ${args.join(" ")}: ${told}`);
    }
  }

  private constructor(child: Deno.ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Resident memory in kB; `NaN` if the system does not report it. */
  async memory(): Promise<number> {
    const status = await Deno.readTextFile(`/proc/${this.#child.pid}/status`).catch(() => "");
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN);
  }

  /** Milliseconds of processor time so far; `NaN` if the system does not report it. */
  async cpu(): Promise<number> {
    const stat = await Deno.readTextFile(`/proc/${this.#child.pid}/stat`).catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Linux counts in hundredths of a second.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#child.status;
    await this.#child.stderr.cancel().catch(() => {});
  }
}

async function clients(url: string, ...numbers: number[]): Promise<ChatOutcome[]> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--allow-net=127.0.0.1"],
      ...[`${ROOT}bench/_chat_load.ts`, url, ...numbers.map(String)],
    ],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("The clients failed");
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

interface Phase {
  readonly outcomes: readonly ChatOutcome[];
  /** kB of one open chat. */
  readonly memory: number;
  /** Milliseconds of the server's processor time for one chat. */
  readonly cpu: number;
  /** Milliseconds of the endpoint's processor time for one chat. */
  readonly mockCpu: number;
}

/** Runs all chats with one server, started `gap` milliseconds apart. */
async function phase(
  server: Server,
  mock: Server,
  gap: number,
  url: string = server.url,
): Promise<Phase> {
  // Turns that are not measured warm up the code.
  const warm = await clients(url, 20, 5, 3, 1);
  const before = await server.memory();
  const [cpu, mockCpu] = [await server.cpu(), await mock.cpu()];
  const running = clients(url, chats, gap, 1, 1);
  let most = 0;
  const sample = setInterval(async () => most = Math.max(most, await server.memory()), 100);
  const outcomes = await running.finally(() => clearInterval(sample));
  return {
    outcomes: [...warm, ...outcomes],
    memory: (most - before) / chats,
    cpu: (await server.cpu() - cpu) / chats,
    mockCpu: (await mock.cpu() - mockCpu) / chats,
  };
}

/** Counts requests about more than one chat: the model's input must not be mixed up either. */
async function mixedRequests(mock: Server): Promise<{ requests: number; mixed: number }> {
  const response = await fetch(`${mock.url}/__mock/journal`);
  const { entries, limits } = await response.json();
  if (entries.length >= limits.journalEntries) throw new Error("The journal has not all requests");
  let mixed = 0;
  for (const { body } of entries) {
    const text = JSON.stringify(body.messages);
    if (new Set(text.match(/of chat \d{4}/g)).size !== 1) mixed++;
  }
  return { requests: entries.length, mixed };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
}

const chats = Number(Deno.args[0] ?? 200);
const rounds = Number(Deno.args[1] ?? 3);
const folder = await Deno.makeTempDir({ prefix: "llmcmd-bench-chats-" });
const scenarios: unknown[] = [{
  name: "titles",
  trigger: "",
  match: { model: "small" },
  steps: [{ response: { content: "A title" } }],
}];
for (let chat = 0; chat < chats; chat++) {
  for (const turn of [1, 2, 3]) {
    scenarios.push({
      name: `${chat}.${turn}`,
      trigger: messageOf(chat, turn),
      match: { body_has: "stream" },
      steps: [{
        response: { content: answerOf(chat, turn) },
        fault: { chunk_delay: delayOf(turn) },
      }],
    });
  }
}
await Deno.writeTextFile(`${folder}/scenarios.json`, JSON.stringify({ scenarios }));

/**
 * Milliseconds to the first byte of the answer's text, without the endpoint's delay before it, and
 * to the headers; kB of memory; all by kind and pace.
 */
const first = new Map<string, number[]>();
const headers = new Map<string, number[]>();
const memory = new Map<string, number[]>();
const cpu = new Map<string, number[]>();
const mockCpu = new Map<string, number[]>();
const problems: string[] = [];
let answers = 0;

function note(kind: string, { outcomes, ...each }: Phase): void {
  const measured = outcomes.filter(({ turn }) => turn === 1);
  first.set(kind, [...first.get(kind) ?? [], ...measured.map((it) => it.first - WORD_DELAY)]);
  headers.set(kind, [...headers.get(kind) ?? [], ...measured.map((it) => it.headers)]);
  memory.set(kind, [...memory.get(kind) ?? [], each.memory]);
  cpu.set(kind, [...cpu.get(kind) ?? [], each.cpu]);
  mockCpu.set(kind, [...mockCpu.get(kind) ?? [], each.mockCpu]);
  answers += outcomes.length;
  for (const { chat, turn, problem } of outcomes) {
    if (problem !== undefined) problems.push(`${kind}: chat ${chat}, turn ${turn}: ${problem}`);
  }
}

try {
  await using mock = await Server.start(
    {},
    ...[`${ROOT}cli.ts`, "mock", "--port=0", "--strict", "--scenarios", `${folder}/scenarios.json`],
  );
  const endpoint = `${mock.url}/v1`;
  let requests = 0;
  let mixed = 0;
  const look = async () => {
    const seen = await mixedRequests(mock);
    requests += seen.requests;
    mixed += seen.mixed;
    await (await fetch(`${mock.url}/__mock/journal`, { method: "DELETE" })).body?.cancel();
  };
  for (let round = 0; round < rounds; round++) {
    for (const [pace, gap] of [["even", PACE], ["burst", 0]] as const) {
      // A new server each time, as it begins only so many turns in a minute.
      const state = `${folder}/${round}-${pace}`;
      const env = { LLM_BASE_URL: endpoint, LLM_AUTH_TOKEN: "bench", XDG_STATE_HOME: state };
      await using serve = await Server.start(
        {
          ...env,
          LLM_DEFAULT_MODEL: "bench",
          LLM_SMALL_FAST_MODEL: "small",
          LLMCMD_SERVE_TOKEN: TOKEN,
        },
        ...[`${ROOT}cli.ts`, "serve", "--port=0", "--sandbox=none"],
      );
      note(`${pace} serve`, await phase(serve, mock, gap));
      if (pace === "even") {
        const again = await clients(serve.url, chats, PACE, 2, 1);
        note(`second ${pace} serve`, { outcomes: again, memory: NaN, cpu: NaN, mockCpu: NaN });
      }
      await look();
      await using proxy = await Server.start({}, `${ROOT}bench/_bare_proxy.ts`, endpoint);
      note(`${pace} proxy`, await phase(proxy, mock, gap));
      await look();
      await using stream = await Server.start({}, `${ROOT}bench/_bare_stream.ts`);
      note(`${pace} stream`, await phase(stream, mock, gap));
      note(`${pace} endpoint`, await phase(mock, mock, gap, endpoint));
      await look();
    }
  }
  const rows: string[][] = [];
  for (const pace of ["even", "burst"]) {
    for (const server of ["serve", "proxy", "stream", "endpoint"]) {
      const cells = [headers, first].flatMap((times) => {
        const of = (kind: string, part: number) =>
          quantile(times.get(`${pace} ${kind}`) ?? [], part);
        const own = of(server, 0.5);
        const ratios = ["stream", "proxy"].map((kind) => figure(own / of(kind, 0.5)));
        return [figure(own), ...ratios, figure(of(server, 0.95))];
      });
      const costs = [cpu, mockCpu, memory].map((it) =>
        figure(median(it.get(`${pace} ${server}`) ?? []))
      );
      rows.push([`${pace}, ${server}`, ...cells, ...costs]);
    }
  }
  console.info(`${chats} chats at once, ${rounds} rounds in turn. ${machine()}`);
  console.info(
    "Median ms from asking to the response's headers, and to the first byte of the answer's text " +
      `without the ${WORD_DELAY} ms that the endpoint waits before it; times a bare Deno.serve ` +
      "stream that asks no endpoint, and times a bare handler that passes the endpoint's words on; " +
      "95th percentile. Processor ms a chat of the server and of the endpoint behind it; kB a chat.\n",
  );
  const times = ["x stream", "x proxy", "p95"];
  const head = ["", "headers", ...times, "text", ...times, "CPU", "endpoint's", "kB"];
  console.info(markdownTable(head, rows));
  console.info(
    `\n${answers} answers, ${problems.length} of them lost, cut or mixed; ` +
      `${requests} requests to the endpoint, ${mixed} of them about more than one chat`,
  );
  for (const problem of problems.slice(0, 10)) console.error(problem);
  if (problems.length > 0 || mixed > 0) Deno.exitCode = 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}
