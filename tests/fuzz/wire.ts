import { Buffer } from "node:buffer";
import type { Chunk } from "../../src/streams/mod.ts";
import type { FuzzCase, FuzzOutcome } from "./case.ts";

/** Files as pairs, as a name may be `__proto__`. */
type Packed = [string, string][];

function pack(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.length).toString("base64");
}

function unpack(text: string): Chunk {
  return Uint8Array.from(Buffer.from(text, "base64"));
}

function packAll(files: Readonly<Record<string, Chunk>>): Packed {
  return Object.entries(files).map(([name, data]) => [name, pack(data)]);
}

function unpackAll(files: Packed): Record<string, Chunk> {
  return Object.fromEntries(files.map(([name, data]) => [name, unpack(data)]));
}

/** A case as a line of JSON. */
export function encodeCase(test: FuzzCase, seed: number): string {
  return JSON.stringify({ ...test, stdin: pack(test.stdin), files: packAll(test.files), seed });
}

/** The case in a line. */
export function decodeCase(line: string): { test: FuzzCase; seed: number } {
  const { seed, ...test } = JSON.parse(line);
  return { test: { ...test, stdin: unpack(test.stdin), files: unpackAll(test.files) }, seed };
}

/** An outcome as a line of JSON. */
export function encodeOutcome(outcome: FuzzOutcome): string {
  return JSON.stringify({
    ...outcome,
    stdout: pack(outcome.stdout),
    files: packAll(outcome.files),
  });
}

/** The outcome in a line. */
export function decodeOutcome(line: string): FuzzOutcome {
  const outcome = JSON.parse(line);
  return { ...outcome, stdout: unpack(outcome.stdout), files: unpackAll(outcome.files) };
}

/** The lines of a stream of text. */
export async function* lines(readable: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (
    const text of readable.pipeThrough(
      new TextDecoderStream() as TransformStream<Uint8Array, string>,
    )
  ) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
