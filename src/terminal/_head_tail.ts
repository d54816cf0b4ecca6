import type { KeptOutput } from "../ports/mod.ts";
import type { Chunk } from "../streams/mod.ts";

const NEWLINE = 0x0a;

/** Keeps the beginning and the end of an output in bounded memory, in whole lines if possible. */
export class HeadTail {
  readonly #head: Chunk;
  readonly #tail: Chunk;
  readonly #most: number;
  #headUsed = 0;
  #tailUsed = 0;
  #bytes = 0;

  /** Keeps `most` bytes, a quarter of them from the beginning. */
  constructor(most: number) {
    const head = Math.floor(most / 4);
    this.#head = new Uint8Array(head);
    this.#most = most - head;
    // Twice the size, so that bytes are moved only when it is full.
    this.#tail = new Uint8Array(this.#most * 2);
  }

  /** Takes the next bytes; they are copied. */
  add(chunk: Chunk): void {
    this.#bytes += chunk.length;
    const room = Math.min(this.#head.length - this.#headUsed, chunk.length);
    this.#head.set(chunk.subarray(0, room), this.#headUsed);
    this.#headUsed += room;
    const rest = chunk.subarray(Math.max(room, chunk.length - this.#most));
    if (this.#tailUsed + rest.length > this.#tail.length) {
      const kept = this.#most - rest.length;
      this.#tail.copyWithin(0, this.#tailUsed - kept, this.#tailUsed);
      this.#tailUsed = kept;
    }
    this.#tail.set(rest, this.#tailUsed);
    this.#tailUsed += rest.length;
  }

  /** The kept output. */
  result(): KeptOutput {
    const head = this.#head.subarray(0, this.#headUsed);
    const tail = this.#tail.subarray(Math.max(0, this.#tailUsed - this.#most), this.#tailUsed);
    const bytes = this.#bytes;
    if (head.length + tail.length === bytes) {
      return { head: decode(head, tail), tail: "", bytes, droppedBytes: 0 };
    }
    const end = head.subarray(0, head.lastIndexOf(NEWLINE) + 1 || characterEnd(head));
    const newline = tail.indexOf(NEWLINE);
    const begin = tail.subarray(
      newline >= 0 && newline < tail.length - 1 ? newline + 1 : characterStart(tail),
    );
    const droppedBytes = bytes - end.length - begin.length;
    return { head: decode(end), tail: decode(begin), bytes, droppedBytes };
  }
}

function decode(...parts: Chunk[]): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}

/** Skips the rest of a UTF-8 character (RFC 3629: at most three continuation bytes). */
function characterStart(bytes: Chunk): number {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}

/** The length without the last character, unless that is ASCII, because it may be incomplete. */
function characterEnd(bytes: Chunk): number {
  let end = bytes.length;
  for (let back = 0; back < 4 && end > 0; back++) {
    end--;
    if (((bytes[end] ?? 0) & 0xc0) !== 0x80) return (bytes[end] ?? 0) < 0x80 ? end + 1 : end;
  }
  return bytes.length;
}
