import { LimitError, turnEventLoop } from "../../../streams/mod.ts";
import { blocksOf, type HeldBytes, type LineFile, LineView } from "../../hold/mod.ts";
import type { EdCommand, EdScript } from "./ed_script.ts";
import { PatchError, type Talk } from "./talk.ts";

/** Lines that follow each other in the file or in the script. */
interface Piece {
  readonly view: LineView;
  readonly from: number;
  readonly count: number;
  /** How many first characters its lines lose. */
  readonly cuts: number;
}

/** How many pieces are passed before the event loop gets its turn. */
const TURN = 100_000;
/** Most pieces that all commands may pass: scripts of `diff -e` pass each once or twice. */
const MAX_PASSED = 50_000_000;

/**
 * A file to which the commands of an ed script are applied, without holding its lines: as pieces
 * before and behind the place of the last command. Does what `ed -` does, and says what it says.
 */
export class EdFile {
  readonly #file: LineFile | undefined;
  readonly #script: EdScript;
  readonly #text: LineView;
  readonly #signal: AbortSignal;
  readonly #before: Piece[] = [];
  /** The nearest is the last. */
  readonly #after: Piece[] = [];
  /** How many lines are before the place, and how many there are in all. */
  #place = 0;
  #total: number;
  #current: number;
  #passed = 0;

  /** Starts with a file's lines, if there are any. */
  constructor(file: LineFile | undefined, script: EdScript, signal: AbortSignal) {
    this.#file = file;
    this.#script = script;
    this.#text = new LineView(script.lines);
    this.#signal = signal;
    const count = file?.count ?? 0;
    this.#total = this.#current = count;
    if (file !== undefined && count > 0) {
      this.#after.push({ view: new LineView(file), from: 0, count, cuts: 0 });
    }
  }

  /**
   * Applies the commands and puts the result out.
   *
   * @throws {PatchError} If ed would refuse one.
   */
  async apply(output: HeldBytes, talk: Talk): Promise<void> {
    const isBinary = this.#file?.incomplete === true && await this.#hasNul(this.#file);
    if (this.#file?.incomplete === true && !isBinary) talk.say("Newline appended\n");
    for (const command of this.#script.commands) {
      if (await this.#run(command)) continue;
      talk.say("?\n");
      throw new PatchError("ed FAILED");
    }
    if (this.#script.cut) {
      talk.say("?\n");
      throw new PatchError("ed FAILED");
    }
    await this.#moveTo(0);
    while (this.#after.length > 0) {
      const piece = this.#after.pop();
      if (piece === undefined) break;
      const { view, from, count } = piece;
      // A binary file's own last line stays without newline where it is still the last.
      const bare = isBinary && this.#after.length === 0 && view.file === this.#file &&
        from + count === view.file.count;
      await this.#put(piece, output, bare);
    }
  }

  async #hasNul(file: LineFile): Promise<boolean> {
    for await (const block of blocksOf(file.at)) if (block.includes(0)) return true;
    return false;
  }

  /** Runs a command; false if ed would not. */
  async #run({ letter, from, to, text, size }: EdCommand): Promise<boolean> {
    const first = from ?? this.#current;
    const last = to ?? first;
    const least = letter === "a" || letter === "i" ? 0 : 1;
    if (first < least || last < first || last > this.#total) return false;
    if (letter === "s") return await this.#cut(first, last);
    const at = letter === "a" ? last : Math.max(0, first - 1);
    await this.#moveTo(at);
    if (letter === "c" || letter === "d") await this.#drop(last - first + 1);
    this.#current = Math.min(first, this.#total);
    if (size === 0) return true;
    this.#before.push({ view: this.#text, from: text, count: size, cuts: 0 });
    this.#place += size;
    this.#total += size;
    this.#current = at + size;
    return true;
  }

  /** Takes the first character off lines; false if no line has one. */
  async #cut(first: number, last: number): Promise<boolean> {
    await this.#moveTo(first - 1);
    let found = false;
    for (let left = last - first + 1; left > 0;) {
      const whole = this.#after.pop();
      if (whole === undefined) return false;
      const piece = this.#split(whole, left);
      for (let i = 0; i < piece.count; i++) {
        await this.#pass();
        const text = await textOf(piece, i);
        if (endOfFirst(text) === undefined) continue;
        found = true;
        this.#current = this.#place + i + 1;
      }
      this.#before.push({ ...piece, cuts: piece.cuts + 1 });
      this.#place += piece.count;
      left -= piece.count;
    }
    return found;
  }

  /** The first lines of a piece; what is left of it goes back. */
  #split(piece: Piece, count: number): Piece {
    if (piece.count <= count) return piece;
    this.#after.push({ ...piece, from: piece.from + count, count: piece.count - count });
    return { ...piece, count };
  }

  async #drop(count: number): Promise<void> {
    for (let left = count; left > 0;) {
      await this.#pass();
      const whole = this.#after.pop();
      if (whole === undefined) return;
      left -= this.#split(whole, left).count;
    }
    this.#total -= count;
  }

  async #moveTo(line: number): Promise<void> {
    while (this.#place > line) {
      await this.#pass();
      const piece = this.#before.pop();
      if (piece === undefined) return;
      const back = Math.min(piece.count, this.#place - line);
      const stays = piece.count - back;
      if (stays > 0) this.#before.push({ ...piece, count: stays });
      this.#after.push({ ...piece, from: piece.from + stays, count: back });
      this.#place -= back;
    }
    while (this.#place < line) {
      await this.#pass();
      const whole = this.#after.pop();
      if (whole === undefined) return;
      const piece = this.#split(whole, line - this.#place);
      this.#before.push(piece);
      this.#place += piece.count;
    }
  }

  /**
   * Counts what is passed, and lets the event loop turn now and then, so that an abort is seen.
   *
   * @throws {LimitError} If the commands go back and forth too often.
   */
  async #pass(): Promise<void> {
    if (++this.#passed % TURN !== 0) return;
    if (this.#passed > MAX_PASSED) {
      throw new LimitError(
        { name: "ed steps", max: MAX_PASSED },
        `The ed script takes more than ${MAX_PASSED} steps between distant lines; make a unified ` +
          "diff instead",
      );
    }
    await turnEventLoop();
    this.#signal.throwIfAborted();
  }

  /** Puts the lines of a piece out; `bare` leaves off the newline of the last. */
  async #put(piece: Piece, output: HeldBytes, bare: boolean): Promise<void> {
    const { view, from, count, cuts } = piece;
    if (cuts > 0) {
      for (let i = 0; i < count; i++) {
        const text = await textOf(piece, i);
        await output.add(text.slice());
        if (!bare || i < count - 1) await output.add(NEWLINE);
      }
      return;
    }
    const start = await offsetOf(view, from);
    const end = await offsetOf(view, from + count);
    for await (const block of blocksOf(view.file.at, start, bare ? end - 1 : end)) {
      await output.add(block);
    }
  }
}

const NEWLINE = Uint8Array.of(10);

/** Where a line begins, or the end of the file. */
async function offsetOf(view: LineView, line: number): Promise<number> {
  if (line >= view.file.count) return view.file.size;
  if (!view.has(line)) await view.load(line);
  return view.offset;
}

/** A line of a piece without its newline and the characters that it has lost; lent. */
async function textOf({ view, from, cuts }: Piece, i: number): Promise<Uint8Array<ArrayBuffer>> {
  if (!view.has(from + i)) await view.load(from + i);
  let text = view.bytes.subarray(view.start, view.end);
  for (let left = cuts; left > 0; left--) {
    const place = endOfFirst(text);
    if (place === undefined) break;
    const [start, end] = place;
    const less = new Uint8Array(text.length - (end - start));
    less.set(text.subarray(0, start));
    less.set(text.subarray(end), start);
    text = less;
  }
  return text;
}

/** Where the first character in a line starts and ends; bytes that are not UTF-8 are none. */
function endOfFirst(text: Uint8Array): readonly [number, number] | undefined {
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    const size = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    try {
      if (size > 1) new TextDecoder("utf-8", { fatal: true }).decode(text.subarray(at, at + size));
      if (at + size <= text.length) return [at, at + size];
    } catch {
      // Not a character: the next byte may begin one.
    }
  }
  return undefined;
}
