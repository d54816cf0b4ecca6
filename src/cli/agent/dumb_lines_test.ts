import assert from "node:assert/strict";
import { dumbLines } from "./dumb_lines.ts";

const QUESTION = {
  text: "Really?",
  answers: [
    { key: "y", label: "yes", answer: "yes" },
    { key: "n", label: "no", answer: "no" },
  ],
  otherwise: "no",
} as const;

/** Lines that come one at a time, and the output. */
function scripted(...script: (string | undefined)[]) {
  let out = "";
  const write = (text: string) => {
    out += text;
    return Promise.resolve();
  };
  const late = Promise.withResolvers<string>();
  const lines = dumbLines((before) => ({
    async next() {
      await before();
      return script.length === 0 ? await late.promise : script.shift();
    },
    close: () => Promise.resolve(),
  }), write);
  return { lines, late, out: () => out };
}

Deno.test("dumbLines asks for each line, with an empty line between", async () => {
  const { lines, out } = scripted("one", "two", undefined);
  assert.deepEqual([await lines.next(), await lines.next(), await lines.next()], [
    "one",
    "two",
    undefined,
  ]);
  assert.equal(out(), "You: \nYou: \nYou: \n");
});

Deno.test("dumbLines asks a question until a line answers it, and keeps other lines", async () => {
  const { lines, out } = scripted("for later", "", "Y", "last");
  assert.equal(await lines.ask?.(QUESTION, new AbortController().signal), "yes");
  assert.equal(out(), "\nReally?\n  [y] yes\n  [n] no\n? ? ? ");
  assert.equal(await lines.next(), "for later");
  assert.equal(await lines.next(), "last");
});

Deno.test("dumbLines answers no when a question is withdrawn or the input ends, and loses no line", async () => {
  const { lines, late } = scripted();
  const stop = new AbortController();
  const answer = lines.ask?.(QUESTION, stop.signal);
  stop.abort();
  assert.equal(await answer, "no");
  late.resolve("typed then");
  assert.equal(await lines.next(), "typed then");
  const ended = scripted(undefined);
  assert.equal(await ended.lines.ask?.(QUESTION, new AbortController().signal), "no");
});
