/**
 * Files as an agent sees them: one interface, {@linkcode Vfs}, for the host's files, a confined
 * part of them, and files in memory.
 *
 * It provides files and folders by path, with POSIX's rules for paths and errors: whole files,
 * which are replaced atomically, and handles, which read and write in place. It does not decide
 * what a model may do: the creator of a Vfs chooses what it shows. It does not access the host
 * itself; `sys` does.
 *
 * @module
 */
export {
  type AllowedVfs,
  allowedVfs,
  type AllowedVfsOptions,
  type AllowEntry,
} from "./allowed_vfs.ts";
export { isMissing, VfsError, type VfsErrorCode } from "./errors.ts";
export { readFile, type ReadFileOptions, writeFile } from "./files.ts";
export { type BoundedVfs, hostVfs } from "./host_vfs.ts";
export type { BeyondRequest, HostVfsOptions, VfsAccess } from "./host_vfs_options.ts";
export type { VfsMount } from "./_mounts.ts";
export { type MemoryVfs, memoryVfs, type MemoryVfsOptions } from "./memory_vfs.ts";
export {
  type OverlayApplied,
  type OverlayChange,
  type OverlayCompare,
  overlayHost,
  type OverlayHostFs,
  type OverlayLayer,
  type OverlayOptions,
  type OverlayRefusal,
  type OverlaySignal,
  type OverlayTexts,
  type OverlayVfs,
  overlayVfs,
} from "./overlay/mod.ts";
export type {
  Vfs,
  VfsFile,
  VfsHandle,
  VfsMkdirOptions,
  VfsOutput,
  VfsWriteOptions,
} from "./types.ts";
export type {
  HeldFolder,
  HostFile,
  HostFs,
  HostOutput,
  VfsEntry,
  VfsInfo,
  VfsKind,
  VfsMode,
} from "../ports/mod.ts";
export {
  connect,
  type ConnectOptions,
  defaultServeLimits,
  type Duplex,
  type ErrorCode,
  type Extension,
  EXTENSIONS,
  type LlmBudget,
  type LlmOutcome,
  type LlmQuota,
  type LlmTask,
  type ProxyClient,
  type ProxyClientRow,
  ProxyError,
  type ProxyEvent,
  type ProxyFileRow,
  type ProxyLlm,
  type ProxyServer,
  proxyServer,
  type ProxyStdio,
  type ProxyTables,
  serve,
  type ServeLimits,
  type ServeOptions,
  type ServeSummary,
} from "./proxy/mod.ts";
