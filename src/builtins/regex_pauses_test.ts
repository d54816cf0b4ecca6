import assert from "node:assert/strict";
import { type BuiltinIo, Stage } from "./mod.ts";
import { memorySource } from "../streams/mod.ts";

/** A line of letters in irregular order. */
function letters(length: number): Uint8Array<ArrayBuffer> {
  let state = 12345;
  return Uint8Array.from({ length }, () => {
    state = Math.imul(state, 1103515245) + 12345 & 0x7fffffff;
    return 97 + (state >> 16 & 1);
  });
}

function stageOf(
  argv: readonly string[],
  input: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Stage {
  const io: BuiltinIo = { stdin: memorySource(input), signal, warn: () => {} };
  return new Stage(argv[0] ?? "", argv.slice(1), io);
}

async function outputOf(stage: Stage): Promise<string> {
  let out = "";
  const decoder = new TextDecoder();
  for await (const chunk of stage) out += decoder.decode(chunk, { stream: true });
  return out;
}

const hard = "(a|b)*a[ab]{20000}c";
const referring = "(.*)(.*)(.*)\\3\\2\\1x?$";

// Patterns that need minutes of work, or reach the step limit, on one line.
for (
  const argv of [
    ["grep", "-cE", hard],
    ["grep", "-oE", `${hard}?`],
    ["grep", "-oP", hard],
    ["grep", "-vE", referring],
    ["sed", "-E", `s/${hard}//`],
    ["sed", "-nE", `/${hard}/p`],
    ["sed", "-E", `s/(${hard}?)/\\1/g`],
    ["sed", "-E", `s/${referring}/\\1/`],
  ]
) {
  Deno.test(`${argv.join(" ")} lets the event loop turn within one line`, async () => {
    const controller = new AbortController();
    const stage = stageOf(argv, letters(50_000), controller.signal);
    let turns = 0;
    const timer = setInterval(() => {
      if (++turns === 5) controller.abort(new Error("enough"));
    }, 0);
    try {
      await assert.rejects(outputOf(stage), /enough/);
    } finally {
      clearInterval(timer);
    }
    assert.ok(turns >= 5);
  });
}

// Long lines with matches, which take several turns of the event loop.
for (
  const [argv, expected] of [
    [["grep", "-o", "aa*"], (line: string) => line.match(/a+/g)?.join("\n") + "\n"],
    [["grep", "-oP", "b+?"], (line: string) => line.match(/b/g)?.join("\n") + "\n"],
    [["grep", "-n", "--color=always", "ab"], (line: string) => {
      const number = "\x1b[32m\x1b[K1\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K";
      return number + line.replaceAll("ab", "\x1b[01;31m\x1b[Kab\x1b[m\x1b[K") + "\n";
    }],
    [["sed", "s/ab*/<&>/g"], (line: string) => line.replaceAll(/ab*/g, "<$&>")],
    [["sed", "-E", "s/(a)(b*)/\\2\\1/2g"], (line: string) => {
      let count = 0;
      return line.replaceAll(/(a)(b*)/g, (all, a, b) => ++count < 2 ? all : `${b}${a}`);
    }],
    [["sed", "-E", "s/(.)\\1/<\\1>/g;s/$/!/"], (line: string) => {
      return `${line.replaceAll(/(.)\1/g, "<$1>")}!`;
    }],
  ] as const
) {
  Deno.test(`${argv.join(" ")} finds all in a line that takes several turns`, async () => {
    const line = letters(1_000_000);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const out = await outputOf(stageOf(argv, line, new AbortController().signal));
    clearInterval(timer);
    // Not compared with assert.equal, which would print the whole line.
    assert.ok(out === expected(new TextDecoder().decode(line)), "another output");
    assert.ok(turns > 1, `${turns} turns`);
  });
}
