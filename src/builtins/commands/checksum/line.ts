/** The contents of a line of a checksum file. */
export interface ChecksumLine {
  readonly hex: string;
  readonly name: string;
}

/** Reverses {@linkcode escapeName}; `undefined` if the escapes are not valid. */
function unescapeName(name: string): string | undefined {
  if (!/^(?:[^\\]|\\[\\nr])*$/.test(name)) return undefined;
  return name.replace(
    /\\(.)/g,
    (_, letter) => letter === "n" ? "\n" : letter === "r" ? "\r" : "\\",
  );
}

/** Escapes a file name for one line: backslash, newline and carriage return. */
export function escapeName(name: string): string {
  return name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

/**
 * Reads lines that `md5sum` and similar tools print, in all formats: the tool's own, BSD's reversed
 * one and `MD5 (name) = hex`. Use one reader for each run: the first line in the tool's own or in
 * the reversed format determines which of the two later lines may have.
 */
export class ChecksumLines {
  readonly #label: string;
  readonly #digits: number;
  #reversed: boolean | undefined;

  /** Creates a reader of digests with `digits` hexadecimal digits. */
  constructor(label: string, digits: number) {
    this.#label = label;
    this.#digits = digits;
  }

  /** Reads a line without its end; `undefined` if it is not properly formatted. */
  read(text: string): ChecksumLine | undefined {
    const [, escape = "", line = ""] = /^[ \t]*(\\?)([^]*)$/.exec(text) ?? [];
    // As in C, names end at a NUL; the tool refuses a NUL only in escaped names.
    const finish = (name: string, hex: string): ChecksumLine | undefined => {
      const plain = escape === "" ? name : name.includes("\0") ? undefined : unescapeName(name);
      if (plain === undefined) return undefined;
      return { hex: hex.toLowerCase(), name: plain.split("\0")[0] ?? "" };
    };
    const digits = `([0-9a-fA-F]{${this.#digits}})`;
    if (line.startsWith(this.#label)) {
      const tagged = new RegExp(`^ ?\\(([^]*)\\)[ \\t]*=[ \\t]*${digits}(?:\\0[^]*)?$`);
      const [, name, hex] = tagged.exec(line.slice(this.#label.length)) ?? [];
      return name === undefined || hex === undefined ? undefined : finish(name, hex);
    }
    const [, hex, rest] = new RegExp(`^${digits}[ \\t]([^]+)$`).exec(line) ?? [];
    if (hex === undefined || rest === undefined) return undefined;
    if (rest.length === 1 || !/^[ *]/.test(rest)) {
      if (this.#reversed === false) return undefined;
      this.#reversed = true;
    } else if (this.#reversed !== true) {
      this.#reversed = false;
      return finish(rest.slice(1), hex);
    }
    return finish(rest, hex);
  }
}
