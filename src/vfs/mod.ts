/**
 * Files as an agent sees them: one interface, {@linkcode Vfs}, for the host's files, a confined
 * part of them, files in memory, and what later comes to stand between.
 *
 * It is for whole files and folders by path, with POSIX's meaning of paths and errors. It is not
 * for open descriptors that are read and written at will, and decides nothing about what a model
 * may do: whoever makes a Vfs says what it shows. It does not speak to the host itself; `sys` does.
 *
 * @module
 */
export { isMissing, VfsError, type VfsErrorCode } from "./errors.ts";
export { readFile, type ReadFileOptions, writeFile } from "./files.ts";
export type { HostFile, HostFs, HostOutput } from "./host_port.ts";
export { hostVfs, type HostVfsOptions } from "./host_vfs.ts";
export { type MemoryVfs, memoryVfs, type MemoryVfsOptions } from "./memory_vfs.ts";
export type {
  Vfs,
  VfsEntry,
  VfsFile,
  VfsInfo,
  VfsKind,
  VfsOutput,
  VfsWriteOptions,
} from "./types.ts";
