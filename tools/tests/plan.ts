/** The distribution of test files over isolates. */
import { blockModule, docBlocks } from "./doc_blocks.ts";

/** A test file, or a documented file with code blocks. */
export interface TestFile {
  /** Relative to the repository, or absolute outside of it. */
  readonly path: string;
  /** Bytes, a rough measure of its duration. */
  readonly size: number;
  /** Modules of its code blocks; empty for a test file. */
  readonly blocks: readonly string[];
}

/** The files of one isolate. */
export interface Entry {
  /** A name such as `builtins 2 of 3`. */
  readonly name: string;
  /** True for tests that move much data, which run without coverage. */
  readonly isBulk: boolean;
  /** True for tests that start the bundled program. */
  readonly startsProgram: boolean;
  readonly files: readonly TestFile[];
}

/** The number of entries of a room, if more than one. */
const PARTS: Readonly<Record<string, number>> = {
  builtins: 3,
  "builtins, bulk": 2,
  terminal: 3,
  tests: 8,
};

/**
 * Files whose tests move much data. Coverage would slow them to a quarter of their speed and would
 * hardly add a line, so they run in entries of their own, without it.
 */
const BULK = new RegExp(
  "^src/(builtins/(hold/stream_end|regex_pauses|commands/" +
    "(column/column|sort/(store|random_order)|fmt/fmt|rev/rev|cut/long_lines|tac/tac|tail|sed/block))" +
    "|regex/(pace|lines|bombs|differential))_test\\.ts$",
);

const ROOT = new URL("../../", import.meta.url);

const SKIPPED_FOLDERS = /^(\..*|node_modules|dist|coverage|__snapshots__)$/;

/** The test files and documented files at or below some paths. */
export async function findTestFiles(paths: readonly string[]): Promise<TestFile[]> {
  const found: TestFile[] = [];
  for (const path of paths) {
    if ((await Deno.stat(path)).isFile) await look(path, found);
    else await walk(path === "." ? "" : path.replace(/^\.\/|\/$/g, "") + "/", found);
  }
  return found;
}

async function walk(folder: string, found: TestFile[]): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder === "" ? "." : folder)) {
    if (!isDirectory) await look(`${folder}${name}`, found);
    else if (!SKIPPED_FOLDERS.test(name)) await walk(`${folder}${name}/`, found);
  }
}

async function look(path: string, found: TestFile[]): Promise<void> {
  if (/_test\.ts$/.test(path)) {
    found.push({ path, size: (await Deno.stat(path)).size, blocks: [] });
  } else if (/\.(ts|md)$/.test(path)) {
    const blocks = docBlocks(path, await Deno.readTextFile(path));
    if (blocks.length === 0) return;
    const modules = blocks.map((block) => blockModule(ROOT, path, block));
    found.push({ path, size: modules.join("").length, blocks: modules });
  }
}

/** Sorts files into entries, the slowest first. */
export function planEntries(files: readonly TestFile[]): Entry[] {
  const rooms = Map.groupBy(
    files,
    ({ path }) => BULK.test(path) ? `${roomOf(path)}, bulk` : roomOf(path),
  );
  const entries = [...rooms].flatMap(([room, own]) => split(room, own, PARTS[room] ?? 1));
  // Tests that move much data or wait for processes take longer than their size suggests.
  const factor = ({ name, isBulk }: Entry) => isBulk ? 100 : name.startsWith("tests") ? 10 : 1;
  const weight = (entry: Entry) => sizeOf(entry.files) * factor(entry);
  return entries.sort((a, b) => weight(b) - weight(a));
}

/** A room of `src/`, or the top folder. */
function roomOf(path: string): string {
  const [top = "", room] = path.split("/");
  if (path.startsWith("/") || room === undefined) return "other";
  return top === "src" ? room : top;
}

/** Splits files into parts of about the same size. */
function split(room: string, files: readonly TestFile[], parts: number): Entry[] {
  const groups: TestFile[][] = Array.from({ length: Math.min(parts, files.length) }, () => []);
  for (const file of files.toSorted((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1))) {
    groups.reduce((a, b) => sizeOf(b) < sizeOf(a) ? b : a).push(file);
  }
  return groups.map((group, index) => ({
    name: groups.length === 1 ? room : `${room} ${index + 1} of ${groups.length}`,
    isBulk: room.endsWith(", bulk"),
    startsProgram: ["tests", "tools", "other"].includes(room),
    files: group,
  }));
}

function sizeOf(files: readonly TestFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
