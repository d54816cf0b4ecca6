import assert from "node:assert/strict";
import { withSeed } from "../streams/_testing.ts";
import { Ends } from "./ends.ts";
import { compileRegex } from "./mod.ts";
import { parsePattern } from "./posix/parse.ts";
import { Program } from "./program.ts";
import { symbolsOf } from "./utf8.ts";

const encoder = new TextEncoder();

function programOf(pattern: string): Program {
  const { tree } = parsePattern(symbolsOf(encoder.encode(pattern)), {
    extended: true,
    dialect: "grep",
    ignoreCase: false,
    multiline: false,
  });
  return new Program(tree, "glibc");
}

const patterns = [
  "a(.*b)?",
  "a|a.*b",
  "(a|b)(..)*c|a|b",
  "(.{7})*x|.",
  "a[ab]*\\bc|[ab]",
  "(a|\u00e9)(.*\u00e9$)?",
  "a(b.{0,40}c)?|b",
  "\\<a.*\\>|.",
];

Deno.test("Ends finds with notes what it finds without", () =>
  withSeed((random) => {
    for (const pattern of patterns) {
      const program = programOf(pattern);
      for (const letters of ["ab", "aaaab c", "ab\u00e9", "abcx "]) {
        let text = "";
        while (text.length < 1000) text += letters[random(letters.length)];
        const bytes = encoder.encode(text);
        const noting = new Ends(program);
        for (let from = 0; from <= bytes.length; from++) {
          if (((bytes[from] ?? 0) & 0xc0) === 0x80) continue;
          assert.equal(
            noting.longest(bytes, 0, bytes.length, from),
            new Ends(program).longest(bytes, 0, bytes.length, from),
            `${pattern} from ${from} in ${JSON.stringify(text)}`,
          );
        }
      }
    }
    return Promise.resolve();
  }));

// Without notes each of these takes minutes.
for (const pattern of ["a(.*b)?", "a*b|a", "a(..)*b|a", "(.{5})*b|a"]) {
  Deno.test(`all matches of ${pattern} are found in a long line`, () => {
    const line = new Uint8Array(200_000).fill(97);
    const regex = compileRegex(pattern, { syntax: "extended" });
    let count = 0;
    let match = regex.find(line, 0, line.length);
    for (; match !== null; match = regex.find(line, 0, line.length, match[1])) count++;
    assert.equal(count, line.length);
  });
}
