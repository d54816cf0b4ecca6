/** Operators of a shell that do not exist here, each with what to do instead. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  [";", "cmd is one command: call pipe once for each"],
  ["&", "cmd is one command: call pipe once for each"],
  [">", "there are no redirections: name the output with out_fd"],
  ["<", "there are no redirections: name the input with in_fd"],
  ["`", "there is no command substitution"],
  ["$(", "there is no command substitution"],
]);

/** Single-character escapes inside `$'...'` (POSIX.1-2024, 2.2.4). */
const ESCAPES: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ["e", 27],
  ["\\", 92],
  ["'", 39],
  ['"', 34],
]);

/**
 * Splits a command line into the words of its commands, one array of words for each command
 * between `|`.
 *
 * Words are split as POSIX says (XCU 2.2 and 2.3): blanks separate; single quotes, double quotes,
 * `$'...'` and backslash quote; backslash-newline is removed. Nothing is ever expanded: `$x`, `*`,
 * `~` and `{a,b}` are ordinary text.
 *
 * Throws a `SyntaxError` that names the character and the way out: an unquoted `;` `&` `>` `<`
 * `` ` `` `$(` or newline between commands, a quote without its end, an empty command.
 *
 * @example
 * ```ts
 * import { splitWords } from "@llmcmd/llmcmd";
 *
 * const commands = splitWords(`grep -i "disk full" | wc -l`);
 * if (JSON.stringify(commands) !== '[["grep","-i","disk full"],["wc","-l"]]') throw commands;
 * ```
 */
export function splitWords(text: string): string[][] {
  return new Splitter(text).commands();
}

/** Walks once over a command line. */
class Splitter {
  readonly #text: string;
  #at = 0;
  /** The word being read; `undefined` between words, so that `''` is a word too. */
  #word: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  commands(): string[][] {
    const commands: string[][] = [];
    let words: string[] = [];
    const endWord = () => {
      if (this.#word !== undefined) words.push(this.#word);
      this.#word = undefined;
    };
    const endCommand = () => {
      endWord();
      if (words.length === 0) throw new SyntaxError(emptyCommand(this.#text, commands.length));
      commands.push(words);
      words = [];
    };
    while (this.#at < this.#text.length) {
      const char = this.#take();
      if (char === " " || char === "\t") endWord();
      else if (char === "|") endCommand();
      else if (char === "\n") {
        endWord();
        if (words.length > 0) this.#refuseSecondLine();
      } else this.#unquoted(char);
    }
    endCommand();
    return commands;
  }

  #take(): string {
    return this.#text.charAt(this.#at++);
  }

  #add(piece: string): void {
    this.#word = (this.#word ?? "") + piece;
  }

  #unquoted(char: string): void {
    const next = this.#text.charAt(this.#at);
    const operator = OPERATORS.has(char) ? char : OPERATORS.has(char + next) ? char + next : "";
    if (operator !== "") this.#refuseOperator(operator);
    if (char === "'") this.#add(this.#until("'", "single quote"));
    else if (char === '"') this.#doubleQuoted();
    else if (char === "$" && next === "'") this.#dollarQuoted();
    else if (char === "\\") this.#escaped();
    else this.#add(char);
  }

  #refuseOperator(operator: string): never {
    throw new SyntaxError(
      `Unquoted ${operator} at character ${this.#at} of cmd: ${OPERATORS.get(operator)}. ` +
        `If it is meant literally, quote it: '${operator}'`,
    );
  }

  #refuseSecondLine(): void {
    if (this.#text.slice(this.#at).trim() === "") return;
    throw new SyntaxError(
      `Unquoted newline at character ${this.#at} of cmd: cmd is one command: call pipe once for ` +
        `each. If it is meant literally, quote it`,
    );
  }

  #until(quote: string, name: string): string {
    const end = this.#text.indexOf(quote, this.#at);
    if (end < 0) throw this.#unterminated(name, this.#at);
    const quoted = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return quoted;
  }

  #unterminated(name: string, at: number): SyntaxError {
    return new SyntaxError(
      `The ${name} at character ${at} of cmd has no end: close it, or quote it with a backslash`,
    );
  }

  #doubleQuoted(): void {
    const start = this.#at;
    this.#add("");
    while (this.#at < this.#text.length) {
      const char = this.#take();
      if (char === '"') return;
      const next = this.#text.charAt(this.#at);
      if (char === "\\" && next !== "" && '$`"\\\n'.includes(next)) {
        this.#at++;
        this.#add(next === "\n" ? "" : next);
      } else this.#add(char);
    }
    throw this.#unterminated("double quote", start);
  }

  #escaped(): void {
    if (this.#at >= this.#text.length) {
      throw new SyntaxError("The backslash at the end of cmd quotes nothing: double it or drop it");
    }
    const char = this.#take();
    // A line continuation joins lines and begins no word.
    if (char !== "\n") this.#add(char);
  }

  #dollarQuoted(): void {
    const start = ++this.#at;
    const bytes: number[] = [];
    const encoder = new TextEncoder();
    for (;;) {
      if (this.#at >= this.#text.length) throw this.#unterminated("$' quote", start);
      // By code point, so that a surrogate pair stays whole.
      const char = String.fromCodePoint(this.#text.codePointAt(this.#at) as number);
      this.#at += char.length;
      if (char === "'") break;
      if (char === "\\") bytes.push(...this.#dollarEscape(encoder));
      else bytes.push(...encoder.encode(char));
    }
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      this.#add(decoder.decode(Uint8Array.from(bytes)));
    } catch {
      throw new SyntaxError(
        `The $' quote at character ${start} of cmd does not make UTF-8 text: arguments are text`,
      );
    }
  }

  #dollarEscape(encoder: TextEncoder): Iterable<number> {
    const rest = this.#text.slice(this.#at, this.#at + 9);
    const octal = /^[0-7]{1,3}/.exec(rest)?.[0];
    const hex = /^x([0-9A-Fa-f]{1,2})/.exec(rest);
    const unicode = /^u([0-9A-Fa-f]{1,4})/.exec(rest) ?? /^U([0-9A-Fa-f]{1,8})/.exec(rest);
    if (octal !== undefined) {
      this.#at += octal.length;
      return [Number.parseInt(octal, 8) & 0xff];
    }
    if (hex !== null) {
      this.#at += hex[0].length;
      return [Number.parseInt(hex[1] ?? "", 16)];
    }
    const point = Number.parseInt(unicode?.[1] ?? "", 16);
    if (unicode !== null && point <= 0x10ffff) {
      this.#at += unicode[0].length;
      return encoder.encode(String.fromCodePoint(point));
    }
    const known = ESCAPES.get(rest.charAt(0));
    // An unknown escape keeps its backslash, as in bash.
    if (known === undefined) return [92];
    this.#at++;
    return [known];
  }
}

function emptyCommand(text: string, before: number): string {
  if (text.trim() === "") return "The cmd is empty: name a command, or leave cmd out to copy";
  const where = before === 0 ? "before the first |" : "after a |";
  return `There is no command ${where} in cmd: ${JSON.stringify(text)}`;
}
