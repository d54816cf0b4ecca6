const NO_SUBSTITUTION =
  "there is no command substitution: run that command first, and write what it gives";

/** Operators of a shell that do not exist here, each with what to do instead. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  [";", "cmd is one command: call pipe once for each"],
  ["&", "cmd is one command: call pipe once for each"],
  ["&>", "there are no redirections: name the output with out_fd"],
  [
    "||",
    "cmd is one command: look at its status, then call pipe again. Only || true at the end is taken",
  ],
  [">", "there are no redirections: name the output with out_fd"],
  ["<", "there are no redirections: name the input with in_fd"],
  ["<<", "there are no here-documents: call pipe without in_fd, then write the text to its in_fd"],
  [
    "<(",
    "there is no process substitution: call pipe for that command first, then name its out_fd N as /dev/fd/N",
  ],
  [">(", "there is no process substitution: call pipe for that command with this one's out_fd"],
  ["`", NO_SUBSTITUTION],
  ["$(", NO_SUBSTITUTION],
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
 * Redirections of standard error that make no difference here, as it is never among the data: to
 * nowhere, or to the output. Matches from the `>` on.
 */
const STDERR_TARGET =
  /^>{1,2}\|?[ \t]*(?:&[12-]|\/dev\/(?:null|stdout|stderr|fd\/[12]))(?![^\s|;&<>])/;

/** The rest of `|| true` after its first `|`, to the end. */
const OR_TRUE = /^\|[ \t]*(?:(?:\/usr)?(?:\/bin\/)?true|:)[ \t]*;?\s*$/;

/** A command line, split into words. */
export interface CommandLine {
  /** The words of each command between `|`. */
  readonly commands: string[][];
  /** True with `|| true` at the end: a failure counts as success. */
  readonly mayFail: boolean;
}

/**
 * Splits a command line into the words of its commands, one array of words for each command
 * between `|`.
 *
 * Words are split as POSIX says (XCU 2.2 and 2.3): blanks separate; single quotes, double quotes,
 * `$'...'` and backslash quote; backslash-newline is removed. Nothing is ever expanded: `$x`, `*`,
 * `~` and `{a,b}` are ordinary text. What says nothing to a command is left out: `2>/dev/null`,
 * `2>&1` (also as `|&`), `|| true` and `;` at the end. A newline may also stand before a `|`.
 *
 * Throws a `SyntaxError` that names the character and the way out: an unquoted `;` `&` `>` `<` or
 * newline between commands, a `` ` `` or `$(` that is unquoted or in double quotes, a quote without
 * its end, an empty command.
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
  return splitCommandLine(text).commands;
}

/** Like {@linkcode splitWords}, and says whether `|| true` is at the end. */
export function splitCommandLine(text: string): CommandLine {
  return new Splitter(text).split();
}

/** Walks once over a command line. */
class Splitter {
  readonly #text: string;
  #at = 0;
  /** The word being read; `undefined` between words, so that `''` is a word too. */
  #word: string | undefined;
  /** Some of the word was quoted. */
  #quoted = false;

  constructor(text: string) {
    this.#text = text;
  }

  split(): CommandLine {
    const commands: string[][] = [];
    let words: string[] = [];
    let mayFail = false;
    const endWord = () => {
      if (this.#word !== undefined) words.push(this.#word);
      this.#word = undefined;
      this.#quoted = false;
    };
    const endCommand = () => {
      endWord();
      if (words.length === 0) throw new SyntaxError(emptyCommand(this.#text, commands.length));
      commands.push(words);
      words = [];
    };
    while (this.#at < this.#text.length) {
      const char = this.#take();
      if (this.#isBlank(char)) endWord();
      else if (char === "|") {
        if (this.#skipsOrTrue()) mayFail = true;
        else endCommand();
      } else if (char === "\n") {
        endWord();
        if (words.length > 0) this.#refuseSecondLine();
      } else this.#unquoted(char);
    }
    endCommand();
    return { commands, mayFail };
  }

  #isBlank(char: string): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 1);
    return char === " " || char === "\t" ||
      // Lines may end as on Windows, and a command as in a shell.
      (char === "\r" && (rest === "\n" || rest === "")) ||
      (char === ";" && this.#text.slice(this.#at).trim() === "");
  }

  /** Steps over the rest of `|| true`, or of `|&`. */
  #skipsOrTrue(): boolean {
    const next = this.#text.charAt(this.#at);
    if (next === "&") this.#at++;
    if (next !== "|") return false;
    if (!OR_TRUE.test(this.#text.slice(this.#at))) this.#refuseOperator("||");
    this.#at = this.#text.length;
    return true;
  }

  /** Steps over the redirection of standard error, if that is what begins with this `>`. */
  #skipsStderr(char: string): boolean {
    if (char !== ">" || this.#word !== "2" || this.#quoted) return false;
    const target = STDERR_TARGET.exec(this.#text.slice(this.#at - 1));
    if (target === null) {
      this.#refuseOperator(
        "2>",
        "errors come in the result's stderr, never in the data: leave it out",
      );
    }
    this.#at += target[0].length - 1;
    this.#word = undefined;
    return true;
  }

  #take(): string {
    return this.#text.charAt(this.#at++);
  }

  #add(piece: string): void {
    this.#word = (this.#word ?? "") + piece;
  }

  #unquoted(char: string): void {
    if (this.#skipsStderr(char)) return;
    const next = this.#text.charAt(this.#at);
    const operator = [char + next, char].find((name) => OPERATORS.has(name));
    if (operator !== undefined) this.#refuseOperator(operator);
    this.#quoted ||= "'\"$\\".includes(char);
    if (char === "'") this.#add(this.#until("'", "single quote"));
    else if (char === '"') this.#doubleQuoted();
    else if (char === "$" && next === "'") this.#dollarQuoted();
    else if (char === "\\") this.#escaped();
    else this.#add(char);
  }

  #refuseOperator(operator: string, way = OPERATORS.get(operator)): never {
    throw new SyntaxError(
      `Unquoted ${operator} at character ${this.#at} of cmd: ${way}. ` +
        `If it is meant literally, quote it: '${operator}'`,
    );
  }

  /** A shell would run what stands there, also between double quotes. */
  #refuseSubstitution(char: string, next: string): void {
    const operator = char === "`" ? char : char + next;
    if (operator !== "`" && operator !== "$(") return;
    throw new SyntaxError(
      `${operator} in double quotes at character ${this.#at} of cmd: ${NO_SUBSTITUTION}. ` +
        `If it is meant literally, use single quotes: '${operator}'`,
    );
  }

  #refuseSecondLine(): void {
    if (/^\s*(?:\||$)/.test(this.#text.slice(this.#at))) return;
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
      } else {
        this.#refuseSubstitution(char, next);
        this.#add(char);
      }
    }
    throw this.#unterminated("double quote", start);
  }

  #escaped(): void {
    if (this.#at >= this.#text.length) {
      throw new SyntaxError("The backslash at the end of cmd quotes nothing: double it or drop it");
    }
    const char = this.#take();
    // A line continuation joins lines and begins no word.
    if (char === "\r" && this.#text.charAt(this.#at) === "\n") this.#at++;
    else if (char !== "\n") this.#add(char);
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
