import assert from "node:assert/strict";
import { testSeed } from "../../../streams/_testing.ts";
import { markdown as blocksOf, type MarkdownElement } from "./markdown.js";

const markdown = (text: string): MarkdownElement[] => blocksOf(text).map(({ element }) => element);

Deno.test("markdown reads a text as a tree of known tags, and markup stays text", () => {
  assert.deepEqual(markdown("# Hi *there* #\n\nOne\ntwo **three `four`**.\n---"), [
    ["h1", {}, "Hi ", ["em", {}, "there"]],
    ["h2", {}, "One\ntwo ", ["strong", {}, "three ", ["code", {}, "four"]], "."],
  ]);
  assert.deepEqual(markdown("```js\na\n\n  b < c\n```\nafter"), [
    ["code-block", { language: "js" }, "a\n\n  b < c"],
    ["p", {}, "after"],
  ]);
  assert.deepEqual(markdown("```\nnot yet closed"), [
    ["code-block", { language: "" }, "not yet closed"],
  ]);
  assert.deepEqual(markdown("3. a\n   - b\n4. c\n\n> quote"), [
    ["ol", { start: "3" }, ["li", {}, "a", ["ul", {}, ["li", {}, "b"]]], ["li", {}, "c"]],
    ["blockquote", {}, ["p", {}, "quote"]],
  ]);
  assert.deepEqual(markdown("| a | b |\n|---|:-:|\n| 1 | 2 |"), [
    ["table", {}, ["thead", {}, [
      "tr",
      {},
      ["th", {}, "a"],
      ["th", { class: "align-center" }, "b"],
    ]], ["tbody", {}, [
      "tr",
      {},
      ["td", {}, "1"],
      ["td", { class: "align-center" }, "2"],
    ]]],
  ]);
  assert.deepEqual(markdown("<img src=x onerror=alert(1)> [x](javascript:alert(1)) snake_case_x"), [
    ["p", {}, "<img src=x onerror=alert(1)> [x](javascript:alert(1)) snake_case_x"],
  ]);
  assert.deepEqual(markdown("1. a:\n\n   ```py\n   if x:\n       y()\n   ```\n\nafter"), [
    ["ol", {}, ["li", {}, ["p", {}, "a:"], ["code-block", { language: "py" }, "if x:\n    y()"]]],
    ["p", {}, "after"],
  ]);
  assert.deepEqual(markdown("- [ ] to do\n- [x] **done**\n- [y] no"), [
    [
      "ul",
      {},
      ["li", { class: "task" }, ["input", { type: "checkbox", disabled: "" }], " to do"],
      [
        "li",
        { class: "task" },
        ["input", { type: "checkbox", disabled: "", checked: "" }],
        " ",
        ["strong", {}, "done"],
      ],
      ["li", {}, "[y] no"],
    ],
  ]);
  assert.deepEqual(markdown("a<br>b \\| \\* ![a cat](https://c.example/d.png)"), [
    [
      "p",
      {},
      "a",
      ["br", {}],
      "b | * ",
      ["a", { href: "https://c.example/d.png" }, "a cat"],
    ],
  ]);
  assert.deepEqual(markdown("See https://a.example/b, [c](https://d.example)"), [
    [
      "p",
      {},
      "See ",
      ["a", { href: "https://a.example/b" }, "https://a.example/b"],
      ", ",
      ["a", { href: "https://d.example" }, "c"],
    ],
  ]);
});

Deno.test("markdown ends on any text, in a time that grows with its length", () => {
  const seed = testSeed();
  let state = seed;
  const random = (n: number) => (state = (state * 1103515245 + 12345) % 2 ** 31) % n;
  const pieces = ["*", "**", "_", "`", "```", "\n", "\n\n", "[", "](", ")", "- ", "1. ", "> ", "|"];
  pieces.push("#", " ", "a", "https://", "~~", "\t", "  ", "---", "\u2028", "\r");
  for (let round = 0; round < 2000; round++) {
    let text = "";
    for (let n = random(40); n > 0; n--) text += pieces[random(pieces.length)];
    try {
      markdown(text);
    } catch (error) {
      assert.fail(`seed ${seed}: ${JSON.stringify(text)}: ${error}`);
    }
  }
  for (const piece of pieces) markdown(piece.repeat(3000));
});

Deno.test("markdown reads items and headings that have a separator of lines in them", () => {
  assert.deepEqual(markdown("- a\u2028b\n- c"), [
    ["ul", {}, ["li", {}, "a\u2028b"], ["li", {}, "c"]],
  ]);
  assert.deepEqual(markdown("# a\u2028b"), [["h1", {}, "a\u2028b"]]);
});

Deno.test("markdown gives the line that each block begins in, and blocks before the last stay", () => {
  const text = "# a\n\n- b\n\n  c\n\n```\nd\n\ne\n```\n| f |\n|---|\n| g |\n\nh *i*\nj\n";
  const whole = blocksOf(text);
  assert.deepEqual(whole.map(({ line }) => line), [0, 2, 6, 11, 15]);
  for (let length = 0; length <= text.length; length++) {
    const blocks = blocksOf(text.slice(0, length));
    assert.deepEqual(blocks.slice(0, -1), whole.slice(0, Math.max(0, blocks.length - 1)));
  }
});
