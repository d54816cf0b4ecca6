import assert from "node:assert/strict";
import { z } from "zod";
import type { ChatDelta } from "../llm/mod.ts";
import { defineTool, lazyTool, Registry, type Tool } from "../tool/mod.ts";
import { answers, call, done, exit, play, ScriptedClient, type Step } from "./_fixtures_test.ts";

/** A tool that writes down what it is given, and is done when its arguments are closed. */
function recorder(log: string[]): Tool<{ text: string }> {
  const tool = defineTool({
    name: "note",
    description: "Notes a text",
    input: z.strictObject({ text: z.string() }),
    execute: ({ text }) => `whole ${text}`,
  });
  return {
    ...tool,
    executeCut: () => Promise.resolve({ content: "cut, not begun" }),
    begin() {
      let arrived = "";
      return {
        push(piece) {
          arrived += piece;
          log.push(piece);
          return piece.includes("FAIL") ? Promise.reject(new Error("Full")) : Promise.resolve();
        },
        get done() {
          return arrived.endsWith("}");
        },
        execute: ({ text }) => Promise.resolve({ content: `begun ${text}` }),
        executeCut: ({ text }) => Promise.resolve({ content: `cut ${text}` }),
        refuse: (problem) => ({ content: `${problem}, after ${arrived.length}`, error: true }),
      };
    },
  };
}

const piece = (index: number, args: string, name?: string): ChatDelta => ({
  type: "tool_call",
  index,
  arguments: args,
  ...(name === undefined ? {} : { name, id: `id${index}` }),
});

/** Plays one answer, then `exit`; gives what the tool got and the answers to the calls. */
async function answer(...steps: Step[]) {
  const log: string[] = [];
  const end = steps.some((it) => typeof it === "object" && "type" in it && it.type === "finish");
  const client = new ScriptedClient(
    end ? steps : [...steps, done("tool_calls")],
    [call("exit", "{}"), done("tool_calls")],
  );
  const tools = new Registry([recorder(log), exit]);
  const { result, types } = await play(client, { tools, maxTokens: 9 });
  return { log, result, types, answers: answers(result.messages) };
}

Deno.test("runAgent gives a tool with begin its arguments as they arrive, in place of execute", async () => {
  const { log, answers } = await answer(
    piece(0, "", "note"),
    piece(0, '{"text":'),
    piece(0, '"a"}'),
  );
  assert.deepEqual(log, ['{"text":', '"a"}']);
  assert.equal(answers[0], "id0: begun a");
});

Deno.test("runAgent begins the next call of a message once those before it are done", async () => {
  const { log, answers } = await answer(
    piece(0, '{"text":"a"}', "note"),
    piece(1, '{"text":', "note"),
    piece(1, '"b"}'),
    piece(2, '{"text":"c"', "note"),
    piece(3, '{"text":"d"}', "note"),
    piece(2, "}"),
    piece(4, '{"text":"e"}', "note"),
  );
  assert.deepEqual(log, ['{"text":"a"}', '{"text":', '"b"}', '{"text":"c"', "}"]);
  assert.deepEqual(answers.slice(0, 5), [
    "id0: begun a",
    "id1: begun b",
    "id2: begun c",
    "id3: whole d",
    "id4: whole e",
  ]);
});

Deno.test("runAgent begins no call behind one that cannot begin", async () => {
  const { log, answers } = await answer(piece(0, "{}", "exit"), piece(1, '{"text":"a"}', "note"));
  assert.deepEqual(log, []);
  assert.deepEqual(answers[1], "id1: Not run: exit ended the run");
});

Deno.test("runAgent lets a call that began tell of wrong and malformed arguments", async () => {
  const wrong = await answer(piece(0, '{"text":1}', "note"));
  assert.match(wrong.answers[0] ?? "", /^id0: note: text: .*, after 10$/);
  const malformed = await answer(piece(0, '{"text', "note"));
  assert.match(malformed.answers[0] ?? "", /^id0: note: arguments are not JSON: .*, after 6$/);
});

Deno.test("runAgent lets a call that began end where it was cut", async () => {
  const { answers } = await answer(piece(0, '{"text":"a', "note"), done("length"));
  assert.equal(answers[0], "id0: cut a");
});

Deno.test("runAgent ends when a call that has begun cannot go on, and reads no further", async () => {
  const log: string[] = [];
  let read = false;
  const client = new ScriptedClient([piece(0, '{"text":"FAIL', "note"), () => read = true]);
  const { result, types } = await play(client, { tools: new Registry([recorder(log)]) });
  assert.deepEqual([result.reason, result.error?.message], ["error", "Full"]);
  assert.deepEqual([read, client.cancelled], [false, 1]);
  assert.deepEqual(types, ["run_start", "turn_start", "error", "run_end"]);
});

Deno.test("runAgent loads a lazy tool before it begins; one that cannot be loaded tells when it runs", async () => {
  const log: string[] = [];
  const inner = recorder(log);
  const lazy = lazyTool(inner.spec, () => Promise.resolve(inner));
  const broken = lazyTool<{ text: string }>(
    { ...inner.spec, name: "broken" },
    () => Promise.reject(new Error("No such module")),
  );
  const client = new ScriptedClient(
    [piece(0, '{"text":"a"}', "note"), done("tool_calls")],
    [piece(0, '{"text":"a"}', "broken"), done("tool_calls")],
    [call("exit", "{}"), done("tool_calls")],
  );
  const { result } = await play(client, { tools: new Registry([lazy, broken, exit]) });
  assert.deepEqual(log, ['{"text":"a"}']);
  assert.deepEqual(answers(result.messages).slice(0, 2), [
    "id0: begun a",
    "id0: broken: No such module",
  ]);
});
