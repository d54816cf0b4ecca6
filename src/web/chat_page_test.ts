import assert from "node:assert/strict";
import { encodeSse } from "../streams/mod.ts";
import { chatPage } from "./chat_page.ts";
import { testSeed } from "../streams/_testing.ts";

type Node = string | [tag: string, attributes: Record<string, string>, ...children: Node[]];
interface Pure {
  sseParser(): (text: string) => { event: string; data: string; id: string }[];
  markdown(text: string): Node[];
}

/** The part of the page that needs no page. */
async function pure(): Promise<Pure> {
  const { html } = await chatPage();
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1] ?? assert.fail();
  return new Function(`${script}\nreturn { sseParser, markdown };`)();
}

Deno.test("the page reads server-sent events across all borders of chunks and characters", async () => {
  const { sseParser } = await pure();
  const events = [
    { event: "text", id: "1", data: "a \u{1f41f}\n\nb: c" },
    { event: "message", id: "2", data: " x" },
    { event: "done", id: "2", data: "{}" },
  ];
  const texts = [
    encodeSse({ event: "text", id: 1, data: "a \u{1f41f}\n\nb: c" }),
    ": a comment\n\n",
    "id: 2\ndata:  x\n\n",
    "event:done\ndata:{}\n\n",
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    // A lone CR at the very end could be half of a line's end: it waits for more.
    const text = texts.join("").replaceAll("\n", end) + (end === "\r" ? ":" : "");
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 7, 1000]) {
      const parse = sseParser();
      const decoder = new TextDecoder();
      const seen: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        seen.push(...parse(decoder.decode(bytes.subarray(at, at + size), { stream: true })));
      }
      assert.deepEqual(seen, events, JSON.stringify({ end, size }));
    }
  }
});

Deno.test("the page reads Markdown as a tree of known tags, and markup stays text", async () => {
  const { markdown } = await pure();
  assert.deepEqual(markdown("# Hi *there* #\n\nOne\ntwo **three `four`**.\n---"), [
    ["h2", {}, "Hi ", ["em", {}, "there"]],
    ["p", {}, "One\ntwo ", ["strong", {}, "three ", ["code", {}, "four"]], ".\n---"],
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
    ["table", {}, [
      "tbody",
      {},
      ["tr", {}, ["th", {}, "a"], ["th", {}, "b"]],
      ["tr", {}, ["td", {}, "1"], ["td", {}, "2"]],
    ]],
  ]);
  assert.deepEqual(markdown("<img src=x onerror=alert(1)> [x](javascript:alert(1)) snake_case_x"), [
    ["p", {}, "<img src=x onerror=alert(1)> [x](javascript:alert(1)) snake_case_x"],
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

Deno.test("the page's Markdown ends on any text, in a time that grows with its length", async () => {
  const { markdown } = await pure();
  const seed = testSeed();
  let state = seed;
  const random = (n: number) => (state = (state * 1103515245 + 12345) % 2 ** 31) % n;
  const pieces = ["*", "**", "_", "`", "```", "\n", "\n\n", "[", "](", ")", "- ", "1. ", "> ", "|"];
  pieces.push("#", " ", "a", "https://", "~~", "\t", "  ", "---");
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
