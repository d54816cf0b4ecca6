import type { ListedSession, ListSource } from "./listed_session.ts";

/** A change of the list of sessions; the first event has all of them. */
export type ListEvent =
  | { readonly type: "sessions"; readonly data: { readonly sessions: readonly ListedSession[] } }
  | { readonly type: "session"; readonly data: ListedSession }
  | { readonly type: "removed"; readonly data: { readonly id: string } };

/** One reader of the list of sessions. */
export interface ListReader {
  /**
   * The next event; waits if nothing has changed. A slow reader misses states in between, but never
   * the last one. `undefined` after the end. Calls must not overlap.
   */
  next(): Promise<ListEvent | undefined>;
  /** Ends the reader; a pending `next()` settles. */
  return(): void;
}

/** A reader that is notified of the sessions that have changed. */
export class ListWatcher implements ListReader {
  readonly #source: ListSource;
  readonly #onEnd: () => void;
  readonly #changed: Set<string> = new Set();
  /** Sessions that this reader has seen: it is not told of the removal of others. */
  readonly #known: Set<string> = new Set();
  #begun = false;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(source: ListSource, onEnd: () => void) {
    this.#source = source;
    this.#onEnd = onEnd;
  }

  /** Notifies the reader of a change. */
  changed(id: string): void {
    this.#changed.add(id);
    this.#wake?.();
  }

  async next(): Promise<ListEvent | undefined> {
    if (!this.#begun) {
      this.#begun = true;
      const sessions = await this.#source.list();
      for (const { id } of sessions) this.#known.add(id);
      return { type: "sessions", data: { sessions } };
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
        return { type: "session", data: session };
      }
      if (this.#known.delete(id)) return { type: "removed", data: { id } };
    }
  }

  return(): void {
    this.#ended = true;
    this.#wake?.();
    this.#onEnd();
  }
}
