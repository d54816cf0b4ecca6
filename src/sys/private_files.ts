import type { PrivateFiles } from "../ports/mod.ts";
import { fileError } from "./errors.ts";
import { isMissing } from "./text_file.ts";

/**
 * The host's files, for a program's own state.
 *
 * @throws {PermissionError | FileError} From its methods; the message names the path.
 */
export function privateFiles(): PrivateFiles {
  return {
    makeFolder: (path) =>
      attempt("make", path, () => Deno.mkdir(path, { recursive: true, mode: 0o700 })),
    list: async (path) => await unlessMissing("list", path, () => namesIn(path)) ?? [],
    readText: (path) => unlessMissing("read", path, () => Deno.readTextFile(path)),
    readBytes: (path) => unlessMissing("read", path, () => Deno.readFile(path)),
    write: (path, content) => attempt("write", path, () => replace(path, content)),
    create: (path, content) => attempt("write", path, () => create(path, content)),
    isPrivate: (path) =>
      attempt("look at", path, async () => ((await Deno.stat(path)).mode ?? 0) % 0o100 === 0),
    remove: async (path) => {
      await unlessMissing("remove", path, () => Deno.remove(path, { recursive: true }));
    },
    copy: (from, to) => attempt("copy", from, () => copy(from, to)),
    realPath: (path) => unlessMissing("look at", path, () => Deno.realPath(path)),
  };
}

async function attempt<T>(action: string, path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw fileError(`${action} ${path}`, path, error);
  }
}

async function unlessMissing<T>(
  action: string,
  path: string,
  run: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await attempt(action, path, run);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function namesIn(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(path)) names.push(name);
  return names.sort();
}

async function replace(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const temporary = `${path}.${crypto.randomUUID()}.new`;
  try {
    await Deno.writeFile(temporary, bytes, { mode: 0o600, createNew: true });
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {}); // It may not exist.
    throw error;
  }
}

/** A hard link fails if the file exists, and makes the complete new file appear at once. */
async function create(path: string, content: string): Promise<boolean> {
  const temporary = `${path}.${crypto.randomUUID()}.new`;
  await Deno.writeTextFile(temporary, content, { mode: 0o600, createNew: true });
  try {
    await Deno.link(temporary, path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  } finally {
    await Deno.remove(temporary);
  }
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to.replace(/\/[^/]*$/, ""), { recursive: true });
  const { isSymlink } = await Deno.lstat(from);
  if (isSymlink) await Deno.symlink(await Deno.readLink(from), to);
  else await Deno.copyFile(from, to);
}
