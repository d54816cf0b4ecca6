import assert from "node:assert/strict";
import { readFile, type Vfs, writeFile } from "../vfs/mod.ts";
import { callTool, FakeRunner, onEveryVfs } from "./_testing.ts";
import { coderTools } from "./tools.ts";

/** Bytes, and text as UTF-8. */
type Bytes = readonly (number | string)[];

/**
 * A file and what the tools make of it. Each kind is read, edited and written anew, each time from
 * the same beginning; a string instead of bytes is a part of the error, after which the bytes must
 * be as before.
 */
interface NastyFile {
  bytes: Bytes;
  /** What `read_file` gives, or a part of its error. */
  read: string | RegExp;
  /** `edit_file`: what is replaced by what, and the bytes afterwards. */
  edit: [old: string, made: string, after: Bytes | RegExp];
  /** `write_file`: the content, the bytes afterwards, and what is said besides OK. */
  write: [content: string, after: Bytes | RegExp, told?: string];
}

const LE = (text: string): number[] =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    .flatMap((unit) => [unit & 255, unit >> 8]);
const BE = (text: string): number[] =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    .flatMap((unit) => [unit >> 8, unit & 255]);
const LATIN = "[The file is not UTF-8; it is read, edited and written as windows-1252 (Latin-1)]";
const wideNote = (encoding: string) =>
  `[The file is ${encoding} with a byte order mark, and stays so when it is changed]`;
const kept = (what: string) => `[Written ${what}, as the file was]`;

const FILES: Record<string, NastyFile> = {
  "an empty file": {
    bytes: [],
    read: "[The file is empty]",
    edit: ["a", "b", /does not occur/],
    write: ["a\r\n", ["a\r\n"]],
  },
  "no newline at the end": {
    bytes: ["a\nb"],
    read: "a\nb",
    edit: ["b", "c\nd", ["a\nc\nd"]],
    write: ["x", ["x"]],
  },
  "nothing but newlines": {
    bytes: ["\n\n\n"],
    read: "\n\n\n",
    edit: ["\n\n\n", "\n", ["\n"]],
    write: ["\n", ["\n"]],
  },
  "blanks at the ends of lines": {
    bytes: ["a  \n\tb\t\n"],
    read: "a  \n\tb\t\n",
    edit: ["a  \n", "a\n", ["a\n\tb\t\n"]],
    write: ["a \n", ["a \n"]],
  },
  "CRLF": {
    bytes: ["a\r\nb\r\n"],
    read: "a\r\nb\r\n",
    edit: ["a\nb\n", "x\ny\nz\n", ["x\r\ny\r\nz\r\n"]],
    write: ["x\ny\n", ["x\r\ny\r\n"], kept("with CRLF line ends")],
  },
  "CRLF without one at the end": {
    bytes: ["a\r\nb"],
    read: "a\r\nb",
    edit: ["b", "b\nc", ["a\r\nb\r\nc"]],
    write: ["x\r\ny", ["x\r\ny"]],
  },
  "LF that is edited with CRLF": {
    bytes: ["a\nb\n"],
    read: "a\nb\n",
    edit: ["a\r\nb", "x\r\ny", ["x\ny\n"]],
    write: ["x\r\n", ["x\r\n"], "[The line ends are CRLF now, they were LF]"],
  },
  "mixed line ends, mostly CRLF": {
    bytes: ["a\r\nb\r\nc\nd\r\n"],
    read: "a\r\nb\r\nc\nd\r\n",
    edit: ["b\nc\n", "b\nx\nc\n", ["a\r\nb\r\nx\nc\nd\r\n"]],
    write: [
      "x\ny\n",
      ["x\r\ny\r\n"],
      `${kept("with CRLF line ends")}\n[The line ends are CRLF now, they were mixed]`,
    ],
  },
  "CR alone": {
    bytes: ["a\rb\rc\r"],
    read: "a\rb\rc\r\n[Its lines end in CR alone; write LF, and edits keep that]",
    edit: ["b\nc", "b\nx\nc", ["a\rb\rx\rc\r"]],
    write: ["x\ny\n", ["x\ry\r"], kept("with CR line ends")],
  },
  "CR within lines": {
    bytes: ["10%\r20%\ndone\n"],
    read: "10%\r20%\ndone\n",
    edit: ["20%", "30%", ["10%\r30%\ndone\n"]],
    write: ["a\n", ["a\n"]],
  },
  "UTF-8 with a byte order mark": {
    bytes: ["\ufeff# \u00e4\n"],
    read: "# \u00e4\n",
    edit: ["# ", "## ", ["\ufeff## \u00e4\n"]],
    write: ["# b\n", ["\ufeff# b\n"], kept("with a byte order mark")],
  },
  "a byte order mark and CRLF": {
    bytes: ["\ufeffa\r\nb\r\n"],
    read: "a\r\nb\r\n",
    edit: ["\ufeffa\nb", "\ufeffx\ny", ["\ufeffx\r\ny\r\n"]],
    write: ["a\n", ["\ufeffa\r\n"], kept("with a byte order mark, with CRLF line ends")],
  },
  "only a byte order mark": {
    bytes: ["\ufeff"],
    read: "[The file is empty but for a byte order mark]",
    edit: ["a", "b", /does not occur/],
    write: ["a", ["\ufeffa"], kept("with a byte order mark")],
  },
  "UTF-16LE": {
    bytes: [0xff, 0xfe, ...LE("\u00e4 = 1\r\nb = \u{1f41f}\r\n")],
    read: `\u00e4 = 1\r\nb = \u{1f41f}\r\n\n${wideNote("UTF-16LE")}`,
    edit: ["b = \u{1f41f}\n", "b = 2\nc\n", [0xff, 0xfe, ...LE("\u00e4 = 1\r\nb = 2\r\nc\r\n")]],
    write: [
      "\u20ac\n",
      [0xff, 0xfe, ...LE("\u20ac\r\n")],
      kept("in UTF-16LE, with a byte order mark, with CRLF line ends"),
    ],
  },
  "UTF-16BE": {
    bytes: [0xfe, 0xff, ...BE("a\nb \u0a0a\n")],
    read: `a\nb \u0a0a\n\n${wideNote("UTF-16BE")}`,
    edit: ["a\n", "\u{1f41f}\n", [0xfe, 0xff, ...BE("\u{1f41f}\nb \u0a0a\n")]],
    write: ["x\n", [0xfe, 0xff, ...BE("x\n")], kept("in UTF-16BE, with a byte order mark")],
  },
  "UTF-16 with half a unit": {
    bytes: [0xff, 0xfe, ...LE("a"), 10],
    read: /is binary, not text/,
    edit: ["a", "b", /is binary, not text/],
    write: ["x", ["x"]],
  },
  "UTF-16 without a byte order mark": {
    bytes: LE("ab\n"),
    read: /is binary, not text in UTF-8, windows-1252 or UTF-16 with a byte order mark/,
    edit: ["a", "b", /is binary/],
    write: ["x", ["x"]],
  },
  "UTF-32": {
    bytes: [0xff, 0xfe, 0, 0, 65, 0, 0, 0],
    read: /is binary/,
    edit: ["A", "b", /is binary/],
    write: ["x", ["x"]],
  },
  "Latin-1": {
    bytes: ["na", 0xef, "ve caf", 0xe9, "\n"],
    read: `na\u00efve caf\u00e9\n\n${LATIN}`,
    edit: ["caf\u00e9", "th\u00e9", ["na", 0xef, "ve th", 0xe9, "\n"]],
    write: ["\u00fc\n", [0xfc, "\n"], kept("in windows-1252")],
  },
  "Latin-1 that is to hold what it lacks": {
    bytes: [0xe4, "\n"],
    read: `\u00e4\n\n${LATIN}`,
    edit: ["\u00e4", "a\n\u2192", /\u2192 \(U\+2192\) in line 2 .* not in windows-1252/],
    write: ["\u65e5", /\u65e5 \(U\+65E5\) in line 1 of the new contents is not in .* iconv/],
  },
  "windows-1252 with quotes, a euro and CRLF": {
    bytes: [0x93, "a", 0x94, " ", 0x80, "\r\n"],
    read: `\u201ca\u201d \u20ac\r\n\n${LATIN}`,
    edit: ["\u201ca\u201d", "\u2018b\u2019\n\u2026", [
      0x91,
      "b",
      0x92,
      "\r\n",
      0x85,
      " ",
      0x80,
      "\r\n",
    ]],
    write: ["\u20ac\n", [0x80, "\r\n"], kept("in windows-1252, with CRLF line ends")],
  },
  "UTF-8 with bytes that are not": {
    bytes: ["\u00e4\u00f6\u00fc ", 0xff, 0xc3, "\nb\n"],
    read: "\u00e4\u00f6\u00fc \ufffd\ufffd\nb\n\n[2 of its bytes are not UTF-8: they show as " +
      "\ufffd, and edits leave them alone]",
    edit: ["b", "\u20ac", ["\u00e4\u00f6\u00fc ", 0xff, 0xc3, "\n\u20ac\n"]],
    write: ["\u00e4", ["\u00e4"]],
  },
  "a NUL": {
    bytes: ["a", 0, "b"],
    read: /is binary, .* \(3 bytes\): look at it with bash/,
    edit: ["a", "b", /is binary, .*: change it with bash/],
    write: ["x", ["x"]],
  },
  "a picture": {
    bytes: [0x89, "PNG\r\n", 0x1a, "\n", 0, 0, 0, 13, "IHDR"],
    read: /is binary/,
    edit: ["PNG", "GIF", /is binary/],
    write: ["x\n", ["x\n"]],
  },
  "no-break spaces": {
    bytes: ["x\u00a0= 1\n"],
    read: "x\u00a0= 1\n",
    edit: ["x = 1", "x = 2", /line 1 differs from it only in look-alike .*JSON: "x\\u00a0= 1"/],
    write: ["y\u00a0\n", ["y\u00a0\n"]],
  },
  "letters and accents apart": {
    bytes: ["cafe\u0301\n"],
    read: "cafe\u0301\n",
    edit: ["cafe\u0301", "caf\u00e9", ["caf\u00e9\n"]],
    write: ["cafe\u0301", ["cafe\u0301"]],
  },
  "characters beyond the basic plane": {
    bytes: ["\u{1f468}\u200d\u{1f469}\u200d\u{1f467} family\n"],
    read: "\u{1f468}\u200d\u{1f469}\u200d\u{1f467} family\n",
    edit: ["\u{1f469}", "\ud83d", /half of a surrogate pair, U\+D83D/],
    write: ["a\ud83d", /half of a surrogate pair, U\+D83D, in line 1/],
  },
  "separators that are no line ends": {
    bytes: ["a\u2028b\u0085c\fd\n"],
    read: "a\u2028b\u0085c\fd\n",
    edit: ["b\u0085c", "x", ["a\u2028x\fd\n"]],
    write: ["a\u2028b\n", ["a\u2028b\n"]],
  },
  "escape sequences of a terminal": {
    bytes: ["\u001b[31mred\u001b[0m\b\n"],
    read: "\u001b[31mred\u001b[0m\b\n",
    edit: ["red", "blue", ["\u001b[31mblue\u001b[0m\b\n"]],
    write: ["\u001b", ["\u001b"]],
  },
  "the ends of a DOS file": {
    bytes: ["a\r\nb\r\n", 0x1a],
    read: "a\r\nb\r\n\u001a",
    edit: ["b", "c\nd", ["a\r\nc\r\nd\r\n", 0x1a]],
    write: ["a\n", ["a\r\n"], kept("with CRLF line ends")],
  },
  "what looks like a replacement pattern": {
    bytes: ["a.b $& $1 \\n\n"],
    read: "a.b $& $1 \\n\n",
    edit: ["a.b", "$& $' \\", ["$& $' \\ $& $1 \\n\n"]],
    write: ["$&", ["$&"]],
  },
  "a line of 100,000 characters": {
    bytes: [`${"\u00e4".repeat(50_000)}end\r\nb\r\n`],
    read: `${"\u00e4".repeat(25_000)}\n\n[Line 1 has 100005 bytes, of which 50000 are shown; for ` +
      "the rest use bash: sed -n 1p FILE | cut -b 50001-. Lines 1-1 of 2; to read on, use offset 2]",
    edit: ["end\nb", "x\ny", [`${"\u00e4".repeat(50_000)}x\r\ny\r\n`]],
    write: ["a\nb", ["a\r\nb"], kept("with CRLF line ends")],
  },
};

Deno.test("there are at least 30 nasty files", () => {
  assert.ok(Object.keys(FILES).length >= 30);
});

function bytesOf(parts: Bytes): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part),
  );
}

async function same(vfs: Vfs, bytes: Bytes, what: string): Promise<void> {
  assert.deepEqual([...await readFile(vfs, "f")], [...bytesOf(bytes)], what);
}

onEveryVfs(
  "nasty files are read, edited and written with the bytes that they should have",
  async (vfs) => {
    const tools = coderTools({ vfs, runner: new FakeRunner() });
    for (const [name, { bytes, read, edit, write }] of Object.entries(FILES)) {
      await writeFile(vfs, "f", bytesOf(bytes));
      const shown = await callTool(tools, "read_file", { path: "f" });
      if (typeof read === "string") assert.equal(shown.content, read, `${name}: read`);
      else assert.match(shown.content, read, `${name}: read`);
      assert.equal(shown.error === true, typeof read !== "string", `${name}: read`);
      await same(vfs, bytes, `${name}: read`);
      const calls: [string, object, Bytes | RegExp][] = [
        ["edit_file", { old_string: edit[0], new_string: edit[1] }, edit[2]],
        ["write_file", { content: write[0] }, write[1]],
      ];
      for (const [tool, input, after] of calls) {
        await writeFile(vfs, "f", bytesOf(bytes));
        const { content, error } = await callTool(tools, tool, { path: "f", ...input });
        const where = `${name}: ${tool}`;
        if (after instanceof RegExp) {
          assert.match(content, after, where);
          assert.equal(error, true, where);
          await same(vfs, bytes, where);
        } else {
          assert.equal(error, undefined, `${where}: ${content}`);
          await same(vfs, after, where);
          if (tool !== "write_file") continue;
          assert.equal(content, write[2] === undefined ? "OK" : `OK\n${write[2]}`, where);
        }
      }
    }
  },
);
