import type { RegistryFile } from "../../cliagent/mod.ts";
import { changedAt, readTextFile } from "../../sys/mod.ts";
import { absolutePath } from "../paths/mod.ts";

/** The registry at a path, which is read again when its modification time has changed. */
export function registryFile(path: string, home: string | undefined): RegistryFile {
  const absolute = absolutePath(path);
  return {
    file: path,
    folder: absolute.slice(0, absolute.lastIndexOf("/")) || "/",
    home,
    version: async () => String(await changedAt(absolute)),
    read: () => readTextFile(absolute),
  };
}
