import { readFully } from "../streams/mod.ts";
import type { Vfs } from "../vfs/mod.ts";
import { size } from "./_text.ts";
import { decodeText, legible, type TextFormat, TextScan, wholeCharacters } from "./text/mod.ts";

/** An AGENTS.md. */
export interface InstructionFile {
  /** Its absolute path. */
  readonly path: string;
  /** Its text, possibly cut. */
  readonly text: string;
}

/** The result of {@linkcode loadInstructions}. */
export interface Instructions {
  /** The files, from the outermost folder to the working folder. */
  readonly files: readonly InstructionFile[];
  /** Notices for the user: the files that are used, and those that were cut. */
  readonly notices: readonly string[];
}

/** Milliseconds that sessions which begin after each other share what was found. */
const SHARED = 1000;

const latest = new WeakMap<Vfs, { most: number; until: number; found: Promise<Instructions> }>();

/**
 * Calls {@linkcode loadInstructions} at most once a second: a server may begin hundreds of sessions
 * at once, and this search is the most expensive step at the start of a turn.
 */
export function recentInstructions(
  vfs: Vfs,
  most: number,
  now: () => number = Date.now,
): Promise<Instructions> {
  const last = latest.get(vfs);
  const time = now();
  if (
    last !== undefined && last.most === most && time >= last.until - SHARED && time < last.until
  ) {
    return last.found;
  }
  const found = loadInstructions(vfs, most);
  latest.set(vfs, { most, until: time + SHARED, found });
  return found;
}

/**
 * Reads the AGENTS.md of the working folder and of the folders above it, each in its encoding. A
 * file that cannot be read is left out: those above may be outside of what is allowed. All together
 * have at most `most` bytes; nearer files count first. The notices name files that were cut, binary
 * or not UTF-8.
 */
export async function loadInstructions(vfs: Vfs, most: number): Promise<Instructions> {
  const files: InstructionFile[] = [];
  const notices: string[] = [];
  let left = most;
  for (const folder of upwards(vfs.root)) {
    const path = `${folder === "/" ? "" : folder}/AGENTS.md`;
    const found = await beginning(vfs, path, left);
    if (found === undefined) continue;
    const { bytes, total } = found;
    left -= bytes.length;
    const cut = bytes.length < total;
    const format = formatOf(bytes, cut);
    if (format === undefined) {
      notices.unshift(`Not using ${path}: it is not text`);
      continue;
    }
    const whole = bytes.subarray(0, cut ? wholeCharacters(bytes, format.encoding) : bytes.length);
    const text = legible(decodeText(whole, format)).trim();
    if (text === "") continue;
    files.unshift({ path, text });
    const encoding = format.encoding === "UTF-8" ? "" : `, which is ${format.encoding}`;
    notices.unshift(
      cut
        ? `Using the first ${size(bytes.length)} of ${path} (${size(total)})${encoding}: ` +
          `the limit for all AGENTS.md is ${size(most)}`
        : `Using ${path}${encoding}`,
    );
  }
  return { files, notices };
}

function formatOf(bytes: Uint8Array, cut: boolean): TextFormat | undefined {
  const scan = new TextScan();
  scan.push(bytes);
  return scan.end({ cut });
}

function upwards(folder: string): string[] {
  const folders = [folder];
  for (let at = folder.lastIndexOf("/"); folder !== "/"; at = folder.lastIndexOf("/")) {
    folder = at <= 0 ? "/" : folder.slice(0, at);
    folders.push(folder);
  }
  return folders;
}

async function beginning(
  vfs: Vfs,
  path: string,
  most: number,
): Promise<{ bytes: Uint8Array; total: number } | undefined> {
  try {
    const file = await vfs.read(path);
    try {
      const bytes = new Uint8Array(Math.min(most, file.info.size));
      const length = await readFully(file.at, 0, bytes);
      return { bytes: bytes.subarray(0, length), total: file.info.size };
    } finally {
      await file.return();
    }
  } catch {
    return undefined;
  }
}
