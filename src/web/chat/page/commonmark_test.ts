/** Holds the page's Markdown against the examples of CommonMark's specification, as trees. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import specification from "commonmark-spec";
import { markdown } from "./markdown.js";

interface Example {
  readonly markdown: string;
  readonly html: string;
  readonly section: string;
  readonly number: number;
}

const { tests }: { tests: readonly Example[] } = specification;

/** Sections on what the page does otherwise: HTML stays text, a picture is a link to it. */
const OTHER_SECTIONS: ReadonlySet<string> = new Set(["HTML blocks", "Raw HTML", "Images"]);

/** Numbers of examples in other sections that have HTML in the text. */
const WITH_HTML = [14, 21, 31, 201, 308, 309, 344, 476, 477, 491, 494, 524, 536, 642, 643];
/** Bare addresses are links here, as people expect of a chat. */
const BARE_ADDRESSES = [602, 608, 611];

type Tree = string | [tag: string, attributes: Record<string, string>, ...children: Tree[]];

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

function decoded(text: string): string {
  return text.replace(/&(lt|gt|amp|quot);/g, (_, name: string) => ENTITIES[name] ?? "");
}

/** The specification's HTML as a tree. */
function parseHtml(html: string): Tree[] {
  const open: [string, Record<string, string>, ...Tree[]][] = [["", {}]];
  for (
    const [whole, end, tag, attributes, empty] of html.matchAll(
      /<(\/?)(\w+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|[^<]+/g,
    )
  ) {
    const parent = open.at(-1);
    if (parent === undefined) throw new Error(html);
    if (tag === undefined) parent.push(decoded(whole));
    else if (end === "/") {
      const ended = open.pop();
      const above = open.at(-1);
      if (ended === undefined || above === undefined) throw new Error(html);
      above.push(ended);
    } else {
      const pairs = [...(attributes ?? "").matchAll(/([\w-]+)="([^"]*)"/g)]
        .map(([, name = "", value = ""]) => [name, decoded(value)]);
      const made: [string, Record<string, string>] = [tag, Object.fromEntries(pairs)];
      if (empty === "/") parent.push(made);
      else open.push(made);
    }
  }
  const [, , ...children] = open[0] ?? ["", {}];
  return children;
}

const BLOCKS = new Set(["p", "ul", "ol", "li", "blockquote", "hr", "code-block", "pre"]);
const isBlock = (node: Tree | undefined) =>
  node === undefined ||
  (typeof node !== "string" && (BLOCKS.has(node[0]) || /^h\d$/.test(node[0])));

/** A tree in one form: code blocks as the page has them, no blanks beside blocks, text in one. */
function settled(nodes: readonly Tree[]): Tree[] {
  const joined: Tree[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (typeof node === "string" && typeof last === "string") {
      joined[joined.length - 1] = last + node;
    } else joined.push(node);
  }
  return joined.map((node, i) => {
    if (typeof node !== "string") return settledElement(node);
    let text = node;
    if (isBlock(joined[i - 1]) || joined[i - 1]?.[0] === "br") text = text.replace(/^\n/, "");
    if (isBlock(joined[i + 1])) text = text.replace(/\n$/, "");
    return text;
  }).filter((node) => node !== "");
}

function settledElement([tag, attributes, ...children]: Exclude<Tree, string>): Tree {
  const [code] = children;
  if (tag === "pre" && Array.isArray(code) && code[0] === "code") {
    const language = (code[1]["class"] ?? "").replace(/^language-/, "");
    return ["code-block", { language }, code.slice(2).join("").replace(/\n$/, "")];
  }
  if (tag === "code-block") return [tag, attributes, children.join("")];
  return [tag, attributes, ...settled(children)];
}

Deno.test("markdown reads the examples of CommonMark as the specification does", () => {
  const examples = tests.filter(({ section, html }) =>
    !OTHER_SECTIONS.has(section) && !html.includes("<img")
  );
  assert.ok(examples.length > 560, String(examples.length));
  const wrong = examples.filter(({ markdown: source, html }) => {
    const expected = settled(parseHtml(html.replaceAll("\u2192", "\t")));
    const blocks = markdown(source.replaceAll("\u2192", "\t"));
    return !isDeepStrictEqual(settled(blocks.map(({ element }) => element)), expected);
  });
  assert.deepEqual(
    wrong.map(({ number }) => number),
    [...WITH_HTML, ...BARE_ADDRESSES].sort((a, b) => a - b),
  );
});
