import assert from "node:assert/strict";
import { assemble } from "../../tools/simd.ts";
import { withSeed } from "../streams/_testing.ts";
import { KERNEL } from "./_kernel_wasm.ts";
import { blockSize, type Group, GROUPS, LINE_HIT, Needles, TextKernel } from "./mod.ts";

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

/** The expected lines, found with `indexOf`. */
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
      const letters = round < 1000 ? "ab \t\nx" : "a \n\u00e9\u0416\u65e5";
      const text = Array.from({ length: size }, () => letters[below(6)]).join("");
      const tail = ["", "\u0001more", "\u03b1", "\u007f"][round % 4] as string;
      const inWord = round % 3 === 0;
      const block = new TextEncoder().encode(text + tail);
      kernel.load(block, 0, block.length);
      kernel.begin();
      const length = new TextEncoder().encode(text).length;
      assert.equal(kernel.countWords(0, block.length, inWord), length);
      assert.equal(kernel.inner, length - size);
      const words = (text.match(/\S+/g)?.length ?? 0) - (inWord && /^\S/.test(text) ? 1 : 0);
      assert.equal(kernel.words, words, JSON.stringify(text));
      assert.equal(kernel.lines, text.split("\n").length - 1);
      assert.equal(kernel.inWord, size === 0 ? inWord : /\S$/.test(text));
    }
    return Promise.resolve();
  }));

Deno.test("TextKernel.countWords stops in front of what is no whole letter", () => {
  assert.ok(kernel !== undefined);
  const letters = ["\u00e9", "\u65e5"].map((letter) => new TextEncoder().encode(letter));
  for (const letter of letters) {
    for (let before = 0; before < 40; before++) {
      for (let size = 1; size < letter.length; size++) {
        // The letter is cut by the end, by ASCII, or by another letter. Bytes behind the end do not
        // count.
        for (const behind of [[], [97, 98], [0xc3, 0xa9], [0xff]]) {
          const block = new Uint8Array(before + letter.length + 3).fill(97);
          block.set(letter, before);
          kernel.load(block, 0, block.length);
          if (behind.length > 0) {
            kernel.load(Uint8Array.from(behind), 0, behind.length, before + size);
          }
          kernel.begin();
          const end = before + size + behind.length;
          assert.equal(kernel.countWords(0, end, false), before);
          assert.equal(kernel.words, before === 0 ? 0 : 1);
        }
      }
      const stray = new Uint8Array(before + letter.length + 1).fill(0xa9);
      stray.fill(97, 0, before).set(letter, before);
      kernel.load(stray, 0, stray.length);
      kernel.begin();
      assert.equal(kernel.countWords(0, stray.length, false), before + letter.length);
    }
  }
});

Deno.test("TextKernel.reverse puts lines out from the last to the first that begins in the block", () =>
  withSeed((below) => {
    assert.ok(kernel !== undefined);
    for (let round = 0; round < 2000; round++) {
      const separator = [10, 0, 255][round % 3] as number;
      const block = Uint8Array.from(
        { length: 1 + below(round % 5 === 0 ? 300 : 40) },
        () => below(1 + round % 40) === 0 ? separator : 97 + below(26),
      );
      kernel.load(block, 0, block.length);
      const length = kernel.reverse(block.length, separator);
      const wanted: number[] = [];
      let end = block.length;
      for (let at = block.length - 2; at >= 0; at--) {
        if (block[at] !== separator) continue;
        wanted.push(...block.subarray(at + 1, end));
        end = at + 1;
      }
      assert.equal(kernel.resume, end);
      assert.deepEqual([...kernel.output.subarray(0, length)], wanted);
    }
    return Promise.resolve();
  }));

Deno.test("TextKernel.reverse takes a full block", () => {
  assert.ok(kernel !== undefined);
  const block = new Uint8Array(blockSize).fill(10);
  block[1] = 120;
  kernel.load(block, 0, blockSize);
  assert.equal(kernel.reverse(blockSize, 10), blockSize - 1);
  assert.equal(kernel.resume, 1);
  assert.deepEqual([...kernel.output.subarray(blockSize - 4, blockSize - 1)], [10, 120, 10]);
});

Deno.test("TextKernel.groups puts a group out when the next one begins, and goes on", () =>
  withSeed((below) => {
    assert.ok(kernel !== undefined);
    for (let round = 0; round < 1000; round++) {
      const kinds = 1 + below(3);
      const stem = "x".repeat(below(40));
      const lines = Array.from(
        { length: 1 + below(60) },
        () => `${stem}${"y".repeat(below(kinds))}\n`,
      );
      const block = new TextEncoder().encode(lines.join(""));
      const how = below(8);
      const first = lines[0] as string;
      kernel.load(block, 0, block.length);
      const group: Group = { start: 0, end: first.length - 1, count: 1 + 10 ** below(9) };
      let count = group.count;
      let wanted = "";
      for (let i = 1; i < lines.length; i++) {
        if (lines[i] === lines[i - 1]) {
          count++;
          continue;
        }
        const number = (how & GROUPS.counted) !== 0 ? `${String(count).padStart(7)} ` : "";
        const is = (count === 1 ? GROUPS.single : GROUPS.repeated) & how;
        wanted += is === 0 ? "" : number + lines[i - 1];
        count = 1;
      }
      const length = kernel.groups(group, first.length, block.length, 10, how);
      assert.equal(new TextDecoder().decode(kernel.output.slice(0, length)), wanted);
      assert.equal(kernel.resume, block.length);
      assert.equal(group.count, count);
      assert.equal(
        new TextDecoder().decode(block.subarray(group.start, group.end + 1)),
        lines.at(-1),
      );
    }
    return Promise.resolve();
  }));

Deno.test("TextKernel.groups stops where its output is full, and goes on from there", () => {
  assert.ok(kernel !== undefined);
  const block = new TextEncoder().encode("\na\n".repeat(20_000));
  kernel.load(block, 0, block.length);
  const group: Group = { start: 0, end: 0, count: 1 };
  let text = "";
  for (let from = 1; from < block.length; from = kernel.resume) {
    const length = kernel.groups(group, from, block.length, 10, 7);
    assert.ok(length > 1000);
    text += new TextDecoder().decode(kernel.output.slice(0, length));
  }
  assert.equal(text, "      1 \n      1 a\n".repeat(20_000).slice(0, -10));
});
