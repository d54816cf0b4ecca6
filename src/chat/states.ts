import { type ListReader, ListWatcher } from "./list_watcher.ts";
import { type ListedSession, type ListSource, shownWriter } from "./listed_session.ts";
import type { ChatQueue } from "./queue.ts";
import type { ChatRuns, RunOutcome } from "./runs.ts";
import type { SessionInList } from "./sessions.ts";

/** Watches for changes made by other programs; see `others.ts`. */
export interface OthersWatch {
  /** Starts to watch. */
  begin(): void;
  /** Stops. */
  end(): void;
  /** This program has changed a session. */
  own(session: string): void;
}

/** The states of sessions, and the readers that are notified of their changes. */
export class ChatStates {
  readonly #runs: ChatRuns;
  readonly #queue: ChatQueue;
  /** The version of a session that has not changed since the start. */
  readonly #first: number;
  readonly #versions: Map<string, number> = new Map();
  /** Sessions whose last turn failed, including failures that their logs do not have. */
  readonly #failed: Set<string> = new Set();
  readonly #watchers: Set<ListWatcher> = new Set();
  #others: OthersWatch | undefined;

  constructor(runs: ChatRuns, queue: ChatQueue, now: number) {
    this.#runs = runs;
    this.#queue = queue;
    this.#first = now;
  }

  /** Sets what watches for changes by other programs while somebody reads the list. */
  lookWith(others: OthersWatch): void {
    this.#others = others;
  }

  /** The number of readers. */
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

  /** Records that a turn has begun, or the conversation was changed in another way. */
  rewritten(id: string): void {
    this.#others?.own(id);
    this.rewrittenElsewhere(id);
  }

  /** Records that another program has changed the conversation. */
  rewrittenElsewhere(id: string): void {
    this.#versions.set(id, this.version(id) + 1);
    this.#failed.delete(id);
    this.changedElsewhere(id);
  }

  /** Records the end of a turn. */
  ended(id: string, outcome: RunOutcome): void {
    if (outcome === "failed") this.#failed.add(id);
    this.changed(id);
  }

  /** Notifies the readers of a change. */
  changed(id: string): void {
    this.#others?.own(id);
    this.changedElsewhere(id);
  }

  /** Notifies the readers of a change that another program has made. */
  changedElsewhere(id: string): void {
    for (const watcher of this.#watchers) watcher.changed(id);
  }

  /** Forgets a removed session. */
  removed(id: string): void {
    this.#versions.delete(id);
    this.#failed.delete(id);
    this.changed(id);
  }

  /** Reads the list of sessions, then its changes. */
  watch(source: ListSource): ListReader {
    const watcher = new ListWatcher(source, () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#others?.end();
    });
    this.#watchers.add(watcher);
    this.#others?.begin();
    return watcher;
  }

  /** Ends all readers. */
  stop(): void {
    for (const watcher of this.#watchers) watcher.return();
  }
}
