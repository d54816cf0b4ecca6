/**
 * Iterates over the fields of a line without storing them, because a line may have as many fields
 * as bytes.
 */
export class JoinFields {
  /** Start and end of the current field. */
  start = 0;
  end = 0;
  readonly #tab: number;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Number of the current field, from 0; -1 before the first. */
  #field = -1;
  /** Start of the next field; -1 if there is none. */
  #at = -1;

  /** `tab` is the byte between fields; -1 means blanks, -2 a single field. */
  constructor(tab: number) {
    this.#tab = tab;
  }

  /** Begins a line. */
  begin(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#field = -1;
    const at = this.#tab === -1 ? skipBlanks(bytes, 0) : 0;
    this.#at = at === bytes.length ? -1 : at;
  }

  /** Moves to the next field; false if there is none. */
  next(): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    if (at < 0) return false;
    this.#field++;
    this.start = at;
    if (this.#tab === -1) {
      // The text after the last blanks is a field, even if it is empty.
      let stop = at;
      while (stop < bytes.length && !isBlank(bytes[stop])) stop++;
      this.end = stop;
      this.#at = stop === bytes.length ? -1 : skipBlanks(bytes, stop + 1);
    } else {
      const stop = this.#tab < 0 ? -1 : bytes.indexOf(this.#tab, at);
      this.end = stop < 0 ? bytes.length : stop;
      this.#at = stop < 0 ? -1 : stop + 1;
    }
    return true;
  }

  /** Moves to a field of a line, counted from 0; false if the line has fewer fields. */
  find(bytes: Uint8Array, field: number): boolean {
    if (bytes !== this.#bytes || field < this.#field || this.#field < 0) this.begin(bytes);
    while (this.#field < field) if (!this.next()) return false;
    return true;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10;
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isBlank(bytes[at])) at++;
  return at;
}
