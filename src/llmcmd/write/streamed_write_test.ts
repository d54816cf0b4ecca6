import assert from "node:assert/strict";
import { seededRandom, testSeed } from "../../streams/_testing.ts";
import type { BegunCall, ToolResult } from "../../tool/mod.ts";
import { type Answer, ToolBench } from "../_testing.ts";
import type { WriteInput } from "./write_data.ts";
import { writeTool } from "./write_tool.ts";

const decode = ({ content }: ToolResult): Answer => JSON.parse(content);

/** A `write` that has begun, and the end of it as the agent's loop brings it about. */
function begin({ state, controller }: ToolBench) {
  const tool = writeTool(state);
  const context = { signal: controller.signal, callId: "call_1" };
  const call: BegunCall<WriteInput> = tool.begin?.(context) ?? assert.fail("It cannot begin");
  return {
    call,
    cut: async (input: Record<string, unknown>): Promise<Answer> =>
      decode(await call.executeCut(input, { ...context, maxTokens: 9 })),
    finish: async (input: unknown): Promise<Answer> => {
      const parsed = tool.parse(input);
      return decode(
        parsed.ok ? await call.execute(parsed.input, context) : call.refuse(parsed.error),
      );
    },
  };
}

Deno.test("write with fd 1 before data writes them as they arrive, and not again at its end", async () => {
  await using bench = new ToolBench();
  const { call, finish } = begin(bench);
  await call.push('{"fd": 1, "da');
  await call.push('ta": "one\\');
  assert.equal(bench.out.text(), "one");
  await call.push("ntwo \\ud83d");
  assert.equal(bench.out.text(), "one\ntwo ");
  await call.push("\\ude00");
  assert.equal(bench.out.text(), "one\ntwo \u{1f600}");
  assert.equal(call.done, false);
  await call.push('!"}');
  assert.equal(call.done, true);
  const result = await finish({ fd: 1, data: "one\ntwo \u{1f600}!" });
  assert.deepEqual(result, { success: true, size: 13, error: null });
  assert.equal(bench.out.text(), "one\ntwo \u{1f600}!");
});

Deno.test("write without fd before data writes them once it is sure that none follows", async () => {
  await using bench = new ToolBench();
  const { call, finish } = begin(bench);
  await call.push('{"data": "one\\n"');
  assert.equal(bench.out.text(), "");
  await call.push(', "eof": false}');
  assert.deepEqual([bench.out.text(), call.done], ["one\n", true]);
  const result = await finish({ data: "one\n", eof: false });
  assert.deepEqual(result, { success: true, size: 4, error: null });
  assert.equal(bench.out.text(), "one\n");
});

Deno.test("write to a pipe, or with arguments that are wrapped, waits for its turn", async () => {
  await using bench = new ToolBench();
  await bench.pipe({ cmd: "cat" });
  for (
    const text of [
      '{"fd": 3, "data": "x"}',
      '{"data": "x", "fd": 3}',
      '{"arguments": {"fd": 1, "data": "x"}}',
      '"{\\"fd\\": 1, \\"data\\": \\"x\\"}"',
      '{"fd": 10, "data": "x"}',
      '{"eof": true}',
      '{"fd": 1}',
      '{"text": "x"}',
      '[{"fd": 1, "data": "x"}]',
      "no JSON",
    ]
  ) {
    const { call } = begin(bench);
    await call.push(text);
    assert.deepEqual([bench.out.text(), call.done], ["", false], text);
  }
});

Deno.test("write that turns out to be invalid says what has flowed, and does not count as done", async () => {
  await using bench = new ToolBench();
  const wrong = begin(bench);
  await wrong.call.push('{"fd": 1, "data": "h\u00e9", "text": "x"}');
  assert.equal(wrong.call.done, false);
  const unknown = await wrong.finish({ fd: 1, data: "h\u00e9", text: "x" });
  assert.deepEqual([unknown.success, unknown.size], [false, 3]);
  assert.match(unknown.error, /"text".*; 3 bytes of its data were written to fd 1 before/);

  const broken = begin(bench);
  await broken.call.push('{"fd": 1, "data": "ab\n');
  const malformed = decode(broken.call.refuse("write: arguments are not JSON"));
  assert.equal(malformed.size, 2);
  assert.match(malformed.error, /^write: arguments are not JSON; 2 bytes/);

  const twice = begin(bench);
  await twice.call.push('{"fd": 1, "data": "cd", "data": "ef"}');
  assert.equal(twice.call.done, false);
  const other = await twice.finish({ fd: 1, data: "ef" });
  assert.deepEqual([other.success, other.size], [false, 2]);
  assert.match(other.error, /fd or data were given twice; 2 bytes/);

  assert.equal(bench.out.text(), "h\u00e9abcd");
  const { kind } = await bench.state.ending.attempt({ by: "exit", code: 0 });
  assert.equal(kind, "refused");
});

Deno.test("write that is invalid before anything flowed is refused as ever", async () => {
  await using bench = new ToolBench();
  const { call } = begin(bench);
  await call.push('{"fd": "x"}');
  assert.deepEqual(decode(call.refuse("No")), { success: false, size: 0, error: "No" });
});

Deno.test("write that is cut counts what flowed, writes what did not, and tells where it ends", async () => {
  await using bench = new ToolBench();
  const flowing = begin(bench);
  await flowing.call.push('{"fd": 1, "data": "one\\ntw');
  const cut = await flowing.cut({ fd: 1, data: "one\ntw" });
  assert.deepEqual([cut.success, cut.size], [false, 6]);
  assert.match(cut.error, /6 bytes were written to fd 1, ending in "one\\ntw"/);

  const waiting = begin(bench);
  await waiting.call.push('{"data": "o\\nthree\\ud83d');
  const late = await waiting.cut({ data: "o\nthree" });
  assert.equal(late.size, 7);
  assert.equal(bench.out.text(), "one\ntwo\nthree");
});

Deno.test("write that flows stops at the output limit, which ends the run", async () => {
  await using bench = new ToolBench({}, { outputBytes: 4 });
  const { call } = begin(bench);
  await call.push('{"fd": 1, "data": "abc');
  await assert.rejects(call.push("def"), { name: "LimitError", limit: "outputBytes" });
  assert.equal(bench.out.text(), "abcd");
  assert.equal(bench.state.failure?.name, "LimitError");
});

Deno.test("write that flows waits for a slow output, and ends with the signal", async () => {
  const sink = { write: () => new Promise<void>(() => {}), close: () => Promise.resolve() };
  await using bench = new ToolBench({ sink });
  const { call } = begin(bench);
  const pushing = call.push('{"fd": 1, "data": "abc');
  bench.controller.abort(new Error("Stop"));
  await assert.rejects(pushing, { message: "Stop" });
  assert.equal(bench.state.failure, undefined);
});

Deno.test("write makes the same output however its arguments are cut into pieces", async () => {
  const seed = testSeed();
  const below = seededRandom(seed);
  const LETTERS = ["a", "\u00e9", "\u{1f600}", "\ud83d", '"', "\\", "\n", "}", '","fd":4,"'];
  const EOF = [{}, { eof: true }, { eof: false }];
  for (let run = 0; run < 100; run++) {
    await using bench = new ToolBench();
    const data = Array.from({ length: below(40) }, () => LETTERS[below(LETTERS.length)]).join("");
    const input = { ...(below(2) === 0 ? {} : { fd: 1 }), data, ...EOF[below(EOF.length)] };
    const entries = Object.entries(input).sort(() => below(3) - 1);
    const text = JSON.stringify(Object.fromEntries(entries), null, below(3));
    const { call, finish } = begin(bench);
    for (let at = 0; at < text.length;) {
      const next = at + 1 + below(6);
      await call.push(text.slice(at, next));
      at = next;
    }
    const size = new TextEncoder().encode(data).length;
    const why = `seed ${seed}: ${text}`;
    assert.deepEqual(await finish(input), { success: true, size, error: null }, why);
    assert.equal(bench.out.text(), data.toWellFormed(), why);
    assert.equal(call.done, true, why);
  }
});
