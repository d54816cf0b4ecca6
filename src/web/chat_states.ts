import { encodeSse } from "../streams/mod.ts";
import type { ChatQueue } from "./chat_queue.ts";
import type { ChatRuns, RunOutcome } from "./chat_runs.ts";
import type { SessionInList } from "./chat_sessions.ts";
import type { BodySource } from "./sse_body.ts";

/** A session as lists show it. */
export interface ListedSession {
  readonly id: string;
  /** May be empty. */
  readonly title: string;
  /** When it was changed last, in milliseconds since the epoch. */
  readonly updated: number;
  readonly turns: number | undefined;
  /** The turn that runs. */
  readonly running: string | null;
  /** `waiting`: the turn that runs waits for an answer of its user. `failed`: the last turn did. */
  readonly state: "idle" | "running" | "waiting" | "failed";
  /**
   * Grows by one when a turn begins, and when the conversation changes in another way than by turns:
   * when it is cleared or cut.
   * Numbers of different runs of the program are not the same.
   */
  readonly version: number;
  /** The names of the messages that wait for the end of the turn. */
  readonly queued: readonly string[];
  /** Whether it belongs to the folder that the server works in: others cannot be continued here. */
  readonly here: boolean;
  /** The folder that it belongs to. */
  readonly folder: string;
  /** The other program that writes it now. */
  readonly writer: ShownWriter | null;
}

/** What clients are told of the program that writes a session. */
export interface ShownWriter {
  /** Its name, such as `llmcmd agent`. */
  readonly program: string;
  readonly pid: number;
}

/** What clients are told of a program that writes a session. */
export function shownWriter(writer: ShownWriter | undefined): ShownWriter | null {
  return writer === undefined ? null : { program: writer.program, pid: writer.pid };
}

/** Where lists of sessions come from. */
export interface ListSource {
  /** All sessions that are listed. */
  list(): Promise<readonly ListedSession[]>;
  /** A session; `undefined` if there is none. */
  get(id: string): Promise<ListedSession | undefined>;
}

/** What looks for changes that other programs make; see `chat_others.ts`. */
export interface OthersWatch {
  /** Looks from now on. */
  begin(): void;
  /** Looks no more. */
  end(): void;
  /** This program has changed a session. */
  own(session: string): void;
}

/** What state sessions are in, and who is told when that changes. */
export class ChatStates {
  readonly #runs: ChatRuns;
  readonly #queue: ChatQueue;
  /** The version of a session of which nothing is known. */
  readonly #first: number;
  readonly #versions: Map<string, number> = new Map();
  /** Sessions whose last turn failed, also where their logs do not tell. */
  readonly #failed: Set<string> = new Set();
  readonly #watchers: Set<Watcher> = new Set();
  #others: OthersWatch | undefined;

  constructor(runs: ChatRuns, queue: ChatQueue, now: number) {
    this.#runs = runs;
    this.#queue = queue;
    this.#first = now;
  }

  /** Has looked, while a list is being watched, whether other programs change sessions. */
  lookWith(others: OthersWatch): void {
    this.#others = others;
  }

  /** How many lists are being watched. */
  get watchers(): number {
    return this.#watchers.size;
  }

  /** See {@linkcode ListedSession.version}. */
  version(id: string): number {
    return this.#versions.get(id) ?? this.#first;
  }

  /** A session with its state. */
  of({ session, here, openIn }: SessionInList): ListedSession {
    const { id, title, updated, turns, failed, root: folder } = session;
    const run = this.#runs.of(id);
    return {
      ...{ id, title, updated, turns },
      running: run?.id ?? null,
      state: run !== undefined
        ? run.waiting ? "waiting" : "running"
        : failed || this.#failed.has(id)
        ? "failed"
        : "idle",
      version: this.version(id),
      queued: this.#queue.of(id).map((message) => message.id),
      ...{ here, folder, writer: shownWriter(openIn) },
    };
  }

  /** A turn has begun, or the conversation was changed in another way. */
  rewritten(id: string): void {
    this.#others?.own(id);
    this.rewrittenElsewhere(id);
  }

  /** Another program has changed the conversation. */
  rewrittenElsewhere(id: string): void {
    this.#versions.set(id, this.version(id) + 1);
    this.#failed.delete(id);
    this.changedElsewhere(id);
  }

  /** A turn has ended. */
  ended(id: string, outcome: RunOutcome): void {
    if (outcome === "failed") this.#failed.add(id);
    this.changed(id);
  }

  /** Tells all who watch a list with this session. */
  changed(id: string): void {
    this.#others?.own(id);
    this.changedElsewhere(id);
  }

  /** Tells it of a change that another program has made. */
  changedElsewhere(id: string): void {
    for (const watcher of this.#watchers) watcher.changed(id);
  }

  /** Forgets a session that is gone. */
  removed(id: string): void {
    this.#versions.delete(id);
    this.#failed.delete(id);
    this.changed(id);
  }

  /**
   * The list of sessions as events: `sessions` with all of them, then `session` with each
   * that has changed and `removed` with the `id` of each that is gone. A reader that is slow misses
   * states between, but never the last one.
   */
  watch(source: ListSource): BodySource {
    const watcher = new Watcher(source, () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#others?.end();
    });
    this.#watchers.add(watcher);
    this.#others?.begin();
    return watcher;
  }

  /** Ends all lists that are being watched. */
  stop(): void {
    for (const watcher of this.#watchers) watcher.return();
  }
}

class Watcher implements BodySource {
  readonly #source: ListSource;
  readonly #onEnd: () => void;
  readonly #changed: Set<string> = new Set();
  /** The sessions that this reader knows: only of these it may learn that they are gone. */
  readonly #known: Set<string> = new Set();
  #begun = false;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(source: ListSource, onEnd: () => void) {
    this.#source = source;
    this.#onEnd = onEnd;
  }

  changed(id: string): void {
    this.#changed.add(id);
    this.#wake?.();
  }

  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!this.#begun) {
      this.#begun = true;
      const sessions = await this.#source.list();
      for (const { id } of sessions) this.#known.add(id);
      return encoded("sessions", { sessions });
    }
    for (;;) {
      if (this.#ended) return undefined;
      const [id] = this.#changed;
      if (id === undefined) {
        await new Promise<void>((resolve) => this.#wake = resolve);
        continue;
      }
      this.#changed.delete(id);
      const session = await this.#source.get(id);
      if (session !== undefined) {
        this.#known.add(id);
        return encoded("session", session);
      }
      if (this.#known.delete(id)) return encoded("removed", { id });
    }
  }

  return(): void {
    this.#ended = true;
    this.#wake?.();
    this.#onEnd();
  }
}

function encoded(event: string, data: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(encodeSse({ event, data: JSON.stringify(data) }));
}
