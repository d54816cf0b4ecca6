import type { Chunk } from "../../../streams/mod.ts";
import { parseAddresses } from "./address.ts";
import { RangeState, type SedCommand, type SedProgram } from "./program.ts";
import {
  escaped,
  isDigit,
  SANDBOX,
  type ScriptDialect,
  type ScriptPiece,
  ScriptReader,
  SedError,
} from "./script.ts";
import { type ByteString, decodeByteString } from "./byte_string.ts";
import { parseSubstitution, readDelimited } from "./substitute.ts";
import { isNewerVersion, TextParser } from "./text.ts";
import { transliteration } from "./transliterate.ts";

/** Maximum number of addresses of a command. */
const ADDRESSES: Readonly<Record<string, 0 | 1 | 2>> = {
  "#": 0,
  ":": 0,
  "}": 0,
  q: 1,
  Q: 1,
};

/** Commands that are GNU extensions. */
const EXTENSIONS = "eFQRTvWz";
/** Commands that take at most one address with `--posix`. */
const SINGLE = "=ailr";
const EMPTY: Chunk = new Uint8Array(0);

const NO_OPTIONS: ScriptDialect = { extended: false, posix: false, sandbox: false, separator: 10 };

/** The properties of a command other than its name and addresses. */
type Details = Partial<
  Omit<SedCommand, "name" | "from" | "to" | "negate" | "looksAhead" | "waits">
>;

/**
 * Parses the parts of a script, in order, to a program. With `complete` false the rest of the
 * script is missing, and so may be ends of blocks and labels.
 *
 * @throws {SedError} When the script is invalid, with GNU's message.
 */
export function parseScript(
  pieces: readonly ScriptPiece[],
  complete = true,
): SedProgram {
  const parser = new Parser();
  for (const piece of pieces) parser.parsePiece(piece);
  if (complete) parser.finish();
  return parser.program;
}

class Parser {
  #dialect: ScriptDialect = NO_OPTIONS;
  readonly #reader = new ScriptReader();
  readonly #commands: SedCommand[] = [];
  readonly #outputs: string[] = [];
  readonly #inputs: string[] = [];
  readonly #blocks: { readonly index: number; readonly start: string }[] = [];
  readonly #labels = new Map<ByteString, number>();
  readonly #jumps: { readonly index: number; readonly label: ByteString }[] = [];
  readonly #texts = new TextParser(this.#reader);
  #silent = false;
  #first = true;

  parsePiece(piece: ScriptPiece): void {
    const reader = this.#reader;
    reader.open(piece);
    this.#dialect = piece.dialect;
    if (this.#first && reader.startsWithSilence) this.#silent = true;
    this.#first = false;
    this.#texts.goOn();
    for (;;) {
      let ch = reader.read();
      while (ch === ";" || isSpace(ch)) ch = reader.read();
      if (ch === "") break;
      this.#parseCommand(ch);
    }
    if (this.#dialect.posix && this.#texts.open) reader.fail("incomplete command");
  }

  get program(): SedProgram {
    return {
      commands: this.#commands,
      outputs: this.#outputs,
      inputs: this.#inputs,
      silent: this.#silent,
      end: this.#reader.start,
    };
  }

  /** Checks that nothing is left open, and resolves the labels. */
  finish(): void {
    const block = this.#blocks.pop();
    if (block !== undefined) throw new SedError(`${block.start}: unmatched \`{'`);
    this.#texts.finish();
    for (const { index, label } of this.#jumps) {
      const target = label === "" ? this.#commands.length : this.#labels.get(label);
      if (target === undefined) {
        const shown = decodeByteString(label);
        throw new SedError(`can't find label for jump to \`${shown}'`, 4);
      }
      (this.#commands[index] as SedCommand).target = target;
    }
  }

  #parseCommand(first: string): void {
    const reader = this.#reader;
    const { from, to, negate, name } = parseAddresses(reader, first, this.#dialect);
    if (name === "") reader.fail("missing command");
    const { posix } = this.#dialect;
    if (posix && EXTENSIONS.includes(name)) reader.fail(`unknown command: \`${name}'`);
    const allowed = ADDRESSES[name] ?? (posix && SINGLE.includes(name) ? 1 : 2);
    if (allowed === 0 && from !== undefined) {
      if (name === ":") reader.fail(": doesn't want any addresses");
      if (name === "#") reader.fail("comments don't accept any addresses");
      if (this.#blocks.length > 0) reader.fail("`}' doesn't want any addresses");
    }
    if (allowed === 1 && to !== undefined) reader.fail("command only uses one address");
    const looksAhead = from?.type === "last" || to?.type === "last";
    const waits = "nNR".includes(name);
    const add = (details: Details = {}): SedCommand => {
      const command: SedCommand = {
        name,
        from,
        to,
        negate,
        looksAhead,
        waits,
        range: from?.type === "line" && from.line === 0 ? RangeState.active : RangeState.inactive,
        rangeEnd: 0,
        target: 0,
        text: EMPTY,
        number: -1,
        file: -1,
        substitution: undefined,
        transliteration: undefined,
        ...details,
      };
      this.#commands.push(command);
      return command;
    };
    this.#parseDetails(name, add);
  }

  #parseDetails(name: string, add: (details?: Details) => SedCommand): void {
    const reader = this.#reader;
    const { posix, sandbox } = this.#dialect;
    if (sandbox && "erwRW".includes(name)) reader.fail(SANDBOX);
    switch (name) {
      case "#":
        reader.readLine();
        return;
      case ":":
        return this.#parseLabel();
      case "{":
        this.#blocks.push({ index: this.#commands.length, start: reader.start });
        add();
        return;
      case "}":
        return this.#closeBlock();
      case "a":
      case "i":
      case "c":
        return this.#texts.parse(add, posix);
      case "b":
      case "t":
      case "T":
        this.#jumps.push({ index: this.#commands.length, label: this.#readLabel() });
        add();
        return;
      case "=":
      case "d":
      case "D":
      case "F":
      case "g":
      case "G":
      case "h":
      case "H":
      case "n":
      case "N":
      case "p":
      case "P":
      case "x":
      case "z":
        this.#endCommand();
        add();
        return;
      case "l":
      case "q":
      case "Q": {
        const ch = reader.readNonBlank();
        let number = -1;
        if (isDigit(ch) && !posix) number = reader.readNumber(ch);
        else reader.back(ch);
        this.#endCommand();
        add({ number });
        return;
      }
      case "r":
      case "R":
        add({ file: indexIn(this.#inputs, this.#readFileName()) });
        return;
      case "w":
      case "W":
        add({ file: indexIn(this.#outputs, this.#readFileName()) });
        return;
      case "s":
        add({ substitution: this.#parseSubstitution() });
        return;
      case "v":
        return this.#parseVersion();
      case "y":
        return this.#parseTransliteration(add);
      case "e":
        return reader.fail("the `e' command is not supported: it would run other programs");
      default:
        return reader.fail(`unknown command: \`${decodeByteString(name)}'`);
    }
  }

  #endCommand(): void {
    endCommand(this.#reader);
  }

  #parseSubstitution(): SedCommand["substitution"] {
    const addOutput = (): number => indexIn(this.#outputs, this.#readFileName());
    return parseSubstitution(this.#reader, this.#dialect, addOutput);
  }

  #parseTransliteration(add: (details: Details) => SedCommand): void {
    const reader = this.#reader;
    const delimiter = reader.read();
    const from = readDelimited(reader, delimiter, false);
    if (from === undefined) return reader.fail("unterminated `y' command");
    const to = readDelimited(reader, delimiter, false);
    if (to === undefined) return reader.fail("unterminated `y' command");
    const result = escaped(reader, () => transliteration(from, to));
    if (result === undefined) reader.fail("strings for `y' command are different lengths");
    this.#endCommand();
    add({ transliteration: result });
  }

  #closeBlock(): void {
    const block = this.#blocks.pop();
    if (block === undefined) return this.#reader.fail("unexpected `}'");
    this.#endCommand();
    (this.#commands[block.index] as SedCommand).target = this.#commands.length;
  }

  #parseLabel(): void {
    const label = this.#readLabel();
    if (label === "") this.#reader.fail('":" lacks a label');
    this.#labels.set(label, this.#commands.length);
  }

  #readLabel(): ByteString {
    const reader = this.#reader;
    let label = "";
    let ch = reader.readNonBlank();
    while (ch !== "" && !isSpace(ch) && ch !== ";" && ch !== "}" && ch !== "#") {
      label += ch;
      ch = reader.read();
    }
    reader.back(ch);
    return label;
  }

  #readFileName(): string {
    const name = this.#reader.readLine();
    if (name === "") this.#reader.fail("missing filename in r/R/w/W commands");
    return decodeByteString(name);
  }

  #parseVersion(): void {
    const label = this.#readLabel();
    if (isNewerVersion(label)) this.#reader.fail("expected newer version of sed");
  }
}

/** Skips to the end of a command; nothing else may follow. */
function endCommand(reader: ScriptReader): void {
  const ch = reader.readNonBlank();
  if (ch === "}" || ch === "#") reader.back(ch);
  else if (ch !== "" && ch !== "\n" && ch !== ";") reader.fail("extra characters after command");
}

function isSpace(ch: string): boolean {
  return ch === " " || ch >= "\t" && ch <= "\r" && ch.length === 1;
}

function indexIn(list: string[], name: string): number {
  const known = list.indexOf(name);
  if (known >= 0) return known;
  return list.push(name) - 1;
}
