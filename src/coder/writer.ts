import { isRecord } from "../base/mod.ts";

/** A program that writes sessions, as other programs see it. */
export interface Writer {
  /** The command, such as `llmcmd agent`. */
  readonly program: string;
  /** The number of its process. */
  readonly pid: number;
  /** By what {@linkcode Writers.isAlive} knows it; no other program ever has the same. */
  readonly lock: string;
}

/** The programs that share a store of sessions. */
export interface Writers {
  /** This program. The first call makes it known to the others. */
  own(): Promise<Writer>;
  /** True while another program still runs. */
  isAlive(writer: Writer): Promise<boolean>;
}

/** A program that shares its sessions with no other. */
export function onlyWriter(program = "llmcmd"): Writers {
  const own: Writer = { program, pid: 0, lock: crypto.randomUUID() };
  return { own: () => Promise.resolve(own), isAlive: () => Promise.resolve(false) };
}

/** A writer as a store keeps it. */
export function encodeWriter({ program, pid, lock }: Writer): string {
  return JSON.stringify({ program, pid, lock });
}

/** Reads a writer from a store; `undefined` for a text that is not one. */
export function parseWriter(text: string): Writer | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { program, pid, lock } = value;
  const fits = typeof program === "string" && typeof pid === "number" && typeof lock === "string";
  return fits ? { program, pid, lock } : undefined;
}
