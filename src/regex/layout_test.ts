import assert from "node:assert/strict";
import { withSeed } from "../streams/_testing.ts";
import { CompiledRegex } from "./compiled.ts";
import { Layout } from "./layout.ts";
import { Pace } from "./pace.ts";
import { parsePattern } from "./posix/parse.ts";
import { Program } from "./program.ts";
import { compileRegex } from "./compile.ts";
import { symbolsOf } from "./utf8.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function parse(pattern: string) {
  return parsePattern(symbolsOf(encode(pattern)), {
    extended: true,
    dialect: "grep",
    ignoreCase: false,
    multiline: false,
    plainAnchors: false,
    strayParenthesis: false,
  });
}

/** The registers of a match from 10 to 30, if the layout determines them. */
function registers(pattern: string): number[] | undefined {
  const { tree, groups } = parse(pattern);
  const layout = Layout.of(tree, groups);
  if (layout === undefined) return undefined;
  const out = new Int32Array(2 * groups + 2);
  layout.fill(10, 30, out);
  return [...out];
}

Deno.test("Layout knows the sub-expressions that stand at a fixed distance from an end", () => {
  const table: readonly [string, number[] | undefined][] = [
    ["user=u([0-9]+)", [10, 30, 16, 30]],
    ["(.*)", [10, 30, 10, 30]],
    ["^(a)(b*)$", [10, 30, 10, 11, 11, 30]],
    ["(x+);\u00e9", [10, 30, 10, 27]],
    ["\u00e9([^;]*);(..)", undefined],
    ["\u00e9([^;]*);([a-z]{3})", [10, 30, 12, 26, 27, 30]],
    ["a((b)c*(d))e", [10, 30, 11, 29, 11, 12, 28, 29]],
    ["(a|bc)(d)", [10, 30, 10, 29, 29, 30]],
    ["()x*", [10, 30, 10, 10]],
    ["x*()", [10, 30, 30, 30]],
    ["x*(\\b)(y)", [10, 30, 29, 29, 29, 30]],
    // Several parts have no fixed length, or a group is repeated or in an alternative.
    ["(a*)(b*)", undefined],
    ["a*(b)c*", undefined],
    ["(a)*", undefined],
    ["(a){2}", undefined],
    ["(a)|b", undefined],
    ["(a)\\1", undefined],
    ["(.)x", [10, 30, 10, 29]],
    ["x", undefined],
  ];
  for (const [pattern, expected] of table) assert.deepEqual(registers(pattern), expected, pattern);
});

Deno.test("sub-expressions by a layout are those of the walk through the match", () =>
  withSeed((below) => {
    const pieces = [
      "a",
      "b",
      "(a)",
      "(b|a)",
      "(a*)",
      "b+",
      "()",
      "(ab)",
      "((a)b)",
      "[ab]",
      "(a?b)",
    ];
    let laidOut = 0;
    for (let round = 0; round < 400; round++) {
      const pattern = Array.from({ length: 1 + below(4) }, () => pieces[below(pieces.length)]).join(
        "",
      );
      const { tree, groups } = parse(pattern);
      if (Layout.of(tree, groups) === undefined) continue;
      laidOut++;
      const fast = compileRegex(pattern, { syntax: "extended" });
      const slow = new CompiledRegex(
        new Program(tree, "glibc", new Pace()),
        groups,
        false,
        [],
        0,
        [],
      );
      for (let i = 0; i < 10; i++) {
        const text = encode(Array.from({ length: below(12) }, () => "abc"[below(3)]).join(""));
        assert.deepEqual(
          [...fast.exec(text, 0, text.length) ?? []],
          [...slow.exec(text, 0, text.length) ?? []],
          pattern,
        );
      }
    }
    assert.ok(laidOut > 100);
    return Promise.resolve();
  }));
