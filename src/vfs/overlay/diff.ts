import { isWithin } from "../../base/mod.ts";
import { type ByteSource, type Chunk, memorySource } from "../../streams/mod.ts";
import type { Vfs } from "../types.ts";
import { layerSide, lowerSide, sameBytes, type Side } from "./contents.ts";
import type { Difference } from "./differences.ts";
import type { OverlayCompare } from "./types.ts";

/** The files, and the settings of the diff. */
interface Files {
  readonly lower: Vfs;
  readonly layer: Vfs;
  readonly compare: OverlayCompare;
  readonly signal: AbortSignal;
}

/** Number of bytes in which git looks for a NUL to detect a binary file. */
const SNIFFED = 8000;

const encoder = new TextEncoder();

/** Yields the differences in the format of `git diff`. The reader owns the chunks. */
export async function* unifiedDiff(
  differences: readonly Difference[],
  files: Files,
): AsyncGenerator<Chunk, void, void> {
  for (const { path, after } of differences) {
    files.signal.throwIfAborted();
    const left = await lowerSide(files.lower, path);
    const right = after === undefined || after.kind === "folder"
      ? undefined
      : await layerSide(files.layer, files.lower, after);
    if (left !== undefined && right !== undefined && left.kind !== right.kind) {
      // Like git: a change of kind is a removal and a new file.
      yield* section(path, left, undefined, files);
      yield* section(path, undefined, right, files);
    } else yield* section(path, left, right, files);
  }
}

async function* section(
  path: string,
  left: Side | undefined,
  right: Side | undefined,
  files: Files,
): AsyncGenerator<Chunk, void, void> {
  if (left === undefined && right === undefined) return;
  const shown = isWithin(path, files.lower.root) && path !== files.lower.root
    ? path.slice(files.lower.root === "/" ? 1 : files.lower.root.length + 1)
    : path.slice(1);
  const [a, b] = [quoted(`a/${shown}`), quoted(`b/${shown}`)];
  const lines = [`diff --git ${a} ${b}`, ...modeLines(left, right)];
  const same = await sameBytes(await opened(left), await opened(right));
  if (same && lines.length === 1) return;
  const [from, to] = [left === undefined ? NONE : a, right === undefined ? NONE : b];
  const binary = !same && (await isBinary(left) || await isBinary(right));
  if (binary) lines.push(`Binary files ${from} and ${to} differ`);
  yield encoder.encode(`${lines.join("\n")}\n`);
  if (same || binary) return;
  const texts = files.compare({
    before: await opened(left),
    after: await opened(right),
    labels: [ended(from), ended(to)],
    signal: files.signal,
  });
  for await (const chunk of texts) yield chunk.slice();
}

const NONE = "/dev/null";

function modeLines(left: Side | undefined, right: Side | undefined): string[] {
  const [old, now] = [gitMode(left), gitMode(right)];
  if (old === now) return [];
  if (old === undefined) return [`new file mode ${now}`];
  if (now === undefined) return [`deleted file mode ${old}`];
  return [`old mode ${old}`, `new mode ${now}`];
}

/** Git has these modes only. */
function gitMode(side: Side | undefined): string | undefined {
  if (side === undefined) return undefined;
  if (side.kind === "link") return "120000";
  return ((side.mode ?? 0o644) & 0o100) === 0 ? "100644" : "100755";
}

async function opened(side: Side | undefined): Promise<ByteSource> {
  return side === undefined ? memorySource("") : await side.open();
}

async function isBinary(side: Side | undefined): Promise<boolean> {
  const source = await opened(side);
  try {
    let seen = 0;
    for await (const chunk of source) {
      if (chunk.subarray(0, SNIFFED - seen).includes(0)) return true;
      seen += chunk.length;
      if (seen >= SNIFFED) return false;
    }
    return false;
  } finally {
    await source.return();
  }
}

/** Writes a name as git does: in quotes if a line cannot contain it. */
function quoted(name: string): string {
  // deno-lint-ignore no-control-regex
  if (!/[\x00-\x1f"\\\x7f]/.test(name)) return name;
  const escaped = name.replace(/["\\]/g, "\\$&")
    .replaceAll("\t", "\\t").replaceAll("\n", "\\n")
    // deno-lint-ignore no-control-regex
    .replace(/[\x00-\x1f\x7f]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return `"${escaped}"`;
}

/** Like git, ends a name that contains spaces with a tab. */
function ended(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name;
}
