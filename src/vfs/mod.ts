/**
 * Files as an agent sees them: one interface, {@linkcode Vfs}, for the host's files, a confined
 * part of them, and files in memory.
 *
 * It is for whole files and folders by path, with POSIX's meaning of paths and errors. It has no
 * descriptors that can be read and written at any position, and it does not decide what a model may
 * do: whoever makes a Vfs chooses what it shows. It does not access the host itself; `sys` does.
 *
 * @module
 */
export { isMissing, VfsError, type VfsErrorCode } from "./errors.ts";
export { readFile, type ReadFileOptions, writeFile } from "./files.ts";
export type { HostFile, HostFs, HostOutput } from "./host_port.ts";
export { type BeyondRequest, type BoundedVfs, hostVfs, type HostVfsOptions } from "./host_vfs.ts";
export type { VfsAccess } from "./_boundary.ts";
export type { VfsMount } from "./_mounts.ts";
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
