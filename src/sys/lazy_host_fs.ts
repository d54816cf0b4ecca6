import type { HostFiles } from "./host_fs.ts";

/**
 * The host's files. Errors are the system's own, with their POSIX `code`; where a permission is
 * missing they are a `PermissionError`.
 *
 * What does the work stands on `node:fs`, which takes 18 ms to load: that waits for the first call.
 *
 * @example
 * ```ts
 * import { hostFs } from "@llmcmd/llmcmd/sys";
 *
 * const { kind } = await hostFs().stat("/");
 * if (kind !== "folder") throw new Error(kind);
 * ```
 */
export function hostFs(): HostFiles {
  let loading: Promise<HostFiles> | undefined;
  const files = () => loading ??= import("./host_fs.ts").then((module) => module.hostFs());
  return {
    stat: async (path) => await (await files()).stat(path),
    lstat: async (path) => await (await files()).lstat(path),
    open: async (path) => await (await files()).open(path),
    create: async (folder, like) => await (await files()).create(folder, like),
    mkdir: async (path) => await (await files()).mkdir(path),
    async *list(path) {
      yield* (await files()).list(path);
    },
    remove: async (path, options) => await (await files()).remove(path, options),
    rename: async (from, to) => await (await files()).rename(from, to),
    readlink: async (path) => await (await files()).readlink(path),
    realpath: async (path) => await (await files()).realpath(path),
  };
}
