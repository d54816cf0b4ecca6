/** Counts the characters of several bytes in UTF-8 text, and the bytes that are not UTF-8. */
export class Utf8Count {
  /** Characters of several bytes. */
  characters = 0;
  /** Bytes that belong to no character. */
  strays = 0;
  /** Bytes of a character that is not complete. */
  open = 0;
  #missing = 0;
  #least = 0x80;
  #most = 0xbf;

  /** Takes the next byte; ASCII may be left out where no character is {@linkcode open}. */
  take(byte: number): void {
    if (this.open > 0) {
      if (byte >= this.#least && byte <= this.#most) {
        this.#continue();
        return;
      }
      this.strays += this.open;
      this.open = 0;
    }
    if (byte >= 0x80) this.#begin(byte);
  }

  #begin(byte: number): void {
    // The second byte excludes forms that are too long, surrogates and all above U+10FFFF.
    this.#least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    if (byte < 0xc2 || byte > 0xf4) {
      this.strays++;
      return;
    }
    this.open = 1;
    this.#missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  }

  #continue(): void {
    this.open++;
    this.#least = 0x80;
    this.#most = 0xbf;
    if (--this.#missing > 0) return;
    this.open = 0;
    this.characters++;
  }
}
