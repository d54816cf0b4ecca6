import assert from "node:assert/strict";
import { Stage } from "../builtins/mod.ts";
import { splitWords } from "../llmcmd/mod.ts";
import { type ByteSource, MemorySink, memorySource } from "../streams/mod.ts";
import { requestOf, user } from "./_testing.ts";
import {
  Mock,
  parseScenarios,
  parseScenarioText,
  type Scenario,
  type ScenarioFile,
} from "./mod.ts";
import agents from "../../scenarios/agents.json" with { type: "json" };
import examples from "../../scenarios/examples.json" with { type: "json" };
import faults from "../../scenarios/faults.json" with { type: "json" };
import page from "../../docs/mock.md" with { type: "text" };
import spec from "../../scenarios/spec.json" with { type: "json" };

/** Which scenario of a file answers an instruction, with these files open from fd 3. */
function answering(file: ScenarioFile, instruction: string, files = 0): string | undefined {
  const fds = Array.from({ length: files }, (_, index) => `- fd ${3 + index}: f (1 bytes)`);
  const system = { role: "system", content: ["- fd 0: stdin", ...fds].join("\n") };
  return new Mock({ scenarios: file }).respond(requestOf([system, user(instruction)])).scenario;
}

/** The `cmd` of the first pipe of a scenario. */
function commandOf(file: ScenarioFile, name: string): string {
  const scenario = file.scenarios.find((it) => it.name === name);
  for (const { response } of scenario?.steps ?? []) {
    for (const call of response?.tool_calls ?? []) {
      if (!("function" in call)) continue;
      const { name: tool, arguments: args } = call.function;
      if (tool === "pipe" && typeof args !== "string" && typeof args["cmd"] === "string") {
        return args["cmd"];
      }
    }
  }
  throw new Error(`No pipe in ${name}`);
}

/** What the builtins make of it. */
async function runBuiltins(command: string, input: string): Promise<string> {
  let source: ByteSource = memorySource(input);
  for (const [name = "", ...args] of splitWords(command)) {
    source = new Stage(name, args, {
      stdin: source,
      signal: new AbortController().signal,
      warn: (message) => assert.fail(message),
      open: (path) => Promise.reject(new Error(`There is no ${path}`)),
      create: (path) => Promise.reject(new Error(`Cannot write ${path}`)),
    });
  }
  const out = new MemorySink();
  for await (const chunk of source) await out.write(chunk);
  return out.text();
}

Deno.test("scenarios: the files fit the schema", () => {
  for (
    const [file, name] of [
      [spec, "spec"],
      [agents, "agents"],
      [examples, "examples"],
      [faults, "faults"],
    ] as const
  ) {
    assert.ok(parseScenarios(file, name).scenarios.length > 1);
  }
});

Deno.test("scenarios: the examples of docs/mock.md fit the schema", () => {
  const [file = "", response = ""] = [...page.matchAll(/^```json\n([^]*?)^```/mg)]
    .map(([, block]) => block);
  assert.equal(parseScenarioText(file, "mock.md").scenarios[0]?.name, "count");
  const steps = [{ response: JSON.parse(response) }];
  assert.ok(parseScenarios({ scenarios: [{ name: "x", trigger: "", steps }] }, "mock.md"));
});

Deno.test("scenarios: the instructions of the examples find their scenario", () => {
  const file = parseScenarios(examples, "examples.json");
  for (
    const [instruction, files, name] of [
      ["Count the error lines", 1, "count-errors"],
      ["count the error lines", 0, "count-errors-stdin"],
      ["Merge these files", 2, "merge-two"],
      ["Merge these files", 3, "merge-three"],
      ["Convert the log to JSON", 1, "log-to-json"],
      ["Convert the log to JSON", 0, "log-to-json-stdin"],
      ["Convert text file to JSON format", 1, "text-to-json"],
      ["Convert input to uppercase", 0, "uppercase-stdin"],
      ["Convert input to uppercase", 1, "uppercase"],
      ["Same as cat", 2, "same-as-cat"],
      ["Filter and count lines containing 'error'", 1, "filter-and-count"],
      ["Analyze CSV file and output statistics", 1, "csv-statistics"],
      [
        "\u30a8\u30e9\u30fc\u884c\u3092\u6570\u3048\u3066\u304f\u3060\u3055\u3044",
        1,
        "japanese-count",
      ],
      [
        "\u30a8\u30e9\u30fc\u306e\u884c\u3060\u3051\u3092\u629c\u304d\u51fa\u3057\u3066",
        1,
        "japanese-filter",
      ],
      ["\u81ea\u5df1\u7d39\u4ecb\u3057\u3066", 0, "japanese-answer"],
      ["Translate this", 1, undefined],
    ] as const
  ) {
    assert.equal(answering(file, instruction, files), name, instruction);
  }
});

Deno.test("scenarios: each scenario is the first to answer its own trigger", () => {
  const files = [spec, examples, faults].map((file) => parseScenarios(file, "f"));
  const later = new Set([
    "merge-two",
    "japanese-count-stdin",
    "refuse-temperature",
    "refuse-nothing",
  ]);
  const plain = files.flatMap(({ scenarios }) => scenarios)
    .filter((it): it is Scenario & { trigger: string } => it.trigger !== undefined);
  const all = { scenarios: files.flatMap(({ scenarios }) => scenarios) };
  for (const { name, trigger, match } of plain) {
    if (later.has(name) || match !== undefined) continue;
    assert.equal(answering(all, trigger, 1), name);
  }
  assert.equal(new Set(all.scenarios.map(({ name }) => name)).size, all.scenarios.length);
});

Deno.test("scenarios: the commands of the examples make JSON of text and of logs", async () => {
  const file = parseScenarios(examples, "examples.json");
  const lines = ['say "hi"', "back\\slash", "tab\there", "", "\u65e5\u672c\u8a9e & more"];
  for (const input of [lines.join("\n"), lines.join("\r\n") + "\r\n", "one"]) {
    const json = await runBuiltins(commandOf(file, "text-to-json"), input);
    assert.deepEqual(JSON.parse(json), input.replace(/\r?\n$/, "").split(/\r?\n/));
  }
  const log = '2026-01-02T03:04:05Z ERROR disk "sda" full\n2026-01-02T03:04:06Z INFO ok\n';
  assert.deepEqual(JSON.parse(await runBuiltins(commandOf(file, "log-to-json"), log)), [
    { time: "2026-01-02T03:04:05Z", level: "ERROR", message: 'disk "sda" full' },
    { time: "2026-01-02T03:04:06Z", level: "INFO", message: "ok" },
  ]);
});
