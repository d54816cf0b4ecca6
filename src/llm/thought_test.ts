import assert from "node:assert/strict";
import { DeltaAccumulator } from "./accumulator.ts";
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

Deno.test("withoutThought leaves out what stands before the end of a block that a template opened", () => {
  const cases: [text: string, said: string][] = [
    ["Hm.\n</think>\n\nFour", "Four"],
    ["Hm.\n\nSo. </think>\n\nFour\n", "Four\n"],
    ["</think>\nFour", "Four"],
    ["Hm.\n</think>", ""],
    ["Hm.\n</think>\na\n</think>\nb", "a\n</think>\nb"],
    ["Hm.\r\n</think>\r\n\r\nFour", "Four"],
    ["So 4.</think>\n\nFour", "Four"],
    ["```\n1\n```\nSo.\n</think>\n\nFour", "Four"],
    ...[
      "The mark </think> ends it.\n",
      "It ends its thought with </think>\n\nThen it answers.",
      "It ends its thought with `</think>`\n\nThen it answers.",
      "It ends so:\n\n```\n</think>\n```\n\nThen it answers.",
      '<root>\n<think id="1">\nx\n</think>\n</root>\n',
    ].map((text): [string, string] => [text, text]),
    ["It ends with </think>\nas others do.", "It ends with </think>\nas others do."],
    ["as in\n<think>\nHm\n</think>\nFour", "as in\n<think>\nHm\n</think>\nFour"],
    ["<think>Hm\n</think>\na\n</think>\nb", "a\n</think>\nb"],
  ];
  for (const [text, said] of cases) {
    assert.equal(withoutThought(text), said);
    const answer = new DeltaAccumulator();
    const splitter = new ThoughtSplitter();
    for (const piece of [...splitter.add(text), ...splitter.end()]) answer.add(piece);
    assert.equal(answer.text, said);
    assert.equal(answer.message().content, text);
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
