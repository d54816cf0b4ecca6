/**
 * Compares the coding agent with pi, another one with four tools, as processes on the same mock
 * endpoint and in turn: start-up, an answer, and a turn that writes a file and runs it; time and
 * peak memory. `deno task bench:agent [rounds]`. Needs npm for pi, and GNU time for the memory.
 */
import { parseScenarios } from "../src/mock/mod.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import { bundle, lazyEntry } from "../tools/bundle.ts";
import { codeLines, installPi, type Pi, writePiHome } from "./_pi.ts";
import { figure, machine, markdownTable, median } from "./_report.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const GNU_TIME = "/usr/bin/time";

/** An agent to run. */
interface Contender {
  readonly name: string;
  /** The name of its tool that writes a file, which is also the trigger of its scenario. */
  readonly tool: string;
  readonly command: readonly string[];
  readonly start: readonly string[];
  say(message: string): readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Cost {
  /** Milliseconds of the whole process. */
  wall: number;
  /** Milliseconds of user and system time, children included. */
  cpu: number;
  /** Megabytes of the largest process. */
  peak: number;
}

/** A scenario with three requests: write a file, run a command, answer. */
const work = (tool: string) => ({
  name: tool,
  trigger: `use ${tool}`,
  steps: [
    call(tool, { path: "hello.sh", content: "echo Hello, World!\n" }, "Writing it."),
    call("bash", { command: "sh hello.sh" }, "Running it."),
    { response: { content: "Done: it says Hello." } },
  ],
});

function call(name: string, args: Record<string, string>, content: string) {
  return { response: { content, tool_calls: [{ function: { name, arguments: args } }] } };
}

const SCENARIOS = parseScenarios({
  scenarios: [
    { name: "chat", trigger: "how are you", steps: [{ response: { content: "I am well." } }] },
    work("write_file"),
    work("write"),
  ],
}, "bench");

async function measure(args: readonly string[], { env }: Contender, cwd: string, expected: RegExp) {
  const timed = [GNU_TIME, "-f", "cost %M %U %S", ...args];
  const [program = "", ...rest] = timed;
  const begin = performance.now();
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: rest,
    cwd,
    env: { ...env },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const wall = performance.now() - begin;
  const told = new TextDecoder().decode(stderr);
  const output = new TextDecoder().decode(stdout);
  const cost = /cost (\d+) ([\d.]+) ([\d.]+)\s*$/.exec(told);
  if (code !== 0 || cost === null || !expected.test(output)) {
    throw new Error(`Status ${code}: ${args.join(" ")}\n${output}\n${told}`);
  }
  const [kilobytes = 0, user = 0, system = 0] = cost.slice(1).map(Number);
  return { wall, cpu: 1000 * (user + system), peak: kilobytes / 1024 };
}

/** The jobs of one round. */
const JOBS = [
  {
    name: "start (--help)",
    run: (it: Contender, cwd: string) => measure([...it.command, ...it.start], it, cwd, /[Uu]sage/),
  },
  {
    name: "an answer (1 request)",
    run: (it: Contender, cwd: string) =>
      measure([...it.command, ...it.say("how are you")], it, cwd, /I am well\./),
  },
  {
    name: "write a file, run it (3 requests)",
    async run(it: Contender, cwd: string) {
      const args = [...it.command, ...it.say(`use ${it.tool} now`)];
      const cost = await measure(args, it, cwd, /Done: it says Hello\./);
      const written = await Deno.readTextFile(`${cwd}/hello.sh`);
      if (written !== "echo Hello, World!\n") throw new Error(`${it.name} wrote: ${written}`);
      await Deno.remove(`${cwd}/hello.sh`);
      return cost;
    },
  },
];

async function contenders(folder: string, address: string, pi: Pi | undefined) {
  const home = `${folder}/home`;
  const baseUrl = `http://${address}/v1`;
  await writePiHome(home, baseUrl);
  const env = {
    HOME: home,
    PATH: Deno.env.get("PATH") ?? "",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    // With another home, Deno would begin with an empty cache.
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    LLM_BASE_URL: baseUrl,
    LLM_AUTH_TOKEN: "bench",
  };
  const ours = (name: string, program: string): Contender => ({
    name,
    tool: "write_file",
    command: [Deno.execPath(), "run", "--quiet", "--no-prompt", "--allow-all", program, "agent"],
    start: ["--help"],
    // Pi has no sandbox.
    say: (message) => ["--sandbox=none", "-p", message],
    env,
  });
  const all = [
    ours("llmcmd, bundled", lazyEntry(await bundle(`${ROOT}cli.ts`, `${folder}/llmcmd`))),
    ours("llmcmd, source", `${ROOT}cli.ts`),
  ];
  if (pi === undefined) return all;
  const quiet = ["--offline", "--no-session", "--model", "mock/mock"];
  return [...all, {
    name: pi.name,
    tool: "write",
    command: pi.command,
    start: ["--help"],
    say: (message: string) => [...quiet, "-p", message],
    env,
  }];
}

async function ourLines(): Promise<number> {
  return await linesBelow(`${ROOT}src/agent`) + await linesBelow(`${ROOT}src/coder`);
}

async function linesBelow(folder: string): Promise<number> {
  let lines = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) lines += await linesBelow(path);
    else if (!/_test(ing)?\.ts$/.test(name)) lines += codeLines(await Deno.readTextFile(path));
  }
  return lines;
}

/** The medians of all rounds, and of each round's ratio to the last contender. */
function row(name: string, costs: readonly Cost[], peer: readonly Cost[]): string[] {
  const cells = (["wall", "cpu", "peak"] as const).flatMap((what) => {
    const ratio = median(costs.map((cost, round) => cost[what] / (peer[round]?.[what] ?? NaN)));
    return [figure(median(costs.map((cost) => cost[what]))), figure(ratio)];
  });
  return [name, ...cells];
}

const rounds = Number(Deno.args[0] ?? 15);
const pi = await installPi();
if (pi === undefined) console.info("Without the peer: npm could not install it\n");
const folder = await Deno.makeTempDir({ prefix: "llmcmd-bench-agent-" });
const cwd = `${folder}/work`;
await Deno.mkdir(cwd);
const mock = mockApp({ scenarios: SCENARIOS, strict: true });
const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  (request) => mock.fetch(request),
);
try {
  const all = await contenders(folder, `127.0.0.1:${server.addr.port}`, pi);
  const rows: string[][] = [];
  for (const job of JOBS) {
    const costs: Cost[][] = all.map(() => []);
    for (let round = -2; round < rounds; round++) {
      for (const [index, contender] of all.entries()) {
        const cost = await job.run(contender, cwd);
        if (round >= 0) costs[index]?.push(cost);
      }
    }
    const peer = pi === undefined ? [] : costs.at(-1) ?? [];
    rows.push(
      [job.name, ...Array(6).fill("")],
      ...all.map(({ name }, at) => row(`  ${name}`, costs[at] ?? [], peer)),
    );
  }
  console.info(
    `Whole processes, medians of ${rounds} rounds in turn, ratios to pi. ${machine()}\n`,
  );
  console.info(markdownTable(["", "ms", "x", "CPU ms", "x", "peak MB", "x"], rows));
  console.info(
    `\nLines of code without comments: ${await ourLines()} in src/agent and src/coder` +
      (pi === undefined ? "" : `; ${pi.lines} in pi's own packages, as compiled`),
  );
} finally {
  await server.shutdown();
  await Deno.remove(folder, { recursive: true });
}
