import assert from "node:assert/strict";
import { memorySource } from "../../../streams/mod.ts";
import { agree, bytes, randomFrom } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";
import { optional, thorough } from "../../../../tests/_optional.ts";

/** Words of all kinds, in paragraphs of all kinds. */
function prose(seed: number, count: number, breaks: readonly string[]): Uint8Array<ArrayBuffer> {
  const random = randomFrom(seed);
  const pick = (items: readonly string[]): string =>
    items[Math.floor(random() * items.length)] ?? "";
  let text = "";
  for (let i = 0; i < count; i++) {
    const word = "abcdefghijklmnopqrstuvwxyz".slice(0, 1 + Math.floor(random() * random() * 18));
    text += pick(["", "", "", "", "", "(", "'", '"', "["]) + word;
    text += pick(["", "", "", "", "", "", ".", ".", "!", "?)", ",", ";", ".)", "'"]);
    text += pick(breaks);
  }
  return bytes(text);
}

const wide = [" ", " ", " ", " ", " ", " ", "  ", "\n", "   "];
const texts = {
  prose: prose(1, 600, wide),
  paragraphs: prose(2, 400, [...wide, "\n\n", "\n  ", "\n    "]),
  tabs: prose(3, 300, [...wide, "\t", "\n\t", "\n\n\t"]),
  quoted: prose(4, 200, [...wide, "\n> ", "\n> ", "\n>", "\n  > ", "\n\n"]),
  "long paragraph": prose(5, 5000, [" ", " ", " ", " ", "\n"]),
  "long words": bytes(`a ${"x".repeat(200)} b c ${"y".repeat(6000)} d ${"z".repeat(4990)} e f g\n`),
  "many short words": bytes("a b c d ".repeat(1200) + "\n"),
  blank: bytes("\n\n  \n\t\na\n \n"),
  open: bytes("  an open line"),
  "open blank": bytes("x\n   "),
  returns: bytes("a\rb c\r\nd\fe \vf\r\n"),
};

Deno.test("fmt agrees with GNU", async () => {
  const lines = [
    "",
    "-",
    "f",
    "f g",
    "-w 20",
    "-w 40",
    "-w 72",
    "-w 1",
    "-w 0",
    "-w 2500",
    "-30",
    "-30 -u",
    "-c",
    "-c -w 30",
    "-t",
    "-t -w 30",
    "-s",
    "-s -w 25",
    "-u",
    "-u -w 50",
    "-cu -w 33",
    "-tu",
    "-ct -w 28",
    "-st -w 40",
    "-g 30",
    "-g 40 -w 60",
    "-w 60 -g 60",
    "-g 0",
    "-p '> '",
    "-p '>'",
    "-p '  >' -w 30",
    "-p ' '",
    "-p '   ' -w 40",
    "-p ''",
    "-p x",
    "--width=35 --uniform-spacing",
    "--crown-margin --split-only",
    "--tagged-paragraph --goal=50",
    "--prefix='> ' -u -w 44",
  ];
  await agree("fmt", lines, { inputs: texts });
  await agree("fmt", ["", "-w 12", "-s -w 20", "-u -c"]);
});

Deno.test("fmt agrees with GNU on wrong use", async () => {
  await agree("fmt", [
    "-w x",
    "-w 2501",
    "-g 80",
    "-g x",
    "-w 10 -g 20",
    "-5x",
    "-w -1",
    "-c -20",
    "-s20",
    "-20s",
    "f -20",
    "-w 99999999999999999999",
    "missing",
    ".",
    "f missing . g",
    "-g 2501",
    "-t -20",
    "-0",
    "-w",
    "-z",
    "--nosuch",
    "-- f",
  ], { inputs: { text: texts.quoted } });
});

Deno.test("fmt gives its output away as it grows, though an indentation makes it quadratic", async () => {
  const line = bytes("\t".repeat(20_000) + "a b ".repeat(500));
  const stage = new Stage("fmt", ["-c", "-w40"], {
    stdin: memorySource(line),
    warn: assert.fail,
    signal: new AbortController().signal,
  });
  let size = 0;
  let largest = 0;
  for await (const chunk of stage) {
    size += chunk.length;
    largest = Math.max(largest, chunk.length);
  }
  assert.equal(stage.status, 0);
  assert.ok(size > 10_000_000, `only ${size} bytes`);
  assert.ok(largest < 1_000_000, `${largest} bytes in one chunk`);
});

Deno.test(
  optional("fmt agrees with GNU on lines that give much output at once", thorough),
  async () => {
    const words = (times: number): string => "some words, of (different) lengths. ".repeat(times);
    await agree("fmt", ["", "-w 30", "-w 12 -u", "-s", "-w 2500 -g 3"], {
      inputs: {
        "long lines": bytes(`${words(4000)}\n\n${words(5000)}\n  ${words(3000)}\nend\n`),
        "short lines": bytes(`${words(1)}\n`.repeat(9000)),
      },
    });
  },
);
