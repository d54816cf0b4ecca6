import { mayUse } from "./permissions.ts";

/** Identity of an existing file: no other file has the same `id`. */
interface Identity {
  readonly isFile: boolean;
  readonly id: string;
}

/**
 * True if two paths lead to one regular file, also by links or by another spelling. If the system
 * or a missing permission does not reveal it, or no file exists yet, the paths are compared. False
 * for a device, a FIFO or a folder, because these cannot be overwritten.
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
 * True if standard output is that regular file, as in `llmcmd ... a.csv > a.csv`; 0 is standard
 * input. Takes 20 ms, as it needs `node:fs`: Deno's own functions would need all permissions.
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
