/**
 * The main job, shown on the built-in mock LLM, without a key: three `llmcmd` runs on a log file
 * made here, each compared byte for byte with the same pipeline in the system's own tools. Run by
 * `deno task demo`; exits 1 when they differ.
 */
import $ from "dax";
import { parseScenarios } from "../src/mock/mod.ts";
import { mockApp } from "../src/web/mod.ts";
import scenarios from "../scenarios/demo.json" with { type: "json" };

interface Job {
  instructions: string;
  inputs: string[];
  /** The same work for `sh`, on the same files. */
  pipeline: string;
  /** Checks what a person would look at. Guards against two answers that are equal but wrong. */
  expect: (output: string) => boolean;
}

const JOBS: Job[] = [
  {
    instructions: "How many requests failed?",
    inputs: ["web-1.log"],
    pipeline: `grep -E ' (4|5)[0-9]{2} ' web-1.log | wc -l`,
    expect: (output) => /^[1-9][0-9]*\n$/.test(output),
  },
  {
    instructions: "Merge these logs",
    inputs: ["web-1.log", "web-2.log"],
    pipeline: `cat web-1.log web-2.log`,
    expect: (output) => output.split("\n").length === 15_001,
  },
  {
    instructions: "Convert the slow requests to JSON",
    inputs: ["web-2.log"],
    pipeline: `grep -E ' [0-9]{4,}ms$' web-2.log | sed -E ` +
      `-e 's/^([^ ]+) ([A-Z]+) ([^ ]+) ([0-9]+) ([0-9]+)ms$/  {"time": "\\1", "method": "\\2", "path": "\\3", "status": \\4, "ms": \\5}/' ` +
      `-e '1s/^/[\\n/' -e '$!s/$/,/' -e '$s/$/\\n]/'`,
    expect: (output) => JSON.parse(output).every((entry: { ms: number }) => entry.ms >= 1000),
  },
];

/** A web server's log: the same lines every time, `count` of them, from a small generator. */
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

/** The start and the end of an output too long to print whole. */
function excerpt(output: string): string {
  const lines = output.trimEnd().split("\n");
  if (lines.length <= 8) return lines.join("\n");
  return [...lines.slice(0, 4), `... (${lines.length - 6} more lines)`, ...lines.slice(-2)]
    .join("\n");
}

const CLI = new URL("../cli.ts", import.meta.url);
const folder = await Deno.makeTempDir({ prefix: "llmcmd-demo-" });
const app = mockApp({ scenarios: parseScenarios(scenarios, "scenarios/demo.json"), strict: true });
const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  (request) => app.fetch(request),
);
let different = 0;
try {
  // An empty configuration, so that the demo does not depend on the user's own.
  await Deno.writeTextFile(`${folder}/config`, "");
  await Deno.writeTextFile(`${folder}/web-1.log`, makeLog(10_000, 1));
  await Deno.writeTextFile(`${folder}/web-2.log`, makeLog(5_000, 2));
  for (const { instructions, inputs, pipeline, expect } of JOBS) {
    const ours =
      await $`${Deno.execPath()} run --quiet --no-prompt --allow-read=. --allow-net=127.0.0.1:${server.addr.port} --allow-env ${CLI} --config config ${instructions} ${inputs}`
        .cwd(folder)
        .env({
          OPENAI_API_KEY: "demo",
          OPENAI_BASE_URL: `http://127.0.0.1:${server.addr.port}/v1`,
        })
        .stdout("piped").noThrow();
    const gnu = await $`sh -c ${pipeline}`.cwd(folder).env({ LC_ALL: "C.UTF-8" })
      .stdout("piped").noThrow();
    console.info(`$ llmcmd "${instructions}" ${inputs.join(" ")}`);
    console.info(excerpt(ours.stdout));
    const same = ours.code === 0 && gnu.code === 0 && ours.stdout === gnu.stdout &&
      expect(ours.stdout);
    if (!same) different++;
    console.info(
      same
        ? `= the same ${ours.stdoutBytes.length} bytes as: ${pipeline}\n`
        : `DIFFERENT (status ${ours.code}) from: ${pipeline}\n${excerpt(gnu.stdout)}\n`,
    );
  }
} finally {
  await server.shutdown();
  await Deno.remove(folder, { recursive: true });
}
console.info(
  different === 0
    ? `${JOBS.length} of ${JOBS.length} jobs gave the same bytes as the system's own tools`
    : `${different} of ${JOBS.length} jobs differ`,
);
Deno.exit(different === 0 ? 0 : 1);
