import type { Random } from "../../src/regex/_testing.ts";
import type { Chunk } from "../../src/streams/mod.ts";
import { createHash } from "node:crypto";
import { type InputOptions, randomInput } from "./input.ts";
import { contextHunk, gitPatches, nameInFolder } from "./patches.ts";

const encoder = new TextEncoder();

/** A dump in the format of xxd, sometimes damaged. */
export function hexDump(random: Random, data: Chunk): Chunk {
  const plain = random.chance(40);
  let out = "";
  const columns = plain ? 30 : 16;
  for (let at = 0; at < Math.min(data.length, 300); at += columns) {
    const row = [...data.subarray(at, at + columns)].map((byte) =>
      byte.toString(16).padStart(2, "0")
    );
    out += plain
      ? `${row.join("")}\n`
      : `${at.toString(16).padStart(8, "0")}: ${row.join("").replace(/.{4}/g, "$& ")} ....\n`;
  }
  if (random.chance(25)) {
    const at = random.int(out.length + 1);
    out = out.slice(0, at) + random.pick(["x", " ", "\n", "0", ""]) + out.slice(at + 1);
  }
  return encoder.encode(out);
}

/** The output of sha256sum or md5sum for the files, sometimes damaged. */
export function sumsOf(
  random: Random,
  files: Readonly<Record<string, Chunk>>,
  digits: number,
): Chunk {
  const name = digits === 64 ? "sha256" : "md5";
  let out = "";
  for (let i = random.int(4); i > 0; i--) {
    const file = random.pick(["f", "g", "missing", "f"]);
    const data = random.chance(85) ? files[file] : undefined;
    const sum = createHash(name).update(data ?? new Uint8Array(1)).digest("hex");
    out += random.pick([
      `${sum}  ${file}`,
      `${sum} *${file}`,
      `${sum}  ${file}`,
      `${digits === 64 ? "SHA256" : "MD5"} (${file}) = ${sum}`,
      `${sum.toUpperCase()}  ${file}`,
      `${sum} ${file}`,
      `${sum.slice(1)}  ${file}`,
      `\\${sum}  ${file}`,
      `# comment`,
      "",
      `  ${sum}  ${file}`,
    ]) + random.pick(["\n", "\n", "\n", "\r\n"]);
  }
  return encoder.encode(random.chance(10) ? out.trimEnd() : out);
}

type Edit = (random: Random, data: Chunk, options: InputOptions) => Chunk;

function linesOf(data: Chunk): string[] {
  const text = String.fromCharCode(...data);
  return text.split("\n").slice(0, -1);
}

/** A hunk at a place of two texts, in the format of a unified or a normal diff. */
function hunkText(
  before: readonly string[],
  after: readonly string[],
  { start, old, fresh, context, shift }: {
    start: number;
    old: number;
    fresh: number;
    context: number;
    shift: number;
  },
  unified: boolean,
): string {
  const removed = before.slice(start, start + old);
  const added = after.slice(start, start + fresh);
  const range = (size: number, first: number): string =>
    size === 1 ? `${first}` : `${size === 0 ? first - 1 : first},${size}`;
  if (!unified) {
    const first = start + 1 + shift;
    const lines = (size: number): string =>
      size === 0 ? `${first - 1}` : size === 1 ? `${first}` : `${first},${first + size - 1}`;
    return `${lines(old)}${old === 0 ? "a" : fresh === 0 ? "d" : "c"}${lines(fresh)}\n` +
      removed.map((line) => `< ${line}\n`).join("") + (old > 0 && fresh > 0 ? "---\n" : "") +
      added.map((line) => `> ${line}\n`).join("");
  }
  const from = Math.max(0, start - context);
  const leading = before.slice(from, start);
  const trailing = before.slice(start + old, start + old + context);
  const sizes = leading.length + trailing.length;
  return `@@ -${range(old + sizes, from + 1 + shift)} +${
    range(fresh + sizes, from + 1 + shift)
  } @@\n` +
    leading.map((line) => ` ${line}\n`).join("") + removed.map((line) => `-${line}\n`).join("") +
    added.map((line) => `+${line}\n`).join("") + trailing.map((line) => ` ${line}\n`).join("");
}

/** Text that may follow the name in a heading. */
function headingTime(random: Random): string {
  return random.chance(80) ? "" : random.pick([
    "\t2024-05-06 07:08:09.000000000 +0000",
    "\t1970-01-01 01:00:00 +0100",
    "\t1969-12-31",
    " 2024-05-06",
    "\t",
    "\tx y",
    "\r",
  ]);
}

/** Lines before those that name the files. */
function headingLines(random: Random): string {
  let lines = "";
  for (let i = 1 + random.int(3); i > 0; i--) {
    lines += random.pick([
      "diff --git a/f b/f\n",
      "diff --git a/f b/f\nindex 0123456..789abcd 100644\n",
      "diff --git a/f b/f\nindex 0000000..e69de29\n",
      "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n",
      "diff --git a/f b/f\ndeleted file mode 100644\n",
      "diff --git a/f b/g\nrename from f\nrename to g\n",
      "index 0123456..789abcd 100755\n",
      "old mode 100644\nnew mode 100755\n",
      "# comment\n",
      "diff -u f g\n",
    ]);
  }
  return lines;
}

/** Damages a patch as mail and editors do. */
function wrapped(random: Random, text: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  switch (random.int(4)) {
    case 0:
      return text.replaceAll("\n", "\r\n");
    case 1:
      return text.replace(/\r?\n/, "\r\n");
    case 2:
      return lines.map((line) => random.chance(20) ? `# comment\n${line}` : line).join("");
    default:
      return lines.toSpliced(
        random.int(lines.length + 1),
        random.int(2),
        ...random.chance(50)
          ? [random.pick(["# comment\n", "text\n", "\n", " \n", "\\ No newline\n"])]
          : [],
      ).join("");
  }
}

/** A file and a patch that may fit it. */
export function patchCase(random: Random, edit: Edit): { original: Chunk; patch: Chunk } {
  const options: InputOptions = { flavours: ["words", "few", "fields"], separator: "\n" };
  let original = randomInput(random, options);
  while (original.length > 3000) original = original.slice(0, original.length >> 1);
  const before = linesOf(original);
  let after = linesOf(edit(random, original, { flavours: ["few"] }));
  const removes = random.chance(12);
  if (removes) after = [];
  // One hunk for all lines between the common beginning and end.
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start && end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) end++;
  const unified = random.chance(70);
  const other = unified ? "" : random.pick(["normal", "context"]);
  const foldered = random.chance(15);
  const place = {
    start,
    old: before.length - end - start,
    fresh: after.length - end - start,
    context: random.chance(70) ? 3 : random.int(4),
    shift: random.chance(20) ? random.int(3) : 0,
  };
  const named = foldered ? nameInFolder(random) : "f";
  const name = (none: number): string =>
    random.chance(none)
      ? "/dev/null"
      : `${random.chance(10) ? "a/" : ""}${named}${headingTime(random)}`;
  const [minus, plus] = other === "context" ? ["***", "---"] : ["---", "+++"];
  const hunk = (): string =>
    other === "context"
      ? contextHunk(random, before, after, place)
      : hunkText(before, after, place, unified);
  let text = unified || other === "context" || random.chance(50)
    ? `${minus} ${name(foldered && before.length === 0 ? 60 : 4)}\n` +
      `${plus} ${name(removes ? 60 : 4)}\n`
    : "";
  if (random.chance(12)) text = headingLines(random) + text;
  if (random.chance(3)) text += random.pick(["@@ -1,0 +1,0 @@\n", "@@ -0,0 +0,0 @@\n"]);
  text += hunk();
  if (random.chance(12)) text = gitPatches(random, hunk);
  if (random.chance(8)) text = text.replace(/@@$/m, "@@ int f(void)");
  if (random.chance(8)) text += text;
  if (random.chance(5)) text = text.replace(/\n$/, "\n\\ No newline at end of file\n");
  if (random.chance(12)) text = wrapped(random, text);
  const patch = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return { original: random.chance(25) ? edit(random, original, options) : original, patch };
}
