/** Actions of the editor that keys trigger. */
export type KeyCommand =
  | "submit"
  | "newline"
  | "left"
  | "right"
  | "up"
  | "down"
  | "word-left"
  | "word-right"
  | "line-start"
  | "line-end"
  | "delete-left"
  | "delete-right"
  | "delete-word-left"
  | "delete-word-right"
  | "delete-to-start"
  | "delete-to-end"
  | "yank"
  | "transpose"
  | "redraw"
  | "older"
  | "newer"
  | "interrupt"
  | "end"
  | "suspend"
  | "escape";

/** Input of the user: typed text, pasted text, or a command. */
export type Key =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "command"; readonly command: KeyCommand };

const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** The longest escape sequence; a longer one is dropped. */
const MOST_SEQUENCE = 32;

/** Keys that send one control character: the usual ones of Emacs and of shells. */
const CONTROLS: ReadonlyMap<string, KeyCommand> = new Map([
  ["\x01", "line-start"],
  ["\x02", "left"],
  ["\x03", "interrupt"],
  ["\x04", "end"],
  ["\x05", "line-end"],
  ["\x06", "right"],
  ["\b", "delete-left"],
  ["\n", "newline"],
  ["\x0b", "delete-to-end"],
  ["\x0c", "redraw"],
  ["\r", "submit"],
  ["\x0e", "newer"],
  ["\x10", "older"],
  ["\x14", "transpose"],
  ["\x15", "delete-to-start"],
  ["\x17", "delete-word-left"],
  ["\x19", "yank"],
  ["\x1a", "suspend"],
  ["\x7f", "delete-left"],
]);

/** Keys after Escape, which is what Alt sends. */
const ALT: ReadonlyMap<string, KeyCommand> = new Map([
  ["\r", "newline"],
  ["\n", "newline"],
  ["b", "word-left"],
  ["f", "word-right"],
  ["d", "delete-word-right"],
  ["\b", "delete-word-left"],
  ["\x7f", "delete-word-left"],
]);

/** Last characters of the sequences of cursor keys, with and without a modifier. */
const CURSOR: ReadonlyMap<string, readonly [plain: KeyCommand, modified: KeyCommand]> = new Map([
  ["A", ["up", "up"]],
  ["B", ["down", "down"]],
  ["C", ["right", "word-right"]],
  ["D", ["left", "word-left"]],
  ["F", ["line-end", "line-end"]],
  ["H", ["line-start", "line-start"]],
]);

/** Numbers of the sequences that end with `~`. */
const NUMBERED: ReadonlyMap<string, readonly [plain: KeyCommand, modified: KeyCommand]> = new Map([
  ["1", ["line-start", "line-start"]],
  ["3", ["delete-right", "delete-word-right"]],
  ["4", ["line-end", "line-end"]],
  ["7", ["line-start", "line-start"]],
  ["8", ["line-end", "line-end"]],
]);

/**
 * Decodes the input of a terminal in raw mode, in chunks of any size. Unknown sequences and replies
 * of the terminal are dropped.
 */
export class KeyReader {
  readonly #decoder = new TextDecoder();
  #held = "";
  #pasted: string[] | undefined;

  /** True if an Escape was read that may be a key or begin a sequence; see {@linkcode flush}. */
  get waiting(): boolean {
    return this.#pasted === undefined && this.#held !== "";
  }

  /** Decodes bytes; returns the keys that are complete. */
  read(bytes: Uint8Array): Key[] {
    return this.#take(this.#held + this.#decoder.decode(bytes, { stream: true }));
  }

  /** Ends an incomplete sequence after a pause: its Escape was a key of its own. */
  flush(): Key[] {
    const held = this.#held;
    if (!this.waiting) return [];
    this.#held = "";
    const keys: Key[] = [{ type: "command", command: "escape" }];
    return [...keys, ...this.#take(held.slice(1))];
  }

  #take(text: string): Key[] {
    const keys: Key[] = [];
    let rest = text;
    while (rest !== "") {
      const left = this.#pasted === undefined
        ? this.#one(rest, keys)
        : this.#paste(rest, this.#pasted, keys);
      if (left === undefined) break;
      rest = left;
    }
    this.#held = rest;
    return keys;
  }

  /** Reads one key or a run of text. Returns the rest; `undefined` if the input is incomplete. */
  #one(text: string, keys: Key[]): string | undefined {
    if (text.startsWith(PASTE_BEGIN)) {
      this.#pasted = [];
      return text.slice(PASTE_BEGIN.length);
    }
    if (text.startsWith("\x1b")) return escaped(text, keys);
    // deno-lint-ignore no-control-regex
    const [plain = ""] = /^[^\x00-\x1f\x7f]*/.exec(text) ?? [];
    if (plain !== "") {
      keys.push({ type: "text", text: plain });
      return text.slice(plain.length);
    }
    const [character = ""] = text;
    if (character === "\t") keys.push({ type: "text", text: "\t" });
    const command = CONTROLS.get(character);
    if (command !== undefined) keys.push({ type: "command", command });
    return text.slice(1);
  }

  /** Reads pasted text up to its end mark, which may be split between chunks. */
  #paste(text: string, pasted: string[], keys: Key[]): string | undefined {
    const at = text.indexOf(PASTE_END);
    if (at >= 0) {
      keys.push({ type: "paste", text: pasted.join("") + text.slice(0, at) });
      this.#pasted = undefined;
      return text.slice(at + PASTE_END.length);
    }
    const escape = text.lastIndexOf("\x1b");
    const sure = escape >= 0 && PASTE_END.startsWith(text.slice(escape)) ? escape : text.length;
    if (sure === 0) return undefined;
    pasted.push(text.slice(0, sure));
    return text.slice(sure);
  }
}

/** Reads a sequence that begins with Escape. */
function escaped(text: string, keys: Key[]): string | undefined {
  const second = text[1];
  if (second === undefined) return undefined;
  if (second === "[" || second === "O") {
    // ECMA-48, section 5.4: parameters, intermediate bytes, a final byte.
    // deno-lint-ignore no-control-regex
    const match = /^\x1b[[O]([0-?]*)[ -/]*([@-~])/.exec(text);
    if (match === null) {
      if (text.length < MOST_SEQUENCE && /^..[ -?]*$/.test(text)) return undefined;
      return text.slice(2);
    }
    const [whole, parameters = "", last = ""] = match;
    const command = sequence(parameters, last);
    if (command !== undefined) keys.push({ type: "command", command });
    return text.slice(whole.length);
  }
  if (!ALT.has(second) && second < " ") {
    // Escape was a key of its own; another key follows.
    keys.push({ type: "command", command: "escape" });
    return text.slice(1);
  }
  const command = ALT.get(second);
  if (command !== undefined) {
    keys.push({ type: "command", command });
    return text.slice(2);
  }
  // No command is bound to this character with Alt.
  const [, character = ""] = text;
  return text.slice(1 + character.length);
}

function sequence(parameters: string, last: string): KeyCommand | undefined {
  const [first = "", second = "", third = ""] = parameters.split(";");
  // Enter with a modifier, as kitty and xterm can report it.
  if (last === "u" && first === "13" || last === "~" && first === "27" && third === "13") {
    return second === "" || second === "1" ? "submit" : "newline";
  }
  const commands = last === "~" ? NUMBERED.get(first) : CURSOR.get(last);
  return commands?.[second === "" || second === "1" ? 0 : 1];
}
