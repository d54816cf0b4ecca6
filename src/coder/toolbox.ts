import { KeyedLock } from "../base/mod.ts";
import type { Vfs } from "../vfs/mod.ts";
import type { CommandRunner } from "./command_runner.ts";
import type { CoderLimits } from "./limits.ts";

/** Dependencies of the tools. */
export interface Toolbox {
  /** The files. */
  readonly vfs: Vfs;
  /** Runs commands. */
  readonly runner: CommandRunner;
  /** The absolute path of the home folder, for `~`. */
  readonly home?: string | undefined;
  /** Folders that commands may write to besides their own, as they are now. */
  readonly writable?: (() => readonly string[]) | undefined;
  /** The budgets. */
  readonly limits: CoderLimits;
  /** Is given a command's output as it comes. */
  readonly onOutput?:
    | ((callId: string, chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>)
    | undefined;
}

/** One lock for all tools that work on the same files, also from different registries. */
const locks = new WeakMap<Vfs, KeyedLock>();

/** Makes changes of files exclude each other, whichever of the two is used. */
export function shareLock(vfs: Vfs, other: Vfs): void {
  locks.set(vfs, lockOf(other));
}

function lockOf(vfs: Vfs): KeyedLock {
  let lock = locks.get(vfs);
  if (lock === undefined) {
    lock = new KeyedLock();
    locks.set(vfs, lock);
  }
  return lock;
}

/** Runs an action while no other tool changes the file. */
export async function exclusively<Result>(
  vfs: Vfs,
  path: string,
  action: () => Promise<Result>,
): Promise<Result> {
  const lock = lockOf(vfs);
  // A file that does not exist yet has no real path, so the given one is used.
  const key = await vfs.realpath(path).catch(() => path);
  return await lock.run(key, action);
}
