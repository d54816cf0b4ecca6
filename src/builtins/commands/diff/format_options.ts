import { type DiffFormats, readGroupFormat, readLineFormat } from "./format.ts";
import { UsageError } from "../../../command_line/mod.ts";

/** What formats are for: kinds of lines or of groups of lines. */
export const FORMATS = [
  "line",
  "old-line",
  "new-line",
  "unchanged-line",
  "old-group",
  "new-group",
  "unchanged-group",
  "changed-group",
] as const;

/** What a format is for. */
export type FormatName = typeof FORMATS[number];

/** Formats of lines and groups as options give them, each at most once or again as the same. */
export class FormatOptions {
  readonly #formats = new Map<string, string>();

  /**
   * Takes a format for `old-line`, `changed-group` and so on; `line` is that of all lines.
   *
   * @throws {UsageError} If there was another one.
   */
  set(name: string, format: string, option: string): void {
    const names = name === "line" ? ["old-line", "new-line", "unchanged-line"] : [name];
    for (const each of names) {
      const before = this.#formats.get(each);
      if (before !== undefined && before !== format) {
        throw new UsageError(`conflicting ${option} option value '${format}'`);
      }
      this.#formats.set(each, format);
    }
  }

  /** Takes the formats of `-D`. */
  define(name: string): void {
    const set = (group: string, format: string): void => this.set(`${group}-group`, format, "-D");
    set("unchanged", "%=");
    set("old", `#ifndef ${name}\n%<#endif /* ! ${name} */\n`);
    set("new", `#ifdef ${name}\n%>#endif /* ${name} */\n`);
    set("changed", `#ifndef ${name}\n%<#else /* ${name} */\n%>#endif /* ${name} */\n`);
  }

  /** Whether anything is put out for lines that are the same. */
  get showsCommon(): boolean {
    const group = this.#formats.get("unchanged-group") ?? "%=";
    return group !== "" && !(group === "%=" && this.#formats.get("unchanged-line") === "");
  }

  /** All formats; those that were not given follow from the others. */
  read(): DiffFormats {
    const given = this.#formats;
    const line = (name: string): string => given.get(`${name}-line`) ?? "%l\n";
    const changed = given.get("changed-group");
    const old = given.get("old-group") ?? changed ?? "%<";
    const fresh = given.get("new-group") ?? changed ?? "%>";
    return {
      lines: {
        old: readLineFormat(line("old")),
        new: readLineFormat(line("new")),
        unchanged: readLineFormat(line("unchanged")),
      },
      groups: {
        old: readGroupFormat(old),
        new: readGroupFormat(fresh),
        unchanged: readGroupFormat(given.get("unchanged-group") ?? "%="),
        changed: readGroupFormat(changed ?? old + fresh),
      },
    };
  }
}
