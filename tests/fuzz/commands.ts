import { Random } from "../../src/regex/_testing.ts";
import type { Chunk } from "../../src/streams/mod.ts";
import type { FuzzCase, Part } from "./case.ts";
import { echoOperand, printfArgument, printfFormat, seqFormat, seqNumber } from "./formats.ts";
import { type InputOptions, randomInput, randomLines } from "./input.ts";
import { hexDump, patchCase, sumsOf } from "./made_inputs.ts";
import { anyOddPattern, eitherPattern, perlPattern, withSpecial } from "./patterns.ts";
import { sedIdiom } from "./sed_idioms.ts";
import { sedCommands } from "./sed_script.ts";
import { rowName, spell, type TableRow } from "./table.ts";
import { trSet } from "./tr_sets.ts";
import {
  anyPattern,
  delimiter,
  fileName,
  mostly,
  number,
  oneOf,
  pattern,
  positive,
  ranges,
  signedSize,
  size,
  sortKey,
  tabStops,
  text,
  type Value,
} from "./values.ts";

/** A case that is being made. */
interface Draft {
  parts: Part[];
  stdin: Chunk;
  seekable: boolean;
  files: Record<string, Chunk>;
  limit?: number;
}

/** The rules for the cases of a command, besides its option table. */
export interface CommandFuzz {
  /** Option rows that the help leaves out, in its format. */
  readonly hidden?: readonly string[];
  /** Options that are not tried: their known differences would hide others. */
  readonly skip?: readonly string[];
  /** Generators of arguments, by the option's name. */
  readonly values?: Readonly<Record<string, Value>>;
  /** Most options of a case. */
  readonly most?: number;
  readonly input?: InputOptions;
  /** Adds the operands. */
  readonly operands?: (random: Random, draft: Draft) => void;
  /** Most bytes of standard output that are compared; see `FuzzCase`. */
  readonly limit?: number;
}

function files(random: Random, draft: Draft, most = 3): void {
  const count = random.chance(55) ? 0 : 1 + random.int(most);
  for (let i = 0; i < count; i++) draft.parts.push([fileName(random)]);
}

function two(random: Random, draft: Draft): void {
  for (const name of ["f", "g"]) draft.parts.push([random.chance(92) ? name : fileName(random)]);
  if (random.chance(1)) draft.parts.push(["f"]);
}

function similar(random: Random, draft: Draft, options: InputOptions): void {
  // These commands compare files, so both get common lines.
  draft.files["g"] = edited(random, draft.files["f"] ?? new Uint8Array(0), options);
}

/** A text with some lines left out, changed and added. */
function edited(random: Random, data: Chunk, options: InputOptions): Chunk {
  const lines: number[][] = [[]];
  for (const byte of data) {
    lines.at(-1)?.push(byte);
    if (byte === 10) lines.push([]);
  }
  const kept = lines.filter(() => !random.chance(12)).map((line) =>
    random.chance(6) ? [...line.slice(0, 1), 120, ...line.slice(1)] : line
  );
  for (let i = random.int(3); i > 0; i--) {
    const [line = ""] = randomLines(random, options.flavours);
    kept.splice(random.int(kept.length + 1), 0, [...new TextEncoder().encode(`${line}\n`)]);
  }
  if (options.sorted === true) {
    kept.sort((a, b) => {
      for (let i = 0; i < a.length && i < b.length; i++) {
        if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0);
      }
      return a.length - b.length;
    });
  }
  return Uint8Array.from(kept.flat());
}

const sorted: InputOptions = {
  sorted: true,
  flavours: ["few", "words", "fields", "few", "numbers"],
};
const method = oneOf("none", "prepend", "separate", "append", "both", "sep", "", "x");
const names: Value = (random) => random.chance(80) ? "names" : fileName(random);

function namesFile(random: Random, draft: Draft): void {
  const list = Array.from({ length: random.int(4) }, () => fileName(random));
  draft.files["names"] = new TextEncoder().encode(
    list.join("\0") + (random.chance(70) ? "\0" : ""),
  );
}

/** The rules for the cases of each command. */
export const commands: Readonly<Record<string, CommandFuzz>> = {
  cat: {},
  wc: {
    skip: ["total"],
    values: { "files0-from": names },
    operands: (random, draft) => {
      namesFile(random, draft);
      files(random, draft);
    },
  },
  head: {
    values: { lines: signedSize, bytes: signedSize },
    most: 2,
    operands: (random, draft) => {
      if (random.chance(8)) {
        draft.parts.unshift([
          `-${random.int(12)}${random.pick(["", "c", "l", "q", "k", "cq", "m"])}`,
        ]);
      }
      files(random, draft);
    },
  },
  tail: {
    hidden: ["      --retry", "      --pid=PID", "  -s, --sleep-interval=N"],
    skip: ["f", "follow", "F", "pid", "sleep-interval"],
    values: { lines: signedSize, bytes: signedSize },
    most: 2,
    operands: (random, draft) => {
      if (random.chance(8)) {
        draft.parts.unshift([
          `${random.pick(["-", "+"])}${random.pick(["", "0", "1", "2", "5"])}${
            random.pick(["", "c", "l", "b", "x"])
          }`,
        ]);
      }
      files(random, draft);
    },
  },
  tr: {
    most: 2,
    operands: (random, draft) => {
      draft.parts.push([trSet(random, false)]);
      if (random.chance(70)) draft.parts.push([trSet(random, true)]);
      if (random.chance(1)) draft.parts.push(["x"]);
    },
  },
  sort: {
    skip: [
      "temporary-directory",
      "parallel",
      "random-sort",
    ],
    most: 4,
    input: {
      flavours: [
        "numbers",
        "fields",
        "few",
        "words",
        "versions",
        "numbers",
        "fields",
        "wide",
        "blanks",
      ],
    },
    values: {
      sort: mostly(
        oneOf("numeric", "general-numeric", "human-numeric", "month", "version", "n", "g"),
        3,
        text,
      ),
      "batch-size": mostly(oneOf("2", "3", "16"), 20, number),
      check: mostly(oneOf("diagnose-first", "quiet", "silent", "q"), 3, text),
      "files0-from": names,
      key: sortKey,
      output: mostly(oneOf("out", "f", "out"), 5, fileName),
      "buffer-size": mostly(oneOf("1", "1b", "10K", "1M", "50%"), 15, size),
      "field-separator": delimiter,
    },
    operands: (random, draft) => {
      namesFile(random, draft);
      if (random.chance(4)) {
        draft.parts.unshift([`+${random.int(3)}${random.pick(["", ".1", "n", ".0b"])}`]);
        if (random.chance(50)) {
          draft.parts.splice(1, 0, [`-${random.int(4)}${random.pick(["", ".1", "r"])}`]);
        }
      }
      files(random, draft);
    },
  },
  shuf: {
    // No order is the same: only those of one line, of the same lines or of none.
    skip: ["repeat"],
    most: 3,
    values: {
      "input-range": mostly(oneOf("1-1", "0-0", "5-5", "2-1"), 15, text),
      "head-count": mostly(oneOf("0", "0", "1", "10"), 15, number),
      output: mostly(oneOf("out", "f"), 5, fileName),
    },
    operands: (random, draft) => {
      const end = draft.parts.some(([word = ""]) => /^-[a-z]*z|^--z/.test(word)) ? "\0" : "\n";
      const same = new TextEncoder().encode(`${random.pick(["a", "", "\u3042 b"])}${end}`);
      const lines = Uint8Array.from(
        { length: random.int(9) * same.length },
        (_, i) => same[i % same.length] ?? 0,
      );
      draft.stdin = lines;
      draft.files["f"] = lines;
      draft.files["g"] = lines;
      // With -e each operand is a line.
      const isEcho = draft.parts.some(([word = ""]) => /^-[a-z]*e|^--e/.test(word));
      files(random, draft, isEcho || random.chance(95) ? 1 : 2);
    },
  },
  column: {
    skip: [
      "fillrows",
      "table-noextreme",
      "table-truncate",
      "table-wrap",
      "table-name",
      "tree",
      "tree-id",
      "tree-parent",
      "json",
    ],
    most: 4,
    input: { flavours: ["fields", "words", "fields", "wide", "numbers"] },
    values: {
      separator: mostly(oneOf(",", ":", " ", ",;", "\u00e9"), 10, text),
      "output-separator": mostly(oneOf("|", " | ", ""), 10, text),
      "table-columns": oneOf("A", "A,B", "A,B,C,D"),
      "table-right": oneOf("1", "2", "0", "1,2", "9"),
      "table-hide": oneOf("1", "2", "-", "9"),
      "table-order": oneOf("2", "3,1", "9"),
      "table-columns-limit": mostly(oneOf("1", "2", "9"), 15, number),
      "output-width": mostly(oneOf("20", "40", "80", "132"), 15, number),
    },
    operands: (random, draft) => {
      if (random.chance(75)) draft.parts.unshift(["-t"]);
      files(random, draft);
    },
  },
  iconv: {
    skip: ["output", "list", "verbose", "c"],
    most: 2,
    input: { flavours: ["wide", "words", "wide"] },
    values: {
      "from-code": oneOf("UTF-8", "UTF-16LE", "UTF-16", "latin1", "CP1252", "ASCII", "KOI8-R"),
      "to-code": oneOf("UTF-8", "UTF-16", "UTF-16BE", "UTF-32", "latin1", "ASCII", "ISO-8859-15"),
    },
    operands: (random, draft) => files(random, draft),
  },
  cut: {
    most: 3,
    input: { flavours: ["fields", "fields", "words", "wide", "blanks"] },
    values: {
      bytes: ranges,
      characters: ranges,
      fields: ranges,
      delimiter,
      "output-delimiter": text,
    },
    operands: (random, draft) => {
      if (!draft.parts.some(([word = ""]) => /^-(-?[bcf])/.test(word))) {
        draft.parts.unshift([`-${random.pick(["b", "c", "f", "f"])}${ranges(random)}`]);
      }
      files(random, draft);
    },
  },
  uniq: {
    most: 3,
    input: { flavours: ["few", "few", "few", "fields", "blanks"] },
    values: {
      "skip-fields": number,
      "skip-chars": number,
      "check-chars": number,
      "all-repeated": method,
      group: method,
    },
    operands: (random, draft) => {
      if (random.chance(5)) draft.parts.unshift([`${random.pick(["-", "+"])}${random.int(4)}`]);
      if (random.chance(35)) draft.parts.push([fileName(random)]);
      if (random.chance(8)) draft.parts.push([random.pick(["out", "-", "."])]);
    },
  },
  paste: {
    most: 2,
    values: {
      delimiters: mostly(
        text,
        50,
        oneOf(":", ",;", "\\0", "\\t\\n", "\\", "\\\\", "ab", "\\x", "\u00e9", ":\\n"),
      ),
    },
    operands: (random, draft) => files(random, draft, 4),
  },
  comm: {
    most: 3,
    input: sorted,
    values: { "output-delimiter": text },
    operands: (random, draft) => {
      similar(random, draft, sorted);
      two(random, draft);
    },
  },
  join: {
    most: 3,
    input: sorted,
    values: {
      a: mostly(oneOf("1", "2"), 5, number),
      v: mostly(oneOf("1", "2"), 5, number),
      e: text,
      j: positive,
      "1": mostly(oneOf("1", "2", "1", "3"), 5, number),
      "2": mostly(oneOf("1", "2", "1", "3"), 5, number),
      t: delimiter,
      o: mostly(
        oneOf("auto", "0", "1.1,2.1", "0,1.2,2.2", "1.2 2.1", "0 1.1", "2.3"),
        6,
        oneOf(
          "",
          "1",
          "3.1",
          "1.0",
          "0.1",
          "1.",
          ",",
          "a",
          "1.1,,2.1",
          "auto,1.1",
          "1.99999999999999999999",
        ),
      ),
    },
    operands: (random, draft) => {
      similar(random, draft, sorted);
      two(random, draft);
    },
  },
  fold: {
    most: 2,
    input: { flavours: ["paragraphs", "words", "blanks", "wide"] },
    values: { width: positive },
    operands: files,
  },
  fmt: {
    most: 2,
    input: { flavours: ["paragraphs", "paragraphs", "paragraphs", "words", "blanks", "wide"] },
    values: {
      width: mostly(oneOf("10", "20", "30", "40", "75", "1", "5"), 20, number),
      goal: mostly(oneOf("10", "20", "30", "5"), 20, number),
      prefix: oneOf("> ", ">", "* ", "", " ", "  > ", "a"),
    },
    operands: (random, draft) => {
      if (random.chance(5)) draft.parts.unshift([`-${random.pick(["1", "20", "40", "2x", "0"])}`]);
      files(random, draft);
    },
  },
  expand: {
    most: 2,
    input: { flavours: ["blanks", "blanks", "fields", "words", "wide"] },
    values: { tabs: tabStops },
    operands: shortTabs,
  },
  unexpand: {
    most: 2,
    input: { flavours: ["blanks", "blanks", "fields", "words", "wide"] },
    values: { tabs: tabStops },
    operands: shortTabs,
  },
  nl: {
    most: 4,
    values: {
      "body-numbering": numbering,
      "header-numbering": numbering,
      "footer-numbering": numbering,
      "section-delimiter": mostly(oneOf("\\:", "ab", "x", "", ":"), 30, text),
      "line-increment": number,
      "join-blank-lines": number,
      "number-format": mostly(oneOf("ln", "rn", "rz"), 8, text),
      "number-separator": text,
      "starting-line-number": mostly(number, 30, oneOf("-5", "-1", "9223372036854775806", "100")),
      "number-width": mostly(positive, 10, number),
    },
    operands: (random, draft) => {
      if (random.chance(40)) draft.stdin = withSections(random, draft.stdin);
      files(random, draft);
    },
  },
  tac: {
    most: 2,
    values: {
      separator: mostly(
        oneOf(
          "a",
          "\n",
          " ",
          "ab",
          "\n\n",
          "a$",
          "a\\b",
          "x*",
          "[ab]",
          "\\n",
          ".",
          "^a",
          "a$",
          "\\(a\\|b\\)",
          "a\\+",
        ),
        20,
        text,
      ),
    },
    operands: (random, draft) => files(random, draft),
  },
  rev: { operands: (random, draft) => files(random, draft) },
  tee: {
    most: 2,
    values: {
      "output-error": mostly(oneOf("warn", "warn-nopipe", "exit", "exit-nopipe"), 10, text),
    },
    operands: (random, draft) => {
      for (let i = random.int(3); i > 0; i--) {
        draft.parts.push([random.pick(["out", "out2", "f", "out", ".", "no/such", "-"])]);
      }
    },
  },
  seq: {
    most: 2,
    values: { format: seqFormat, separator: text },
    operands: (random, draft) => {
      for (let i = 1 + random.int(random.chance(2) ? 4 : 3); i > 0; i--) {
        draft.parts.push([seqNumber(random)]);
      }
    },
    limit: 20_000,
  },
  printf: {
    operands: (random, draft) => {
      draft.parts.push([printfFormat(random)]);
      for (let i = random.int(5); i > 0; i--) draft.parts.push([printfArgument(random)]);
    },
  },
  echo: {
    operands: (random, draft) => {
      for (let i = random.int(4); i > 0; i--) draft.parts.push([echoOperand(random)]);
    },
  },
  basename: { values: { suffix: pathText }, most: 2, operands: paths },
  dirname: { most: 2, operands: paths },
  yes: {
    operands: (random, draft) => draft.parts.push(...(random.chance(50) ? [[text(random)]] : [])),
    limit: 3000,
  },
  true: { operands: (random, draft) => files(random, draft) },
  false: { operands: (random, draft) => files(random, draft) },
  base64: {
    most: 2,
    values: { wrap: mostly(oneOf("0", "4", "10", "76", "1"), 15, number) },
    operands: (random, draft) => {
      if (random.chance(50)) draft.stdin = encoded(random, draft.stdin);
      files(random, draft, random.chance(95) ? 1 : 2);
    },
  },
  od: {
    most: 4,
    skip: ["f"],
    values: {
      "address-radix": mostly(oneOf("d", "o", "x", "n"), 5, text),
      endian: mostly(oneOf("big", "little", "b"), 5, text),
      "skip-bytes": mostly(oneOf("0", "1", "3", "5", "0x4", "010", "1b"), 15, size),
      "read-bytes": mostly(oneOf("0", "1", "5", "20", "0x10", "100"), 15, size),
      format: mostly(
        oneOf(
          "x1",
          "o1",
          "d1",
          "u1",
          "c",
          "a",
          "x2",
          "x4",
          "x8",
          "d2",
          "d4",
          "u8",
          "o8",
          "x1z",
          "cz",
          "xC",
          "dS",
          "uI",
          "dL",
          "x1c",
          "x1d2",
          "a",
          "az",
          "fF",
          "fD",
          "f4",
          "f8",
        ),
        4,
        oneOf("", "z", "x3", "y", "d16", "q", "x1zz", "fQ", "cc", "x99"),
      ),
      width: mostly(oneOf("1", "4", "8", "16", "32", "3", "5", "12"), 12, number),
    },
    operands: (random, draft) => {
      files(random, draft, 2);
    },
  },
  xxd: {
    most: 3,
    skip: ["h", "v", "help", "version"],
    values: {
      c: mostly(oneOf("1", "4", "8", "16", "20", "3"), 15, number),
      cols: mostly(oneOf("1", "4", "8", "16", "20", "3"), 15, number),
      g: mostly(oneOf("0", "1", "2", "4", "8", "3"), 10, number),
      groupsize: mostly(oneOf("0", "1", "2", "4", "8", "3"), 10, number),
      l: mostly(oneOf("0", "1", "5", "20", "100"), 10, number),
      len: mostly(oneOf("0", "1", "5", "20", "100"), 10, number),
      s: mostly(oneOf("0", "1", "5", "+2", "-3", "0x4"), 10, number),
      seek: mostly(oneOf("0", "1", "5", "+2", "-3", "0x4"), 10, number),
      n: oneOf("name", "x", ""),
      name: oneOf("name", "x", ""),
    },
    operands: (random, draft) => {
      if (random.chance(35)) draft.stdin = hexDump(random, draft.stdin);
      if (random.chance(35)) draft.parts.push([fileName(random)]);
    },
  },
  sha256sum: { most: 2, operands: (random, draft) => sums(random, draft, 64) },
  md5sum: { most: 2, operands: (random, draft) => sums(random, draft, 32) },
  diff: {
    most: 3,
    input: { flavours: ["words", "few", "blanks", "fields", "paragraphs"] },
    skip: ["recursive"],
    values: {
      context: number,
      unified: number,
      "show-function-line": anyPattern,
      "ignore-matching-lines": anyPattern,
      label: text,
      tabsize: positive,
      "horizon-lines": number,
      color: oneOf("never", "auto", "always", "always"),
    },
    operands: (random, draft) => {
      similar(random, draft, { flavours: ["words", "few", "blanks"] });
      two(random, draft);
    },
  },
  patch: {
    most: 2,
    skip: ["directory", "verbose"],
    values: {
      strip: oneOf("0", "1", "2"),
      fuzz: oneOf("0", "1", "2", "3"),
      input: oneOf("p", "p", "missing", "-"),
      output: oneOf("out", "-", "out"),
      "reject-file": oneOf("rej", "-"),
      suffix: oneOf(".bak", "~", ".o"),
    },
    operands: (random, draft) => {
      const { original, patch } = patchCase(random, edited);
      draft.files = { f: original, g: draft.files["g"] ?? original, p: patch };
      if (random.chance(40)) draft.files["d/f"] = original;
      draft.stdin = patch;
      if (random.chance(60)) draft.parts.push(["f"]);
      if (random.chance(15)) draft.parts.push(["p"]);
    },
  },
  grep: {
    hidden: [],
    skip: ["recursive", "dereference-recursive", "devices"],
    most: 5,
    values: {
      regexp: eitherPattern,
      file: mostly(oneOf("patterns", "g"), 8, fileName),
      "max-count": mostly(oneOf("1", "2", "3", "0"), 15, number),
      label: text,
      "binary-files": mostly(oneOf("binary", "text", "without-match"), 5, text),
      directories: oneOf("read", "skip"),
      "before-context": mostly(oneOf("0", "1", "2"), 6, number),
      "after-context": mostly(oneOf("0", "1", "2"), 6, number),
      context: mostly(oneOf("0", "1", "2"), 6, number),
      "group-separator": text,
      color: mostly(oneOf("always", "never", "auto"), 5, text),
    },
    operands: grepOperands,
  },
  sed: {
    skip: ["debug", "in-place"],
    most: 3,
    values: {
      expression: oneOf("p", "s/a/b/", "$!d"),
      file: oneOf("s.sed"),
      "line-length": number,
    },
    operands: sedOperands,
  },
};

function shortTabs(random: Random, draft: Draft): void {
  if (random.chance(8)) {
    draft.parts.unshift([`-${random.pick(["4", "2,4", "0", "3,", "1,2,9", "a", "8i"])}`]);
  }
  files(random, draft);
}

function numbering(random: Random): string {
  return random.chance(75)
    ? random.pick(["a", "t", "n"])
    : random.chance(85)
    ? `p${pattern(random, false)}`
    : random.pick(["", "x", "ab", "p", "p["]);
}

function withSections(random: Random, data: Chunk): Chunk {
  const marks = ["\\:\\:\\:\n", "\\:\\:\n", "\\:\n", "ababab\n", "xx\n", "::\n"];
  const out: number[] = [];
  for (const byte of data) {
    out.push(byte);
    if (byte === 10 && random.chance(25)) out.push(...new TextEncoder().encode(random.pick(marks)));
  }
  return Uint8Array.from(out);
}

function pathText(random: Random): string {
  return random.pick([
    "a",
    "/",
    "//",
    "///",
    "a/b",
    "/a/b",
    "a//b//",
    "/a/",
    "a.txt",
    ".txt",
    "",
    ".",
    "..",
    "../x",
    "a b",
    "/usr/bin/sort",
    "x.tar.gz",
    ".gz",
    "\u00e9/\u3042",
    "a/.",
    "-",
    "b",
    "a\nb",
    "//a",
    "a/b.c/",
  ]);
}

function paths(random: Random, draft: Draft): void {
  for (let i = random.chance(4) ? 0 : 1 + random.int(3); i > 0; i--) {
    draft.parts.push([pathText(random)]);
  }
}

function encoded(random: Random, data: Chunk): Chunk {
  let body = btoa(String.fromCharCode(...data.subarray(0, 3000)));
  if (random.chance(70)) body = body.replace(/.{1,76}/g, "$&\n");
  for (let i = random.chance(50) ? random.int(3) : 0; i > 0; i--) {
    const at = random.int(body.length + 1);
    body = body.slice(0, at) + random.pick(["=", "\n", "*", "==", "A", " ", "\r\n", ""]) +
      body.slice(at + random.int(2));
  }
  return new TextEncoder().encode(body);
}

function sums(random: Random, draft: Draft, digits: number): void {
  if (random.chance(60)) {
    draft.stdin = sumsOf(random, draft.files, digits);
    draft.files["sums"] = draft.stdin;
    if (random.chance(80)) draft.parts.unshift([random.pick(["-c", "--check"])]);
    draft.parts.push(...(random.chance(50) ? [["sums"]] : []));
  } else files(random, draft);
}

/** Sometimes makes lines end with NUL, if the options say so, and adds special characters. */
function adaptInput(random: Random, draft: Draft): void {
  const nul = draft.parts.some(([word = ""]) => /^-[a-zA-Z]*z|^--(nul|z)/.test(word));
  if (nul && random.chance(60)) {
    draft.stdin = randomInput(random, { separator: "\0" });
    draft.files["f"] = random.chance(50) ? draft.stdin : randomInput(random, { separator: "\0" });
  }
  if (random.chance(6)) draft.stdin = withSpecial(random, draft.stdin);
}

function grepOperands(random: Random, draft: Draft): void {
  adaptInput(random, draft);
  const extended = draft.parts.some(([word = ""]) => /^-E|^--ex/.test(word));
  const perl = draft.parts.some(([word = ""]) => /^-P|^--pe/.test(word));
  const one = (): string =>
    perl && random.chance(90) ? perlPattern(random) : anyOddPattern(random, extended);
  const list = [one()];
  while (random.chance(perl ? 2 : 12)) list.push(one());
  draft.files["patterns"] = new TextEncoder().encode(
    list.join("\n") + (random.chance(80) ? "\n" : ""),
  );
  if (random.chance(2)) {
    // A file whose first NUL comes late. Not from a pipe, as the size of its chunks is unknown.
    draft.seekable = true;
    const text = "foo bar\na b c\n".repeat(1 + random.int(12_000));
    draft.stdin = new TextEncoder().encode(text + random.pick(["\0", "\0\nfoo\n", "\0a\n"]));
  }
  const given = draft.parts.some(([word = ""]) => /^-[ef]|^--reg|^--file(=|$)/.test(word));
  if (!given || random.chance(5)) draft.parts.push([list.join("\n")]);
  files(random, draft);
}

/** Adds the pieces of a script as options or an operand. */
function addScript(random: Random, draft: Draft, script: readonly string[]): void {
  if (random.chance(25)) {
    for (const command of script) draft.parts.push(["-e", command]);
  } else if (random.chance(15)) {
    draft.files["s.sed"] = new TextEncoder().encode(
      script.join("\n") + (random.chance(80) ? "\n" : ""),
    );
    draft.parts.push(["-f", "s.sed"]);
  } else {
    const given = draft.parts.some(([word = ""]) => /^-[ef]|^--exp|^--file/.test(word));
    const joined = script.join(random.chance(70) ? "\n" : ";");
    draft.parts.push(given ? ["-e", joined] : [joined]);
  }
}

function sedOperands(random: Random, draft: Draft): void {
  adaptInput(random, draft);
  const extended = draft.parts.some(([word = ""]) => /^-[Er]|^--reg/.test(word));
  const script = random.chance(25)
    ? sedIdiom(random).split(random.chance(30) ? "\n" : "\0")
    : sedCommands(random, { extended });
  draft.files["s.sed"] = new TextEncoder().encode(
    sedCommands(random, { extended }).join("\n") + (random.chance(80) ? "\n" : ""),
  );
  addScript(random, draft, script);
  if (random.chance(10)) {
    const how = ["-i", "-i.bak", "--in-place=b_*", "--in-place", "-i*.o", "-iold/*", "-s"];
    draft.parts.unshift([random.pick(how)]);
    draft.parts.push(["f"]);
  }
  files(random, draft);
}

/** Makes the case of a seed. */
export function makeCase(command: string, rows: readonly TableRow[], seed: number): FuzzCase {
  const random = new Random(seed);
  const fuzz = commands[command] ?? {};
  const input: InputOptions = { ...fuzz.input };
  const draft: Draft = {
    parts: [],
    stdin: randomInput(random, input),
    seekable: random.chance(70),
    files: { f: new Uint8Array(0), g: randomInput(random, input) },
    ...(fuzz.limit !== undefined && { limit: fuzz.limit }),
  };
  draft.files["f"] = random.chance(50) ? draft.stdin : randomInput(random, input);
  const usable = rows.filter((row) => fuzz.skip?.includes(rowName(row)) !== true);
  // Some cases have many options: a fault may need three of them together.
  const most = (fuzz.most ?? 3) * (random.chance(20) ? 3 : 1);
  for (let i = random.int(most + 1); i > 0 && usable.length > 0; i--) {
    const row = random.pick(usable);
    const value = fuzz.values?.[rowName(row)] ?? text;
    draft.parts.push(spell(random, row, () => value(random)));
  }
  (fuzz.operands ?? files)(random, draft);
  if (random.chance(2)) {
    const odd = random.pick(["-@", "--unknown", "--", "-", "-\u00e9", "--nothing=1", "-z"]);
    draft.parts.splice(random.int(draft.parts.length + 1), 0, [odd]);
  }
  return { command, ...draft };
}
