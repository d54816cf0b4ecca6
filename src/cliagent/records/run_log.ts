import { messageOf } from "../../base/mod.ts";
import { joinPath } from "../paths.ts";
import type { AgentFiles } from "../worktree/mod.ts";
import { isRunRecord, type RunRecord } from "./run_record.ts";

/** Time for which an ended run is kept: 7 days, in milliseconds. */
export const keepTime: number = 7 * 24 * 3600 * 1000;
/** Most runs that are kept; the oldest are removed first. */
export const maxRuns = 10_000;
/** Milliseconds between two removals of old runs. */
const SWEEP_INTERVAL = 3600 * 1000;

/** Ports of {@linkcode RunLog}. */
export interface RunLogPorts {
  /** Files. */
  readonly files: AgentFiles;
  /** The gateway's own folder, an absolute path. */
  readonly stateFolder: string;
  /** The clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Takes warnings about problems that no caller is informed of. */
  readonly warn: (message: string) => void;
}

/**
 * The runs. Running ones are in memory only; ended ones are also in `runs/` of the state folder,
 * with their patches, for 7 days.
 */
export class RunLog {
  readonly #ports: RunLogPorts;
  readonly #folder: string;
  readonly #records = new Map<string, RunRecord>();
  #swept: number;

  private constructor(ports: RunLogPorts) {
    this.#ports = ports;
    this.#folder = joinPath(ports.stateFolder, "runs");
    this.#swept = ports.now();
  }

  /** Reads the stored runs. Warns about files that are not valid records, and leaves them alone. */
  static async open(ports: RunLogPorts): Promise<RunLog> {
    const log = new RunLog(ports);
    const { files, warn } = ports;
    const found: RunRecord[] = [];
    for (const name of await files.list(log.#folder)) {
      if (!name.endsWith(".json")) continue;
      const path = joinPath(log.#folder, name);
      try {
        const value: unknown = JSON.parse(await files.readText(path) ?? "null");
        if (!isRunRecord(value) || name !== `${value.id}.json`) {
          throw new Error("not a valid record of a run");
        }
        found.push(value);
      } catch (error) {
        warn(`Cannot read ${path}: ${messageOf(error)}`);
      }
    }
    found.sort((a, b) => a.queued - b.queued);
    for (const record of found) log.#records.set(record.id, record);
    await log.#sweep();
    return log;
  }

  /** Adds a run or replaces its record, in memory. */
  set(record: RunRecord): void {
    this.#records.set(record.id, record);
  }

  /** Returns the run with that id. */
  get(id: string): RunRecord | undefined {
    return this.#records.get(id);
  }

  /** The latest runs, latest first. */
  list(limit = 100): RunRecord[] {
    return [...this.#records.values()].slice(-limit).reverse();
  }

  /**
   * Stores a run's patch and record. Rejects if they cannot be written: then the worktree must
   * stay.
   */
  async keepPatch(record: RunRecord, patch: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#write(`${record.id}.patch`, patch);
    await this.#write(`${record.id}.json`, JSON.stringify(record));
    this.set(record);
  }

  /** Stores an ended run. If it cannot be written, warns and keeps the run in memory. */
  async keep(record: RunRecord): Promise<void> {
    this.set(record);
    try {
      await this.#write(`${record.id}.json`, JSON.stringify(record));
      if (this.#ports.now() - this.#swept > SWEEP_INTERVAL || this.#records.size > maxRuns) {
        await this.#sweep();
      }
    } catch (error) {
      this.#ports.warn(`Cannot keep the run ${record.id}: ${messageOf(error)}`);
    }
  }

  /** Returns the patch of a run; `undefined` if there is none. */
  async patch(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.get(id)?.patch !== true) return undefined;
    return await this.#ports.files.readBytes(joinPath(this.#folder, `${id}.patch`));
  }

  async #write(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#ports.files.makeFolder(this.#folder);
    await this.#ports.files.write(joinPath(this.#folder, name), content);
  }

  /** Removes runs that ended too long ago, and the oldest ones beyond `maxRuns`. */
  async #sweep(): Promise<void> {
    const { files, now } = this.#ports;
    this.#swept = now();
    let over = this.#records.size - maxRuns;
    for (const { id, ended } of [...this.#records.values()]) {
      if (ended === undefined || (over-- <= 0 && ended > this.#swept - keepTime)) continue;
      this.#records.delete(id);
      await files.remove(joinPath(this.#folder, `${id}.json`));
      await files.remove(joinPath(this.#folder, `${id}.patch`));
    }
  }
}
