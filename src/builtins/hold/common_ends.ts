import type { Chunk } from "../../streams/mod.ts";
import { countNewlines } from "../text/mod.ts";
import { blocksOf, readBlock } from "./held_bytes.ts";
import type { LineFile } from "./line_file.ts";

const LF = 10;
const BLOCK = 256 * 1024;
/** Lines are counted in steps of this many bytes. */
const STEP = 64 * 1024;

/** The part of two files between their common beginning and their common end. */
export interface Middle {
  /** Number of its first line, in both files. */
  readonly line: number;
  /** Offset of its start, in both files. */
  readonly start: number;
  /** Offset of its end in each file. */
  readonly ends: readonly [number, number];
}

/**
 * Finds the part in which two files differ, with up to `horizon` common lines before and after it;
 * `undefined` if the files are equal. A last line without newline differs from the same line with
 * one.
 */
export async function differentPart(
  [a, b]: readonly [LineFile, LineFile],
  horizon: number,
): Promise<Middle | undefined> {
  const sameEnd = a.incomplete === b.incomplete;
  const start = await commonStart(a, b);
  if (start.bytes === a.size && a.size === b.size && sameEnd) return undefined;
  let first = { line: start.lines, offset: start.lineStart };
  // An incomplete last line equals only another incomplete one.
  const cut = (a.incomplete && first.offset === a.size) ||
    (b.incomplete && first.offset === b.size);
  if (cut) first = await lineBefore(a, first, 1);
  const size = !sameEnd ? 0 : await commonEnd(a, b, first.offset);
  const end = await lineAfter(a, a.size - size, horizon);
  first = await lineBefore(a, first, horizon);
  return {
    line: first.line,
    start: first.offset,
    ends: [end, end + b.size - a.size],
  };
}

interface Start {
  /** Number of equal bytes at the start. */
  readonly bytes: number;
  /** Number of whole lines among these, and the start of the next line. */
  readonly lines: number;
  readonly lineStart: number;
}

async function commonStart(a: LineFile, b: LineFile): Promise<Start> {
  const size = Math.min(a.size, b.size);
  const x = new Uint8Array(BLOCK);
  const y = new Uint8Array(BLOCK);
  let lines = 0;
  let lineStart = 0;
  for (let offset = 0; offset < size;) {
    const wanted = Math.min(BLOCK, size - offset);
    await Promise.all([
      readBlock(a.at, offset, x.subarray(0, wanted)),
      readBlock(b.at, offset, y.subarray(0, wanted)),
    ]);
    const same = sameStart(x, y, wanted);
    for (let at = 0; at < same; at += STEP) {
      const piece = x.subarray(at, Math.min(same, at + STEP));
      const count = countNewlines(piece);
      if (count === 0) continue;
      lines += count;
      lineStart = offset + at + piece.lastIndexOf(LF) + 1;
      for (const file of [a, b]) if (file.wantsMark(lineStart)) file.mark(lines, lineStart);
    }
    offset += same;
    if (same < wanted) return { bytes: offset, lines, lineStart };
  }
  return { bytes: size, lines, lineStart };
}

function sameStart(x: Chunk, y: Chunk, size: number): number {
  const words = size >> 2;
  const a = new Int32Array(x.buffer, 0, words);
  const b = new Int32Array(y.buffer, 0, words);
  let i = 0;
  while (i < words && a[i] === b[i]) i++;
  for (i *= 4; i < size && x[i] === y[i]; i++);
  return i;
}

/**
 * Number of bytes in the common lines at the end of both files, ignoring the first `start` bytes.
 */
async function commonEnd(a: LineFile, b: LineFile, start: number): Promise<number> {
  const most = Math.min(a.size, b.size) - start;
  const x = new Uint8Array(BLOCK);
  const y = new Uint8Array(BLOCK);
  /** Start of the first whole line of the common end, as a distance from the end of the files. */
  let whole = 0;
  for (let done = 0; done < most;) {
    const wanted = Math.min(BLOCK, most - done);
    await Promise.all([
      readBlock(a.at, a.size - done - wanted, x.subarray(0, wanted)),
      readBlock(b.at, b.size - done - wanted, y.subarray(0, wanted)),
    ]);
    let same = 0;
    while (same < wanted && x[wanted - 1 - same] === y[wanted - 1 - same]) same++;
    const at = x.subarray(wanted - same, wanted).indexOf(LF);
    if (at >= 0 && done + same - at - 1 > 0) whole = done + same - at - 1;
    done += same;
    if (same === wanted && done < most) continue;
    const starts = await Promise.all([a, b].map((file) => isLineStart(file, file.size - done)));
    if (!starts.includes(false)) whole = done;
    return whole;
  }
  return whole;
}

async function isLineStart(file: LineFile, offset: number): Promise<boolean> {
  if (offset === 0) return true;
  const before = new Uint8Array(1);
  await readBlock(file.at, offset - 1, before);
  return before[0] === LF;
}

/** The start of the line `count` lines before `from`, or of the file. */
async function lineBefore(
  file: LineFile,
  from: { readonly line: number; readonly offset: number },
  count: number,
): Promise<{ readonly line: number; readonly offset: number }> {
  const lines = Math.min(count, from.line);
  if (lines === 0) return from;
  const block = new Uint8Array(STEP);
  let left = lines;
  // The newline that ends the previous line does not count.
  let end = from.offset - 1;
  while (end > 0) {
    const size = Math.min(block.length, end);
    await readBlock(file.at, end - size, block.subarray(0, size));
    for (let at = size - 1; at >= 0; at--) {
      if (block[at] === LF && --left === 0) {
        return { line: from.line - lines, offset: end - size + at + 1 };
      }
    }
    end -= size;
  }
  return { line: from.line - lines, offset: 0 };
}

/** The start of the line `count` lines after an offset, or the end of the file. */
async function lineAfter(file: LineFile, offset: number, count: number): Promise<number> {
  if (count === 0) return offset;
  let left = count;
  let start = offset;
  for await (const block of blocksOf(file.at, offset, file.size, STEP)) {
    for (let i = 0; i < block.length; i++) {
      if (block[i] === LF && --left === 0) return start + i + 1;
    }
    start += block.length;
  }
  return file.size;
}

/** The number of lines from an offset on, at most `most`. */
export async function linesFrom(file: LineFile, offset: number, most: number): Promise<number> {
  if (most <= 0) return 0;
  let lines = 0;
  for await (const block of blocksOf(file.at, offset, file.size, STEP)) {
    lines += countNewlines(block);
    if (lines >= most) return most;
  }
  return lines;
}

/** Counts the lines of a file. */
export async function countLines(file: LineFile): Promise<void> {
  let lines = 0;
  let end = 0;
  for await (const block of blocksOf(file.at, 0, file.size, STEP)) {
    const start = end + block.lastIndexOf(LF) + 1;
    end += block.length;
    const count = countNewlines(block);
    if (count === 0) continue;
    lines += count;
    if (file.wantsMark(start)) file.mark(lines, start);
  }
  file.count = lines;
}
