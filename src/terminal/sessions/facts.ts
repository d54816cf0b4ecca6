import { isRecord } from "../../base/mod.ts";

/** State of a thread with regard to its terminal; `pty_keeper.py` finds it out. */
export type Way =
  /** It runs, or waits for a disk. */
  | "running"
  /** It reads from the terminal. */
  | "read"
  /** It reads one byte from the terminal. */
  | "read1"
  /** It waits until the terminal has input. */
  | "poll"
  /** The system does not reveal it. */
  | "unknown";

/** A process of the terminal's foreground group. */
export interface Member {
  /** Its process id. */
  readonly pid: number;
  /** Its name. */
  readonly name: string;
  /** True if it is stopped, as by Ctrl+Z. */
  readonly stopped: boolean;
  /** States of its threads, without those that wait for something else. */
  readonly waits: readonly Way[];
}

/** Facts about a terminal at one moment. */
export interface TerminalFacts {
  /** The foreground process group; `null` if there is none. */
  readonly foreground: number | null;
  /** The processes of that group. */
  readonly members: readonly Member[];
  /** True if input comes in lines; `null` if unknown. */
  readonly canonical: boolean | null;
  /** True if input is shown; `null` if unknown. */
  readonly echo: boolean | null;
  /** Bytes of output that were passed on so far. */
  readonly bytes: number;
  /** True if there is output that was not passed on yet. */
  readonly busy: boolean;
  /** Bytes of input that no program has read yet; in canonical mode, of whole lines. */
  readonly queued: number;
}

const WAYS: ReadonlySet<unknown> = new Set(["running", "read", "read1", "poll", "unknown"]);

/** Reads a report of the keeper; `undefined` if it is invalid. */
export function readFacts(value: unknown): TerminalFacts | undefined {
  if (!isRecord(value)) return undefined;
  const { foreground, members, canonical, echo, bytes, busy, queued } = value;
  if (typeof bytes !== "number" || typeof queued !== "number" || !Array.isArray(members)) {
    return undefined;
  }
  return {
    foreground: typeof foreground === "number" ? foreground : null,
    members: members.flatMap(readMember),
    canonical: typeof canonical === "boolean" ? canonical : null,
    echo: typeof echo === "boolean" ? echo : null,
    bytes,
    busy: busy === true,
    queued,
  };
}

function readMember(value: unknown): Member[] {
  if (!isRecord(value)) return [];
  const { pid, name, stopped, waits } = value;
  if (typeof pid !== "number" || typeof name !== "string" || !Array.isArray(waits)) return [];
  return [{ pid, name, stopped: stopped === true, waits: waits.filter(isWay) }];
}

function isWay(value: unknown): value is Way {
  return WAYS.has(value);
}
