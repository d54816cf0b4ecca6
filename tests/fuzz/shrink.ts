import type { Chunk } from "../../src/streams/mod.ts";
import type { FuzzCase, Part } from "./case.ts";

/** Smaller cases, those that differ most first. With `words`, words are cut, too. */
export function* smaller(test: FuzzCase, words: boolean): Generator<FuzzCase> {
  const { parts, files } = test;
  for (let i = 0; i < parts.length; i++) yield { ...test, parts: parts.toSpliced(i, 1) };
  for (const name of Object.keys(files)) {
    const { [name]: _, ...rest } = files;
    yield { ...test, files: rest };
  }
  for (const stdin of smallerData(test.stdin)) yield { ...test, stdin };
  for (const [name, data] of Object.entries(files)) {
    for (const less of smallerData(data)) yield { ...test, files: { ...files, [name]: less } };
  }
  if (!test.seekable) yield { ...test, seekable: true };
  for (const [i, part] of parts.entries()) {
    for (const less of smallerPart(part, words)) yield { ...test, parts: parts.with(i, less) };
  }
}

function* cuts(length: number): Generator<[number, number]> {
  for (let size = length; size >= 1; size = Math.floor(size / 2)) {
    if (length / size > 40) return;
    for (let at = 0; at < length; at += size) yield [at, Math.min(length, at + size)];
  }
}

function* smallerPart(part: Part, words: boolean): Generator<Part> {
  for (const [i, word] of part.entries()) {
    const lines = word.split("\n");
    if (lines.length > 1) {
      for (const [from, to] of cuts(lines.length)) {
        yield part.with(i, lines.toSpliced(from, to - from).join("\n"));
      }
    }
    if (!words) continue;
    const characters = [...word];
    for (const [from, to] of cuts(characters.length)) {
      yield part.with(i, characters.toSpliced(from, to - from).join(""));
    }
  }
}

function* smallerData(data: Chunk): Generator<Chunk> {
  if (data.length === 0) return;
  const ends = [0];
  for (let at = 0; at < data.length; at++) if (data[at] === 10) ends.push(at + 1);
  if (ends.at(-1) !== data.length) ends.push(data.length);
  if (ends.length > 2) {
    for (const [from, to] of cuts(ends.length - 1)) yield without(data, ends[from], ends[to]);
  }
  for (const [from, to] of cuts(data.length)) yield without(data, from, to);
}

function without(data: Chunk, from = 0, to = 0): Chunk {
  const less = new Uint8Array(data.length - (to - from));
  less.set(data.subarray(0, from));
  less.set(data.subarray(to), from);
  return less;
}
