import { ConfigError } from "../settings/mod.ts";

/** One setting in a configuration file. */
export interface ConfigEntry {
  readonly key: string;
  readonly value: string;
  /** The line number, from 1. */
  readonly line: number;
}

/**
 * Reads lines `KEY=value`. Empty lines and lines that begin with `#` are ignored. A leading
 * `export` and spaces around the `=` are allowed; the value may be in single quotes, inside which
 * nothing is special, or in double quotes, where a backslash escapes `"`, `$`, a backquote and
 * itself; without quotes it ends before ` #`. Nothing is expanded.
 *
 * @throws {ConfigError} A line has another form; the message names file and line.
 */
export function parseConfig(text: string, file: string): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  for (const [index, raw] of lines.entries()) {
    const line = index + 1;
    const text = raw.trim();
    if (text === "" || text.startsWith("#")) continue;
    const match = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/s.exec(text);
    const [, key, written] = match ?? [];
    if (key === undefined || written === undefined) {
      throw new ConfigError(`${file}, line ${line}: not a line like KEY=value`);
    }
    const value = unquote(written);
    if (value === undefined) {
      throw new ConfigError(
        `${file}, line ${line}: the value of ${key} has a quote without an end`,
      );
    }
    entries.push({ key, value, line });
  }
  return entries;
}

/** The value of a setting; `undefined` if a quote is not closed, or closed too early. */
function unquote(written: string): string | undefined {
  const [, single] = /^'([^']*)'\s*(?:#.*)?$/.exec(written) ?? [];
  if (single !== undefined) return single;
  const [, double] = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(written) ?? [];
  if (double !== undefined) return double.replace(/\\(["$`\\])/g, "$1");
  if (/^["']/.test(written)) return undefined;
  return written.replace(/(^|\s+)#.*$/, "");
}
