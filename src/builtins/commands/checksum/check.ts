import type { Chunk } from "../../../streams/mod.ts";
import { openOperands } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import type { CheckSettings } from "./check_settings.ts";
import { type ChecksumKind, digestOf } from "./kind.ts";
import { ChecksumLines, escapeName } from "./line.ts";
import { LineReader, quoteName, utf8 } from "../../text/mod.ts";

const MISSING = "No such file or directory";

/** The results for one checksum file. */
interface Tally {
  lines: number;
  proper: number;
  misformatted: number;
  unreadable: number;
  mismatched: number;
  matched: number;
}

/** Checks the files listed in the checksum files `files` and reports each result. */
export async function* checkSums(
  files: readonly string[],
  settings: CheckSettings,
  kind: ChecksumKind,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const lines = new ChecksumLines(kind.label, kind.bits / 4);
  const warn = (message: string): void => io.warn(`${kind.command}: ${message}`);
  let status = 0;
  const lists = openOperands(files, io, (problem, name, why) => {
    warn(`${quoteName(name)}: ${problem === "open" ? why : "read error"}`);
    status = 1;
  });
  const checker = new Checker(settings, kind, io);
  for await (const list of lists) {
    const tally: Tally = {
      lines: 0,
      proper: 0,
      misformatted: 0,
      unreadable: 0,
      mismatched: 0,
      matched: 0,
    };
    const shown = quoteName(list.isStdin ? "standard input" : list.name);
    const reader = new LineReader(list);
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
      const texts = decoder.decode(block).split("\n");
      if (texts.at(-1) === "") texts.pop();
      for (const text of texts) {
        tally.lines++;
        if (text.startsWith("#")) continue;
        const plain = text.endsWith("\r") ? text.slice(0, -1) : text;
        if (plain === "") continue;
        const line = lines.read(plain);
        if (line !== undefined && !(list.isStdin && line.name === "-")) {
          tally.proper++;
          const result = await checker.check(line.name, line.hex, tally);
          if (result !== undefined) yield utf8(result);
          continue;
        }
        tally.misformatted++;
        if (!settings.warn) continue;
        warn(`${shown}: ${tally.lines}: improperly formatted ${kind.label} checksum line`);
      }
    }
    if (list.failed) continue;
    if (!report(tally, shown, settings, warn)) status = 1;
  }
  return status;
}

class Checker {
  readonly #settings: CheckSettings;
  readonly #kind: ChecksumKind;
  readonly #io: BuiltinIo;

  constructor(settings: CheckSettings, kind: ChecksumKind, io: BuiltinIo) {
    this.#settings = settings;
    this.#kind = kind;
    this.#io = io;
  }

  /** Checks one file and counts the result; returns the line that reports it, if wanted. */
  async check(name: string, hex: string, tally: Tally): Promise<string | undefined> {
    const { ignoreMissing, quiet, status } = this.#settings;
    const found = await this.#digest(name);
    let result: string;
    if ("why" in found) {
      if (ignoreMissing && found.why === MISSING) return undefined;
      this.#io.warn(`${this.#kind.command}: ${quoteName(name)}: ${found.why}`);
      tally.unreadable++;
      result = "FAILED open or read";
    } else if (found.hex === hex) {
      tally.matched++;
      if (quiet) return undefined;
      result = "OK";
    } else {
      tally.mismatched++;
      result = "FAILED";
    }
    if (status) return undefined;
    const escape = name.includes("\n");
    return `${escape ? "\\" + escapeName(name) : name}: ${result}\n`;
  }

  async #digest(name: string): Promise<{ hex: string } | { why: string }> {
    let why: string | undefined;
    const note = (_problem: unknown, _name: string, text: string): void => void (why = text);
    let hex = "";
    for await (const input of openOperands([name], this.#io, note)) {
      hex = await digestOf(input, this.#kind);
    }
    return why === undefined ? { hex } : { why };
  }
}

/** Reports the results for one checksum file; true if all checks succeeded. */
function report(
  tally: Tally,
  shown: string,
  { ignoreMissing, status, strict }: CheckSettings,
  warn: (message: string) => void,
): boolean {
  if (tally.proper === 0) {
    warn(`${shown}: no properly formatted checksum lines found`);
    return false;
  }
  if (!status) {
    const count = (n: number, one: string, many: string): void => {
      if (n > 0) warn(`WARNING: ${n} ${n === 1 ? one : many}`);
    };
    count(tally.misformatted, "line is improperly formatted", "lines are improperly formatted");
    count(tally.unreadable, "listed file could not be read", "listed files could not be read");
    count(
      tally.mismatched,
      "computed checksum did NOT match",
      "computed checksums did NOT match",
    );
    if (ignoreMissing && tally.matched === 0) warn(`${shown}: no file was verified`);
  }
  return tally.matched > 0 && tally.mismatched === 0 && tally.unreadable === 0 &&
    (!strict || tally.misformatted === 0);
}
