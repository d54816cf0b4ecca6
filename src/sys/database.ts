import type { SqlDatabase } from "../ports/mod.ts";
import { fileError } from "./errors.ts";

/**
 * Opens an SQLite database and creates it, and its folder, if there is none; `:memory:` is one in
 * memory. Only the owner can read a new file.
 *
 * Needs `--allow-read` and `--allow-write` for the file and those that SQLite puts beside it.
 *
 * @throws {PermissionError} A permission is missing.
 * @throws {FileError} The file can't be made.
 *
 * @example
 * ```ts
 * import { openDatabase } from "@llmcmd/llmcmd/sys";
 *
 * const database = await openDatabase(":memory:");
 * const row = database.prepare("SELECT 1 + ? AS sum").get(2);
 * if (row?.sum !== 3) throw new Error("unexpected");
 * database.close();
 * ```
 */
export async function openDatabase(path: string): Promise<SqlDatabase> {
  if (path !== ":memory:") await makeFile(path);
  // SQLite is loaded here, because most programs do not need it.
  const { DatabaseSync } = await import("node:sqlite");
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw fileError(`open ${path}`, path, error);
  }
}

async function makeFile(path: string): Promise<void> {
  const folder = path.replace(/\/?[^/]*$/, "");
  try {
    if (folder !== "") await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    // Files that SQLite puts beside it have the same mode.
    (await Deno.open(path, { create: true, write: true, mode: 0o600 })).close();
  } catch (error) {
    throw fileError(`open ${path}`, path, error);
  }
}
