import assert from "node:assert/strict";
import { assemble } from "../../tools/simd.ts";
import { withSeed } from "../streams/_testing.ts";
import { KERNEL } from "./_kernel_wasm.ts";
import { blockSize, LINE_HIT, Needles, TextKernel } from "./mod.ts";

const kernel = TextKernel.shared;

function needle(text: string, fold = false) {
  const bytes = new TextEncoder().encode(text);
  const masks = bytes.map((byte) => fold && byte >= 97 && byte <= 122 ? 0x20 : 0);
  return { bytes, masks };
}

const flat = () => 0;

function lines(needles: Needles, block: Uint8Array, separator = 10): number[][] {
  assert.ok(kernel !== undefined);
  kernel.load(block, 0, block.length);
  const found: number[][] = [];
  for (let from = 0; from < block.length;) {
    const count = kernel.select(needles, from, block.length, separator);
    for (let i = 0; i < count; i++) {
      found.push([...kernel.hits.subarray(i * LINE_HIT, (i + 1) * LINE_HIT)]);
    }
    from = kernel.resume;
  }
  return found;
}

/** The same, the plain way. */
function expected(texts: readonly string[], fold: boolean, block: Uint8Array): number[][] {
  let text = Array.from(block, (byte) => String.fromCharCode(byte)).join("");
  if (fold) text = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const found: number[][] = [];
  let start = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const places = texts.map((each) => line.indexOf(each)).filter((place) => place >= 0);
    if (places.length > 0) found.push([start, start + line.length, start + Math.min(...places)]);
    start += line.length;
  }
  return found;
}

Deno.test("the kernel is what kernel.wat says", async () => {
  const text = await Deno.readTextFile(new URL("kernel.wat", import.meta.url));
  const made = await assemble(text);
  assert.equal(
    /`\n([^`]*)\n`/.exec(made)?.[1],
    KERNEL.trim(),
    "Run `deno task simd`",
  );
});

Deno.test("TextKernel.select finds what indexOf finds, in random texts", () =>
  withSeed((below) => {
    const alphabet = "abAB \n\u00ff";
    for (let round = 0; round < 2000; round++) {
      const size = below(round % 50 === 0 ? 5000 : 120);
      const block = Uint8Array.from(
        { length: size },
        () => alphabet.charCodeAt(below(alphabet.length)),
      );
      const fold = below(2) === 0;
      const texts = Array.from({ length: 1 + below(4) }, () => {
        let text = "";
        for (let length = 1 + below(below(10) === 0 ? 20 : 3); length > 0; length--) {
          text += "ab "[below(3)];
        }
        return text;
      });
      const needles = new Needles(texts.map((text) => needle(text, fold)), () => below(1000));
      assert.deepEqual(lines(needles, block), expected(texts, fold, block));
    }
    return Promise.resolve();
  }));

Deno.test("TextKernel.select goes on where its list was full, and takes a full block", () => {
  const block = new Uint8Array(blockSize);
  for (let i = 0; i < block.length; i += 2) block.set([120, 10], i);
  const found = lines(new Needles([needle("x")], flat), block);
  assert.equal(found.length, blockSize / 2);
  assert.deepEqual(found.at(-1), [blockSize - 2, blockSize, blockSize - 2]);
});

Deno.test("TextKernel.select sees nothing of the block before", () => {
  const needles = new Needles([needle("needle")], flat);
  assert.equal(lines(needles, new TextEncoder().encode("a needle")).length, 1);
  assert.equal(lines(needles, new TextEncoder().encode("a need")).length, 0);
});

Deno.test("TextKernel.select takes other separators", () => {
  const found = lines(new Needles([needle("b")], flat), Uint8Array.of(97, 0, 98, 10, 98, 0, 99), 0);
  assert.deepEqual(found, [[2, 6, 2]]);
});

Deno.test("Needles refuses none, too many, empty and long ones", () => {
  const of = (texts: string[]) => () => new Needles(texts.map((text) => needle(text)), flat);
  assert.throws(of([]), /1 to 4 needles, not 0/);
  assert.throws(of(["a", "b", "c", "d", "e"]), /1 to 4 needles, not 5/);
  assert.throws(of([""]), /1 to 64 bytes, not 0/);
  assert.throws(of(["x".repeat(65)]), /1 to 64 bytes, not 65/);
});

Deno.test("TextKernel.countWords counts words and newlines up to what is not text", () =>
  withSeed((below) => {
    assert.ok(kernel !== undefined);
    for (let round = 0; round < 2000; round++) {
      const size = below(70);
      const text = Array.from({ length: size }, () => "ab \t\nx"[below(6)]).join("");
      const tail = ["", "\u0001more", "\u00e9", "\u007f"][round % 4] as string;
      const inWord = round % 3 === 0;
      const block = new TextEncoder().encode(text + tail);
      kernel.load(block, 0, block.length);
      kernel.begin();
      assert.equal(kernel.countWords(0, block.length, inWord), size);
      const words = (text.match(/\S+/g)?.length ?? 0) - (inWord && /^\S/.test(text) ? 1 : 0);
      assert.equal(kernel.words, words, JSON.stringify(text));
      assert.equal(kernel.lines, text.split("\n").length - 1);
      assert.equal(kernel.inWord, size === 0 ? inWord : /\S$/.test(text));
    }
    return Promise.resolve();
  }));
