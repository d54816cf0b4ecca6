import type { HostFile, HostFs } from "../../ports/mod.ts";
import { VfsError } from "../errors.ts";
import { hostError } from "../_resolve.ts";
import { joined, split } from "../_paths.ts";
import type { Vfs, VfsEntry, VfsHandle, VfsInfo } from "../types.ts";

/**
 * The files below a layer, which are only read.
 *
 * Paths are absolute. The folders of a `checked` path must not contain links, even if one is put
 * there meanwhile. Errors have a POSIX `code`.
 */
export interface LowerFiles {
  /** Reads properties without following a link at the end. */
  lstat(path: string, checked: boolean): Promise<VfsInfo>;
  /** Reads the target of a link. */
  readlink(path: string, checked: boolean): Promise<string>;
  /** Resolves a path: without links, `.` and `..`. */
  realpath(path: string): Promise<string>;
  /** Lists the entries of a folder. */
  list(path: string, checked: boolean): AsyncIterable<VfsEntry>;
  /** Opens a file for reading; its path counts as `checked`. */
  open(path: string): Promise<HostFile>;
}

/** Lower files on the host. */
export function lowerHost(host: HostFs): LowerFiles {
  const hold = async (folder: string) => {
    const held = await host.hold(folder);
    // If the host cannot hold a folder, a link put there right after this check would be followed.
    if (held === undefined && await host.realpath(folder) !== folder) throw hostError("EACCES");
    return held;
  };
  const within = async <Result>(
    path: string,
    checked: boolean,
    act: (path: string) => Promise<Result>,
  ): Promise<Result> => {
    const { folder, name } = split(path);
    const held = checked && name !== "" ? await hold(folder) : undefined;
    try {
      return await act(held === undefined ? path : joined(held.path, name));
    } finally {
      held?.close();
    }
  };
  return {
    lstat: (path, checked) => within(path, checked, (held) => host.lstat(held)),
    readlink: (path, checked) => within(path, checked, (held) => host.readlink(held)),
    realpath: (path) => host.realpath(path),
    async *list(path, checked) {
      const held = checked ? await hold(path) : undefined;
      try {
        yield* host.list(held === undefined ? path : `${held.path}/`);
      } finally {
        held?.close();
      }
    },
    open: (path) => within(path, true, (held) => host.open(held, "r")),
  };
}

/** Lower files in a Vfs, which checks paths itself. */
export function lowerVfs(vfs: Vfs): LowerFiles {
  return {
    lstat: (path) => coded(() => vfs.lstat(path)),
    readlink: (path) => coded(() => vfs.readlink(path)),
    realpath: (path) => coded(() => vfs.realpath(path)),
    async *list(path) {
      try {
        yield* vfs.list(path);
      } catch (error) {
        throw withCode(error);
      }
    },
    open: (path) => coded(async () => hostFile(await vfs.open(path, "r"))),
  };
}

/**
 * Turns a handle of a Vfs into an open file of a host. Its errors have no path: the caller adds it.
 */
export function hostFile(handle: VfsHandle): HostFile {
  return {
    info: handle.info,
    path: undefined,
    stat: () => coded(() => handle.stat()),
    read: (at, into) => coded(() => handle.read(at, into)),
    write: (at, chunk) => coded(() => handle.write(at, chunk)),
    truncate: (size) => coded(() => handle.truncate(size)),
    close: () => handle.close(),
  };
}

async function coded<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw withCode(error);
  }
}

/** Removes the path from an error: the user of the layer gave another one. */
function withCode(error: unknown): unknown {
  if (!(error instanceof VfsError)) return error;
  const { code, message } = error;
  const bare = Object.assign(new Error(message, { cause: error }), { code });
  // The message of a boundary says why it refused.
  const why = message.replace(/^[^:]*: /, "");
  return code === "EACCES" ? Object.assign(bare, { flag: "", why }) : bare;
}
