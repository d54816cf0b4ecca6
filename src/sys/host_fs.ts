import type { HostFs, VfsEntry, VfsInfo, VfsKind } from "../ports/mod.ts";
import { permissionError } from "./errors.ts";

/**
 * The host's files. Errors are the system's own, with their POSIX `code`; where a permission is
 * missing they are a `PermissionError`.
 *
 * Open files use `node:fs`, which takes 18 ms and 12 MB to load, so it is loaded when the first
 * file is opened.
 *
 * @example
 * ```ts
 * import { hostFs } from "@llmcmd/llmcmd/sys";
 *
 * const { kind } = await hostFs().stat("/");
 * if (kind !== "folder") throw new Error(kind);
 * ```
 */
export function hostFs(): HostFs {
  const handles = () => import("./_file_handles.ts");
  return {
    stat: (path) => guarded(path, async () => infoOf(await Deno.stat(path))),
    lstat: (path) => guarded(path, async () => infoOf(await Deno.lstat(path))),
    open: (path, mode) => guarded(path, async () => (await handles()).openFile(path, mode)),
    hold: (path) => guarded(path, async () => (await handles()).hold(path)),
    create: (folder, like, mode) =>
      guarded(folder, async () => (await handles()).createWriter(folder, like, mode)),
    mkdir: (path, mode) => guarded(path, async () => (await handles()).makeFolder(path, mode)),
    list: (path) => list(path),
    remove: (path, options) => guarded(path, () => Deno.remove(path, options)),
    rename: (from, to) => guarded(from, () => Deno.rename(from, to)),
    readlink: (path) => guarded(path, () => Deno.readLink(path)),
    realpath: (path) => guarded(path, () => Deno.realPath(path)),
  };
}

async function guarded<Result>(path: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof Deno.errors.NotCapable ? permissionError(`use ${path}`, error) : error;
  }
}

function infoOf(info: Deno.FileInfo): VfsInfo {
  return {
    kind: kindOf(info),
    size: info.size,
    modified: info.mtime?.getTime(),
    mode: info.mode === null ? undefined : info.mode & 0o7777,
    id: info.ino === null ? undefined : `${info.dev}:${info.ino}`,
    links: info.nlink ?? undefined,
  };
}

function kindOf(entry: { isFile: boolean; isDirectory: boolean; isSymlink: boolean }): VfsKind {
  if (entry.isSymlink) return "link";
  if (entry.isDirectory) return "folder";
  return entry.isFile ? "file" : "other";
}

async function* list(path: string): AsyncGenerator<VfsEntry, void, void> {
  try {
    for await (const entry of Deno.readDir(path)) {
      yield { name: entry.name, kind: kindOf(entry) };
    }
  } catch (error) {
    throw error instanceof Deno.errors.NotCapable ? permissionError(`list ${path}`, error) : error;
  }
}
