import type { BuiltinIo } from "../builtin.ts";

/** What a builtin may touch besides streams and files to open, and its limits. */
type Ports = Partial<
  Pick<BuiltinIo, "remove" | "mkdir" | "rmdir" | "mode" | "chmod" | "temp" | "limits">
>;

/** The ports as functions of their own, whether they are properties or methods of `io`. */
export function bindPorts(io: Ports): Ports {
  const { remove, mkdir, rmdir, mode, chmod, temp, limits } = io;
  return {
    ...(limits !== undefined && { limits }),
    ...(remove !== undefined && { remove: remove.bind(io) }),
    ...(mkdir !== undefined && { mkdir: mkdir.bind(io) }),
    ...(rmdir !== undefined && { rmdir: rmdir.bind(io) }),
    ...(mode !== undefined && { mode: mode.bind(io) }),
    ...(chmod !== undefined && { chmod: chmod.bind(io) }),
    ...(temp !== undefined && { temp: temp.bind(io) }),
  };
}
