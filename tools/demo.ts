/**
 * Shows the main job on the built-in mock LLM, without a key: three `llmcmd` runs on a generated
 * log, each compared byte for byte with the same pipeline of the system's own tools. If those are
 * missing, it is compared with their recorded answers in `demo_answers.json` (written by `deno task
 * demo --record`). Run by `deno task demo`; exits with 1 if they differ.
 */
import { createHash } from "node:crypto";
import $ from "dax";
import { findProgram } from "./find_program.ts";
import answers from "./demo_answers.json" with { type: "json" };
import { parseScenarios } from "../src/mock/mod.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import scenarios from "../scenarios/demo.json" with { type: "json" };

interface Job {
  instructions: string;
  inputs: string[];
  /** The same work for `sh`, on the same files, and the programs that it needs. */
  pipeline: string;
  programs: string[];
  /** Checks the visible result, in case both answers are equal but wrong. */
  expect: (output: string) => boolean;
}

const JOBS: Job[] = [
  {
    instructions: "How many requests failed?",
    inputs: ["web-1.log"],
    pipeline: `grep -E ' (4|5)[0-9]{2} ' web-1.log | wc -l`,
    programs: ["grep", "wc"],
    expect: (output) => /^[1-9][0-9]*\n$/.test(output),
  },
  {
    instructions: "Merge these logs",
    inputs: ["web-1.log", "web-2.log"],
    pipeline: `cat web-1.log web-2.log`,
    programs: ["cat"],
    expect: (output) => output.split("\n").length === 15_001,
  },
  {
    instructions: "Convert the slow requests to JSON",
    inputs: ["web-2.log"],
    pipeline: `grep -E ' [0-9]{4,}ms$' web-2.log | sed -E ` +
      `-e 's/^([^ ]+) ([A-Z]+) ([^ ]+) ([0-9]+) ([0-9]+)ms$/  {"time": "\\1", "method": "\\2", "path": "\\3", "status": \\4, "ms": \\5}/' ` +
      `-e '1s/^/[\\n/' -e '$!s/$/,/' -e '$s/$/\\n]/'`,
    programs: ["grep", "sed"],
    expect: (output) => JSON.parse(output).every((entry: { ms: number }) => entry.ms >= 1000),
  },
];

/** Makes a web server's log of `count` lines, the same for the same seed. */
function makeLog(count: number, seed: number): string {
  let state = seed;
  const next = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
  const paths = ["/", "/login", "/api/items", "/api/items/42", "/caf\u00e9", "/\u65e5\u672c"];
  const statuses = [200, 200, 200, 200, 201, 304, 404, 500, 503];
  let log = "";
  for (let line = 0; line < count; line++) {
    const time = new Date(Date.UTC(2026, 0, 1) + line * 1700 + next(1000)).toISOString();
    const method = next(5) === 0 ? "POST" : "GET";
    const milliseconds = next(100) === 0 ? 1000 + next(9000) : 1 + next(400);
    log += `${time} ${method} ${paths[next(paths.length)]} ${
      statuses[next(statuses.length)]
    } ${milliseconds}ms\n`;
  }
  return log;
}

/** The start and the end of a long output. */
function excerpt(output: string): string {
  const lines = output.trimEnd().split("\n");
  if (lines.length <= 8) return lines.join("\n");
  return [...lines.slice(0, 4), `... (${lines.length - 6} more lines)`, ...lines.slice(-2)]
    .join("\n");
}

/** The output of a pipeline: enough to compare it, and an excerpt for people. */
interface Answer {
  bytes: number;
  sha256: string;
  excerpt: string;
}

function answerOf(output: string, bytes: Uint8Array): Answer {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { bytes: bytes.length, sha256, excerpt: excerpt(output) };
}

const RECORDED: Readonly<Record<string, Answer>> = answers;

/** The answer that the command's is compared with, and its source. */
interface Expected {
  answer: Answer | undefined;
  source: string;
  recorded: boolean;
}

/** The answer of the system's tools, or their recorded one if some are missing. */
async function expectedOf({ pipeline, programs }: Job, folder: string): Promise<Expected> {
  const absent = programs.filter((program) => findProgram(program) === undefined);
  if (absent.length > 0) {
    return {
      answer: RECORDED[pipeline],
      source: `recorded of GNU's tools (no ${absent.join(", no ")} here)`,
      recorded: true,
    };
  }
  const { code, stdout, stdoutBytes } = await $`sh -c ${pipeline}`.cwd(folder)
    .env({ LC_ALL: "C.UTF-8" }).stdout("piped").noThrow();
  return {
    answer: code === 0 ? answerOf(stdout, stdoutBytes) : undefined,
    source: "the system's own",
    recorded: false,
  };
}

const CLI = new URL("../cli.ts", import.meta.url);
const folder = await Deno.makeTempDir({ prefix: "llmcmd-demo-" });
const app = mockApp({ scenarios: parseScenarios(scenarios, "scenarios/demo.json"), strict: true });
const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  (request) => app.fetch(request),
);
const record = Deno.args.includes("--record");
const live: Record<string, Answer> = {};
let different = 0;
let recorded = 0;
try {
  // An empty configuration: the demo must not depend on the user's own.
  await Deno.writeTextFile(`${folder}/config`, "");
  await Deno.writeTextFile(`${folder}/web-1.log`, makeLog(10_000, 1));
  await Deno.writeTextFile(`${folder}/web-2.log`, makeLog(5_000, 2));
  for (const job of JOBS) {
    const { instructions, inputs, pipeline, expect } = job;
    const ours =
      await $`${Deno.execPath()} run --quiet --no-prompt --allow-read=. --allow-net=127.0.0.1:${server.addr.port} --allow-env ${CLI} --config config ${instructions} ${inputs}`
        .cwd(folder)
        .env({
          OPENAI_API_KEY: "demo",
          OPENAI_BASE_URL: `http://127.0.0.1:${server.addr.port}/v1`,
        })
        .stdout("piped").noThrow();
    const { answer, ...from } = await expectedOf(job, folder);
    console.info(`$ llmcmd "${instructions}" ${inputs.join(" ")}`);
    console.info(excerpt(ours.stdout));
    const { bytes, sha256 } = answerOf(ours.stdout, ours.stdoutBytes);
    const same = ours.code === 0 && sha256 === answer?.sha256 && expect(ours.stdout);
    if (!same) different++;
    console.info(
      same
        ? `= the same ${bytes} bytes as ${from.source}: ${pipeline}\n`
        : `DIFFERENT (status ${ours.code}) from ${from.source}: ${pipeline}\n` +
          `${answer?.excerpt ?? "(no answer)"}\n`,
    );
    if (from.recorded) recorded++;
    else if (answer !== undefined) live[pipeline] = answer;
  }
} finally {
  await server.shutdown();
  await Deno.remove(folder, { recursive: true });
}
if (record) {
  if (recorded > 0) throw new Error("Cannot record: some of the tools are not here");
  const path = new URL("./demo_answers.json", import.meta.url);
  await Deno.writeTextFile(path, JSON.stringify(live, null, 2) + "\n");
}
const stale = Object.entries(live).filter(([pipeline, { sha256 }]) =>
  sha256 !== RECORDED[pipeline]?.sha256
);
if (stale.length > 0 && !record) {
  console.info("tools/demo_answers.json is out of date: deno task demo --record writes it");
  different++;
}
const compared = recorded === 0
  ? "the system's own tools"
  : recorded === JOBS.length
  ? "recorded answers of GNU's tools"
  : `the system's own tools (${JOBS.length - recorded}) and recorded answers (${recorded})`;
console.info(
  different === 0
    ? `${JOBS.length} of ${JOBS.length} jobs gave the same bytes as ${compared}`
    : `${different} of ${JOBS.length} jobs differ from ${compared}`,
);
Deno.exit(different === 0 ? 0 : 1);
