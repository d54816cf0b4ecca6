import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { errorText, isFatal, openFile, parseCommand } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { findChanges } from "./changes.ts";
import { diffCommand } from "./command.ts";
import { printContext, printUnified } from "./hunks.ts";
import type { Changes } from "./lines.ts";
import { type DiffSettings, readDiffSettings } from "./options.ts";
import { LinePrinter, type Pieces, printNormal } from "./print.ts";
import { isExact } from "./sameness.ts";
import { isBinary, sameBytes, strippedLines } from "./text.ts";
import { type HeldInput, holdInput, LineFile, LineView, Storage } from "../../hold/mod.ts";
import { tryHelp } from "../../../command_line/mod.ts";
import { utf8 } from "../../text/mod.ts";

/** Exit status after an error; 1 means that the files differ. */
const TROUBLE = 2;
const ABSENT = "No such file or directory";
const FOLDER = "Is a directory";

/**
 * The command `diff`; see {@linkcode Builtin}. Compares two files of any size, but no folders, and
 * holds neither in memory: memory grows with the number of lines between the first and the last
 * difference, which `limits.diffLines` bounds. (Two files of 18 MB and 430,000 lines take 78 MB, of
 * which the runtime uses 40.) Headings have no times, because the file ports do not provide them.
 */
export async function* diff(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const hint = tryHelp("diff");
  const warn = (message: string): void => io.warn(message === hint ? `diff: ${hint}` : message);
  const parsed = parseCommand(
    args,
    { ...io, warn },
    diffCommand,
    (items) => readDiffSettings(items, args),
    TROUBLE,
  );
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const inputs = new Inputs(parsed.settings, io);
  try {
    const opened = await inputs.open();
    if (opened === undefined) return TROUBLE;
    if (opened !== "same folder" && opened !== "same file") {
      return yield* compare(opened, parsed.settings, io);
    }
    const { files, reportIdentical } = parsed.settings;
    if (opened === "same file" && reportIdentical) yield identical(files, parsed.settings);
    return 0;
  } finally {
    await inputs.close();
  }
}

/** The report that the files are the same (`-s`). */
function identical(names: readonly [string, string], { labels }: DiffSettings): Chunk {
  const [first, second] = names.map((name, i) => labels[i] ?? name);
  return utf8(`Files ${first} and ${second} are identical\n`);
}

/** Both inputs, and the names under which they were found. */
interface Opened {
  readonly inputs: readonly [HeldInput, HeldInput];
  readonly names: readonly [string, string];
  readonly storage: Storage;
}

async function* compare(
  { inputs, names, storage }: Opened,
  settings: DiffSettings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const [shown0, shown1] = names.map((name, i) => settings.labels[i] ?? name);
  const report = (): Chunk => utf8(`Files ${shown0} and ${shown1} differ\n`);
  const { sameness, stripCr, brief } = settings;
  const binary = !settings.text && (await isBinary(inputs[0]) || await isBinary(inputs[1]));
  const exact = isExact(sameness) && !stripCr && !settings.blankLines &&
    settings.ignored === undefined;
  if (binary || (brief && exact)) {
    if (!await sameBytes(...inputs)) {
      yield brief || !binary ? report() : utf8(`Binary files ${shown0} and ${shown1} differ\n`);
      return 1;
    }
    if (settings.reportIdentical) yield identical(names, settings);
    return 0;
  }
  const files = [
    stripCr ? await strippedLines(inputs[0], storage) : await LineFile.of(inputs[0]),
    stripCr ? await strippedLines(inputs[1], storage) : await LineFile.of(inputs[1]),
  ] as const;
  const changes = await findChanges(files, settings, io);
  let differ = false;
  for (const _ of changes.shown()) {
    differ = true;
    break;
  }
  if (brief) {
    if (differ) yield report();
  } else if (differ) {
    yield* print(changes, files, settings, headerOf(names, settings));
  }
  if (!differ && settings.reportIdentical) yield identical(names, settings);
  return differ ? 1 : 0;
}

/**
 * Removes parts without effect from a path: `./f` and `f` are the same file, so nothing differs.
 */
function plain(path: string): string {
  return path.replace(/\/+(\.\/+)*/g, "/").replace(/^(\.\/)+(?=.)/, "");
}

async function* print(
  changes: Changes,
  files: readonly [LineFile, LineFile],
  settings: DiffSettings,
  header: Chunk,
): Pieces {
  const out = new LinePrinter(settings);
  const views = [new LineView(files[0]), new LineView(files[1])] as const;
  const { style } = settings;
  if (style === "normal") yield* printNormal(changes, views, out);
  else if (style === "unified") yield* printUnified(changes, views, out, settings, header);
  else yield* printContext(changes, views, out, settings, header);
  if (out.length > 0) yield out.take();
}

/** Opens the two files. */
class Inputs {
  readonly #settings: DiffSettings;
  readonly #io: BuiltinIo;
  readonly #storage: Storage;
  readonly #sources: ByteSource[] = [];
  readonly #held: HeldInput[] = [];

  constructor(settings: DiffSettings, io: BuiltinIo) {
    this.#settings = settings;
    this.#io = io;
    this.#storage = new Storage(io);
  }

  /**
   * Opens both files. A folder stands for the file in it that has the other's name. Returns
   * `undefined` after reporting an error. Two equal names are not read, for no difference can be
   * printed.
   */
  async open(): Promise<Opened | "same file" | "same folder" | undefined> {
    const { files, newFirstFile, newFile } = this.#settings;
    const io = this.#io;
    const storage = this.#storage;
    const names: [string, string] = [...files];
    if (plain(names[0]) === plain(names[1])) {
      const found = await this.#look(names[0]);
      if (found !== undefined) return found;
    }
    if (names[0] === "-" && names[1] === "-") {
      const both = await this.#read("-");
      if (typeof both !== "string") return { inputs: [both, both], names, storage };
      io.warn(`diff: -: ${both}`);
      return undefined;
    }
    const found: [HeldInput | string, HeldInput | string] = [
      await this.#read(names[0]),
      await this.#read(names[1]),
    ];
    if (
      names.includes("-") && found.includes(FOLDER) &&
      found.some((each) => typeof each === "object")
    ) {
      io.warn("diff: cannot compare '-' to a directory");
      return undefined;
    }
    for (const [i, other] of [[0, 1], [1, 0]] as const) {
      // A folder stands for the file in it that has the other's name.
      if (found[i] !== FOLDER || typeof found[other] === "string") continue;
      const base = names[other].replace(/\/+$/, "").split("/").at(-1) ?? "";
      names[i] = `${names[i].replace(/\/+$/, "")}/${base}`;
      found[i] = await this.#read(names[i]);
    }
    const [first, second] = found;
    const empty: HeldInput = {
      size: 0,
      read: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    };
    if (first === ABSENT && typeof second !== "string" && newFirstFile) {
      return { inputs: [empty, second], names, storage };
    }
    if (second === ABSENT && typeof first !== "string" && newFile) {
      return { inputs: [first, empty], names, storage };
    }
    if (typeof first !== "string" && typeof second !== "string") {
      return { inputs: [first, second], names, storage };
    }
    if (first === FOLDER && second === FOLDER) {
      io.warn(`diff: ${names[0]}, ${names[1]}: Folders cannot be compared here, only files`);
      return undefined;
    }
    names.forEach((name, i) => {
      // The file in a folder is not looked for if the other file cannot be opened.
      if (found[i] === FOLDER && typeof found[1 - i] === "string") return;
      if (typeof found[i] === "string") io.warn(`diff: ${name}: ${found[i]}`);
    });
    return undefined;
  }

  /**
   * Finds what kind of file a name stands for, without reading it; `undefined` if it cannot be
   * opened.
   */
  async #look(name: string): Promise<"same file" | "same folder" | undefined> {
    if (name === "-") return "same file";
    try {
      this.#sources.push(await openFile(name, this.#io));
      return "same file";
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      return errorText(error) === FOLDER ? "same folder" : undefined;
    }
  }

  async close(): Promise<void> {
    for (const held of this.#held) await held.close();
    for (const source of this.#sources) await source.return();
  }

  async #read(name: string): Promise<HeldInput | string> {
    try {
      let source = this.#io.stdin;
      if (name !== "-") {
        source = await openFile(name, this.#io);
        this.#sources.push(source);
      }
      const held = await holdInput(source, this.#storage);
      this.#held.push(held);
      return held;
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      return errorText(error);
    }
  }
}

function headerOf(names: readonly string[], { style, labels, colors }: DiffSettings): Chunk {
  const marks = style === "unified" ? ["---", "+++"] : ["***", "---"];
  const lines = names.map((name, i) => `${marks[i]} ${labels[i] ?? quoteHeader(name)}`);
  return utf8(lines.map((line) => colors ? `\x1b[1m${line}\x1b[0m\n` : `${line}\n`).join(""));
}

const ESCAPES = ["a", "b", "t", "n", "v", "f", "r"];

/** Quotes a name as in C if it could not be read back from a heading. */
function quoteHeader(name: string): string {
  // deno-lint-ignore no-control-regex
  if (!/[\x00-\x20"\\\x7f]/.test(name)) return name;
  // deno-lint-ignore no-control-regex
  const escaped = name.replace(/[\x00-\x1f"\\\x7f]/g, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    const code = character.charCodeAt(0);
    return `\\${ESCAPES[code - 7] ?? code.toString(8).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}
