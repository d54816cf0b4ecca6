import assert from "node:assert/strict";
import { type ThoughtPiece, ThoughtSplitter, withoutThought } from "./thought.ts";

/** What is thought and what is said of a text that comes in pieces of `size` characters. */
function split(text: string, size: number): { thought: string; said: string } {
  const splitter = new ThoughtSplitter();
  const pieces: ThoughtPiece[] = [];
  for (let at = 0; at < text.length; at += size) {
    pieces.push(...splitter.add(text.slice(at, at + size)));
  }
  pieces.push(...splitter.end());
  assert.equal(pieces.map(({ content }) => content).join(""), text);
  const of = (type: string) =>
    pieces.filter((piece) => piece.type === type).map(({ content }) => content).join("");
  return { thought: of("thought"), said: of("text") };
}

Deno.test("ThoughtSplitter tells thought from text, however the text is cut into pieces", () => {
  const cases: [text: string, thought: string, said: string][] = [
    ["<think>a</think>b", "<think>a</think>", "b"],
    [
      "\n <think>\na < b\n</think>\n\nc </think> d",
      "\n <think>\na < b\n</think>\n\n",
      "c </think> d",
    ],
    ["<think></think>\n", "<think></think>\n", ""],
    ["<think>never closed </thin", "<think>never closed </thin", ""],
    ["<think>a</think>\n<think>b</think> c", "<think>a</think>\n<think>b</think> ", "c"],
    ["<think>a</think> <thi", "<think>a</think> ", "<thi"],
    ["Hi <think>a</think>", "", "Hi <think>a</think>"],
    ["<thinking>a</thinking>", "", "<thinking>a</thinking>"],
    ["  <thi", "", "  <thi"],
    ["  x", "", "  x"],
    ["", "", ""],
  ];
  for (const [text, thought, said] of cases) {
    for (let size = 1; size <= Math.max(1, text.length); size++) {
      assert.deepEqual(split(text, size), { thought, said }, `${JSON.stringify(text)} by ${size}`);
    }
    assert.equal(withoutThought(text), said);
  }
});

Deno.test("ThoughtSplitter gives text and thought as they come, and holds back only what is open", () => {
  const splitter = new ThoughtSplitter();
  assert.deepEqual(splitter.add("<thi"), []);
  assert.deepEqual(splitter.add("nk>Let me"), [{ type: "thought", content: "<think" }]);
  assert.deepEqual(splitter.add(" think.</think>\n"), [
    { type: "thought", content: ">Let me think.</think>" },
    { type: "thought", content: "\n" },
  ]);
  assert.deepEqual(splitter.add("\nSo"), [
    { type: "thought", content: "\n" },
    { type: "text", content: "So" },
  ]);
  assert.deepEqual(splitter.add(" <think>"), [{ type: "text", content: " <think>" }]);
  assert.deepEqual(splitter.end(), []);
});
