/**
 * The table of builtins. A command consists of its row here, its file or folder in this folder, and
 * its test.
 *
 * Imports are literal and dynamic: bundlers and `deno compile` see them, they need no permission,
 * and a program starts without loading commands that it does not run. `trouble` is the exit status
 * for an error that the command does not handle itself. As POSIX defines, it is 1, or 2 and more if
 * 1 has another meaning.
 *
 * The commands share `core/` (command lines and operands), `text/` (blocks, lines and output) and
 * `hold/` (input that must be kept); `run/` runs a command by name.
 *
 * @module
 */

import type { Builtin } from "../builtin.ts";

/** The name of a builtin. */
export type BuiltinName =
  | "base64"
  | "basename"
  | "cat"
  | "column"
  | "comm"
  | "cut"
  | "diff"
  | "dirname"
  | "echo"
  | "expand"
  | "false"
  | "fmt"
  | "fold"
  | "grep"
  | "head"
  | "iconv"
  | "join"
  | "md5sum"
  | "nl"
  | "od"
  | "paste"
  | "patch"
  | "printf"
  | "rev"
  | "sed"
  | "seq"
  | "sha256sum"
  | "shuf"
  | "sort"
  | "tac"
  | "tail"
  | "tee"
  | "tr"
  | "true"
  | "unexpand"
  | "uniq"
  | "wc"
  | "xxd"
  | "yes";

/** Loads a builtin; `trouble` is its exit status for errors that it does not handle itself. */
export interface Row {
  readonly load: () => Promise<Builtin>;
  readonly trouble: number;
}

/** Every builtin, by name. */
export const commands: Readonly<Record<BuiltinName, Row>> = {
  base64: { load: async () => (await import("./base64/base64.ts")).base64, trouble: 1 },
  basename: { load: async () => (await import("./basename.ts")).basename, trouble: 1 },
  cat: { load: async () => (await import("./cat/cat.ts")).cat, trouble: 1 },
  column: { load: async () => (await import("./column/column.ts")).column, trouble: 1 },
  comm: { load: async () => (await import("./comm/comm.ts")).comm, trouble: 1 },
  cut: { load: async () => (await import("./cut/cut.ts")).cut, trouble: 1 },
  diff: { load: async () => (await import("./diff/diff.ts")).diff, trouble: 2 },
  dirname: { load: async () => (await import("./dirname.ts")).dirname, trouble: 1 },
  echo: { load: async () => (await import("./echo.ts")).echo, trouble: 1 },
  expand: { load: async () => (await import("./expand/mod.ts")).expand, trouble: 1 },
  false: { load: async () => (await import("./false.ts")).falseCommand, trouble: 1 },
  fmt: { load: async () => (await import("./fmt/fmt.ts")).fmt, trouble: 1 },
  fold: { load: async () => (await import("./fold.ts")).fold, trouble: 1 },
  grep: { load: async () => (await import("./grep/grep.ts")).grep, trouble: 2 },
  head: { load: async () => (await import("./head.ts")).head, trouble: 1 },
  iconv: { load: async () => (await import("./iconv/iconv.ts")).iconv, trouble: 1 },
  join: { load: async () => (await import("./join/join.ts")).join, trouble: 1 },
  md5sum: { load: async () => (await import("./checksum/mod.ts")).md5sum, trouble: 1 },
  nl: { load: async () => (await import("./nl/nl.ts")).nl, trouble: 1 },
  od: { load: async () => (await import("./od/od.ts")).od, trouble: 1 },
  paste: { load: async () => (await import("./paste.ts")).paste, trouble: 1 },
  patch: { load: async () => (await import("./patch/patch.ts")).patch, trouble: 2 },
  printf: { load: async () => (await import("./printf/printf.ts")).printf, trouble: 1 },
  rev: { load: async () => (await import("./rev/rev.ts")).rev, trouble: 1 },
  sed: { load: async () => (await import("./sed/sed.ts")).sed, trouble: 4 },
  seq: { load: async () => (await import("./seq/seq.ts")).seq, trouble: 1 },
  sha256sum: { load: async () => (await import("./checksum/mod.ts")).sha256sum, trouble: 1 },
  shuf: { load: async () => (await import("./shuf/shuf.ts")).shuf, trouble: 1 },
  sort: { load: async () => (await import("./sort/sort.ts")).sort, trouble: 2 },
  tac: { load: async () => (await import("./tac/tac.ts")).tac, trouble: 1 },
  tail: { load: async () => (await import("./tail.ts")).tail, trouble: 1 },
  tee: { load: async () => (await import("./tee.ts")).tee, trouble: 1 },
  tr: { load: async () => (await import("./tr/tr.ts")).tr, trouble: 1 },
  true: { load: async () => (await import("./true.ts")).trueCommand, trouble: 1 },
  unexpand: { load: async () => (await import("./expand/mod.ts")).unexpand, trouble: 1 },
  uniq: { load: async () => (await import("./uniq/uniq.ts")).uniq, trouble: 1 },
  wc: { load: async () => (await import("./wc/wc.ts")).wc, trouble: 1 },
  xxd: { load: async () => (await import("./xxd/xxd.ts")).xxd, trouble: 2 },
  yes: { load: async () => (await import("./yes.ts")).yes, trouble: 1 },
};
