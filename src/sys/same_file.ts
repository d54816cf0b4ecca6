import { mayUse } from "./permissions.ts";

/** What identifies a file that is there: nothing else has the same. */
interface Identity {
  readonly isFile: boolean;
  readonly id: string;
}

/**
 * Whether two paths lead to one regular file, be it by links or by another spelling. Where the
 * system or a missing permission doesn't tell, and for files that are yet to be made, the paths are
 * compared. A device, a FIFO or a folder is never the same file: nothing in it can be written over.
 */
export function isSameFile(path: string, other: string): boolean {
  const first = identify(path);
  const second = identify(other);
  if (first === undefined || second === undefined) {
    return first === second && plain(path) === plain(other);
  }
  return first.isFile && first.id === second.id;
}

/**
 * Whether standard output is that regular file, such as in `llmcmd ... a.csv > a.csv`; 0 is standard
 * input. Takes 20 ms, as Deno itself tells this with all permissions only.
 */
export function isStandardOutput(input: string | 0): boolean {
  try {
    const file = input === 0 ? identifyOpen(0) : identify(input);
    return file !== undefined && file.isFile && file.id === identifyOpen(1).id;
  } catch {
    return false;
  }
}

function identifyOpen(fd: number): Identity {
  // deno-lint-ignore no-process-global
  const info = process.getBuiltinModule("node:fs").fstatSync(fd);
  return { isFile: info.isFile(), id: `${info.dev}:${info.ino}` };
}

function identify(path: string): Identity | undefined {
  if (!mayUse("read", path)) return undefined;
  try {
    const { isFile, dev, ino } = Deno.statSync(path);
    return ino === null ? undefined : { isFile, id: `${dev}:${ino}` };
  } catch {
    return undefined;
  }
}

function plain(path: string): string {
  return path.replace(/^(?:\.\/+)+/, "").replace(/\/{2,}/g, "/");
}
