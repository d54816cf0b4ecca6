/**
 * Files of a program's own state, readable by this user only. A write is atomic. Paths are
 * absolute; errors are the host's own and name the path.
 */
export interface PrivateFiles {
  /** Makes a folder and those above it (mode 0700). An existing one stays as it is. */
  makeFolder(path: string): Promise<void>;
  /** The names in a folder, sorted; empty if there is no such folder. */
  list(path: string): Promise<string[]>;
  /** The text of a file; `undefined` if there is no such file. */
  readText(path: string): Promise<string | undefined>;
  /** The bytes of a file; `undefined` if there is no such file. */
  readBytes(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Writes a file (mode 0600) atomically; replaces an old one. */
  write(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<void>;
  /** Writes a new file (mode 0600) atomically; false if one exists. */
  create(path: string, content: string): Promise<boolean>;
  /** True if other users have no access to a file, or the system has no permission bits. */
  isPrivate(path: string): Promise<boolean>;
  /** Removes a file, or a folder with its contents. A missing one is no error. */
  remove(path: string): Promise<void>;
  /** Copies a file with its mode, or a link as a link, and makes the folders above the copy. */
  copy(from: string, to: string): Promise<void>;
  /** The path without links; `undefined` if nothing is there. */
  realPath(path: string): Promise<string | undefined>;
}
