import type { SqlDatabase } from "../ports/mod.ts";
import { fileError } from "./errors.ts";

/**
 * Opens an SQLite database; `:memory:` is a database in memory. A missing file and its folder are
 * created, accessible to this user only.
 *
 * Needs `--allow-read` and `--allow-write` for the file and for those that SQLite makes beside it.
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
    // Files that SQLite makes beside it get the same mode.
    (await Deno.open(path, { create: true, write: true, mode: 0o600 })).close();
  } catch (error) {
    throw fileError(`open ${path}`, path, error);
  }
}
