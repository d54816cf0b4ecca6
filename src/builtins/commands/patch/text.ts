import type { Chunk, RandomAccess } from "../../../streams/mod.ts";
import { LineFile, LineView } from "../../hold/mod.ts";

/** Bytes as a text in which each character is one byte. */
export function byteText(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 8192)));
  }
  return text;
}

/** The bytes of such a text. */
export function textBytes(text: string): Chunk {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** A text of bytes as Unicode: file names and messages. */
export function toUnicode(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(textBytes(text));
}

/** A text as C prints it, which ends at a NUL. */
export function untilNul(text: string): string {
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}

/** A line of the patch in a message. */
export function shownLine(line: string): string {
  return toUnicode(untilNul(line));
}

/**
 * Lines as texts in which each character is one byte. They keep their newlines; the last may lack
 * it.
 */
export class TextLines {
  readonly #view: LineView;

  private constructor(file: LineFile) {
    this.#view = new LineView(file);
  }

  /** Takes the lines of bytes. */
  static async of(bytes: RandomAccess): Promise<TextLines> {
    return new TextLines(await LineFile.of(bytes));
  }

  /** A line, `undefined` behind the last. */
  async at(line: number): Promise<string | undefined> {
    const view = this.#view;
    if (!view.has(line) && !await view.load(line)) return undefined;
    const { file, offset } = view;
    if (file.wantsMark(offset)) file.mark(line, offset);
    return byteText(view.bytes, view.start, view.end + (view.incomplete ? 0 : 1));
  }

  /** Where a line begins, in bytes. */
  async offsetOf(line: number): Promise<number> {
    await this.at(line);
    return this.#view.offset;
  }

  /** Another look at the same lines, which does not disturb this one. */
  again(): TextLines {
    return new TextLines(this.#view.file);
  }
}
