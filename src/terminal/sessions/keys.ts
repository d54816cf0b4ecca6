// deno-lint-ignore-file no-control-regex -- this file reads control characters
import { closest } from "../../base/mod.ts";

/** Cursor keys, whose codes depend on a mode of the terminal. */
const CURSOR: ReadonlyMap<string, string> = new Map([
  ["up", "A"],
  ["down", "B"],
  ["right", "C"],
  ["left", "D"],
  ["home", "H"],
  ["end", "F"],
]);

/** All other named keys, with the codes that xterm sends. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ["enter", "\r"],
  ["tab", "\t"],
  ["backspace", "\x7f"],
  ["escape", "\x1b"],
  ["insert", "\x1b[2~"],
  ["delete", "\x1b[3~"],
  ["pageup", "\x1b[5~"],
  ["pagedown", "\x1b[6~"],
  ...["P", "Q", "R", "S"].map((end, at) => [`f${at + 1}`, `\x1bO${end}`] as const),
  ...[15, 17, 18, 19, 20, 21, 23, 24].map((code, at) => [`f${at + 5}`, `\x1b[${code}~`] as const),
]);

/** Doubled braces, `${` of a shell, or a possible key. */
const BRACES = /\{\{[^]*?\}\}|\$\{|\{((?:ctrl|alt)\+(?:[{}](?=\})|[^{}\s]*)|[a-z]+\d*)\}/gi;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Text to type, with the names of the keys in it. */
export interface TypedKeys {
  /** The text for the terminal. */
  readonly text: string;
  /** The names of the keys that were in braces, in order. */
  readonly keys: readonly string[];
}

/** Options of {@linkcode readKeys}. */
export interface KeyOptions {
  /** True if braces are text. */
  readonly raw: boolean;
  /** True if the program has turned on the application codes of the cursor keys. */
  readonly applicationCursor: boolean;
}

/**
 * Reads text with key names in braces, such as `ls{enter}`. Known names are keys. `{ctrl+...}`,
 * `{alt+...}` and `{fN}` that do not exist are errors. All other braces are text, those that are
 * doubled (`{{ .Values }}`) and those after a dollar sign (`${HOME}`) too. A line feed is the key
 * Enter.
 *
 * @throws {RangeError} A key does not exist; the message lists near ones.
 */
export function readKeys(input: string, { raw, applicationCursor }: KeyOptions): TypedKeys {
  const keys: string[] = [];
  const key = (whole: string, name: string | undefined) => {
    if (name === undefined) return whole;
    const lower = /^(ctrl|alt)\+/i.test(name) ? name.replace(/^\w+/, lowerCase) : name;
    const code = codeOf(lower, applicationCursor);
    if (code === undefined) return whole;
    keys.push(/^ctrl/.test(lower) ? lower.toLowerCase() : lower);
    return code;
  };
  const text = raw ? input : input.replaceAll(BRACES, key);
  return { text: text.replaceAll(/\r?\n/g, "\r"), keys };
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

/** The code of a key; `undefined` if the name is not a key and may be text. */
function codeOf(name: string, applicationCursor: boolean): string | undefined {
  const cursor = CURSOR.get(name);
  if (cursor !== undefined) return `\x1b${applicationCursor ? "O" : "["}${cursor}`;
  const named = NAMED.get(name);
  if (named !== undefined) return named;
  if (name.startsWith("ctrl+")) {
    const letter = name.slice(5).toLowerCase();
    const at = letter.length === 1 ? LETTERS.indexOf(letter) : -1;
    if (at >= 0) return String.fromCharCode(at + 1);
    throw unknownKey(name, "{ctrl+a} to {ctrl+z}");
  }
  if (name.startsWith("alt+")) {
    const rest = name.slice(4);
    if ([...rest].length === 1 && !/\s/.test(rest)) return `\x1b${rest}`;
    throw unknownKey(name, "{alt+x}, with one character after the sign");
  }
  if (/^f\d+$/.test(name)) throw unknownKey(name, "{f1} to {f12}");
  return undefined;
}

function unknownKey(name: string, there: string): RangeError {
  const names = [
    ...CURSOR.keys(),
    ...NAMED.keys(),
    ...[...LETTERS].map((letter) => `ctrl+${letter}`),
  ];
  const plain = name.replace(/^(ctrl|alt)\+/, "");
  const near = closest(name, names) ?? (names.includes(plain) ? plain : undefined);
  const hint = near === undefined ? "" : ` (did you mean {${near}}?)`;
  return new RangeError(
    `There is no key {${name}}${hint}: there are ${there}; to send the braces as they are, set raw`,
  );
}

/** Most bytes of a line in canonical mode; the terminal drops the rest. */
const LINE_BYTES = 4095;

/**
 * Checks that no line is too long for a terminal in canonical mode, which would cut it silently.
 *
 * @throws {RangeError} A line is too long.
 */
export function checkLines(text: string): void {
  const encoder = new TextEncoder();
  for (const line of text.split(/[\r\n\x03\x04\x15]/)) {
    if (line.length * 3 <= LINE_BYTES) continue;
    const { length } = encoder.encode(line);
    if (length > LINE_BYTES) {
      throw new RangeError(
        `Cannot send a line of ${length} bytes: the terminal is in line mode, which cuts lines at ` +
          `${LINE_BYTES} bytes; write it to a file, or send it in shorter lines`,
      );
    }
  }
}
