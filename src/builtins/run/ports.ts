import type { BuiltinIo } from "../builtin.ts";

/** The functions of `BuiltinIo` other than streams and opening files, and the limits. */
type Ports = Partial<
  Pick<BuiltinIo, "remove" | "mkdir" | "rmdir" | "mode" | "chmod" | "random" | "temp" | "limits">
>;

/** The same functions bound to `io`, whose methods may use `this`. */
export function bindPorts(io: Ports): Ports {
  const { remove, mkdir, rmdir, mode, chmod, random, temp, limits } = io;
  return {
    ...(limits !== undefined && { limits }),
    ...(remove !== undefined && { remove: remove.bind(io) }),
    ...(mkdir !== undefined && { mkdir: mkdir.bind(io) }),
    ...(rmdir !== undefined && { rmdir: rmdir.bind(io) }),
    ...(mode !== undefined && { mode: mode.bind(io) }),
    ...(chmod !== undefined && { chmod: chmod.bind(io) }),
    ...(random !== undefined && { random: random.bind(io) }),
    ...(temp !== undefined && { temp: temp.bind(io) }),
  };
}
