/** Unread text of limited size: when there is too much, the oldest is dropped. */
export class OutputRing {
  readonly #capacity: number;
  /** Most UTF-16 units of a part to which more is joined: lines with colours come one by one. */
  readonly #joined: number;
  #parts: string[] = [];
  #first = 0;
  #length = 0;
  #dropped = 0;

  /** `capacity`: UTF-16 units that are always kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#joined = Math.min(4096, capacity / 16);
  }

  /** Number of unread UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  /** True if nothing is unread. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /**
   * Adds text at the end, at most a few 10,000 units. Carriage returns before line feeds are
   * dropped when it is read.
   */
  add(text: string): void {
    if (text === "") return;
    const last = this.#parts.length - 1;
    const before = last < this.#first ? undefined : this.#parts[last];
    if (before === undefined || before.length + text.length > this.#joined) this.#parts.push(text);
    else this.#parts[last] = before + text;
    this.#length += text.length;
    // Whole parts are dropped: cutting strings would take most of the time.
    for (;;) {
      const oldest = this.#parts[this.#first] ?? "";
      if (this.#length - oldest.length < this.#capacity) break;
      this.#dropped += utf8Length(oldest);
      this.#shift();
    }
  }

  /** Takes text of at most `maxBytes` in UTF-8 from the beginning, whole characters only. */
  take(maxBytes: number): string {
    let taken = "";
    let room = maxBytes;
    while (this.#length > 0) {
      const part = this.#parts[this.#first] ?? "";
      const head = headOf(part, room);
      taken += head;
      if (head.length < part.length) {
        this.#parts[this.#first] = part.slice(head.length);
        this.#length -= head.length;
        break;
      }
      room -= utf8Length(head);
      this.#shift();
    }
    return plainLines(taken);
  }

  /** The last `units` of unread text, without taking it. */
  tail(units: number): string {
    let text = "";
    for (let at = this.#parts.length - 1; at >= this.#first && text.length < units; at--) {
      text = (this.#parts[at] ?? "") + text;
    }
    return plainLines(text.slice(Math.max(0, text.length - units)));
  }

  /** Drops all unread text, and counts `more` bytes after it as dropped, too. */
  drop(more: number): void {
    while (this.#length > 0) {
      this.#dropped += utf8Length(this.#parts[this.#first] ?? "");
      this.#shift();
    }
    this.#dropped += more;
  }

  /** Bytes that were dropped since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  #shift(): void {
    this.#length -= this.#parts[this.#first]?.length ?? 0;
    this.#parts[this.#first++] = "";
    if (this.#first > 1000 || this.#first === this.#parts.length) {
      this.#parts = this.#parts.slice(this.#first);
      this.#first = 0;
    }
  }
}

/** The beginning of a text that has at most `maxBytes` in UTF-8. */
export function headOf(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/** The end of a text that has at most `maxBytes` in UTF-8. */
export function tailOf(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  let from = Math.max(0, bytes.length - maxBytes);
  // A byte 10xxxxxx continues a character.
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from));
}

/** Number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Ends lines with a line feed only; a terminal puts a carriage return before it. */
function plainLines(text: string): string {
  return text.replaceAll(/\r+(?=\n|$)/g, "");
}
