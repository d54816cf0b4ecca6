import { Alarm } from "../streams/mod.ts";
import type { ListedSession } from "./listed_session.ts";
import type { OthersWatch } from "./states.ts";

/** What {@linkcode OtherPrograms} work with. */
export interface OthersOptions {
  /** Milliseconds between two looks. */
  readonly pause: number;
  /** A number that is another one after another program has changed something. */
  changes(): Promise<number>;
  /** All sessions that are listed. */
  list(): Promise<readonly ListedSession[]>;
  /** Another program has changed the conversation of a session. */
  rewritten(session: string): void;
  /** Something else of a session has changed, or it is new, or gone. */
  changed(session: string): void;
  /** Gets internal errors. */
  onError(error: unknown): void;
}

/**
 * Finds out which sessions other programs on the same store change. It looks now and then, and only
 * while somebody wants to know.
 */
export class OtherPrograms implements OthersWatch {
  readonly #options: OthersOptions;
  readonly #alarm: Alarm = new Alarm();
  /** The sessions as they were at the last look. */
  #known: ReadonlyMap<string, ListedSession> | undefined;
  #changes: number | undefined;
  /** Sessions that this program has changed since then. */
  readonly #own: Set<string> = new Set();
  #watching = false;
  #looking = false;

  /** Does not look yet. */
  constructor(options: OthersOptions) {
    this.#options = options;
  }

  /** This program has changed a session. */
  own(session: string): void {
    if (this.#known !== undefined) this.#own.add(session);
  }

  /** Looks from now on: at once, and again after each pause. */
  begin(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.#look();
  }

  /** Looks no more. */
  end(): void {
    this.#watching = false;
    this.#alarm.clear();
  }

  async #look(): Promise<void> {
    // One that began before the last end() goes on in the place of this one.
    if (this.#looking) return;
    this.#looking = true;
    try {
      await this.#compare();
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#looking = false;
    }
    if (this.#watching) this.#alarm.set(this.#options.pause, () => this.#look());
  }

  async #compare(): Promise<void> {
    const { changes, list, rewritten, changed } = this.#options;
    const before = this.#known;
    const now = await changes();
    // A program that was killed does not say that it writes no more.
    const written = [...before?.values() ?? []].some(({ writer }) => writer !== null);
    if (now === this.#changes && !written) return;
    const own = new Set(this.#own);
    this.#own.clear();
    const sessions = new Map((await list()).map((session) => [session.id, session]));
    for (const id of this.#own) own.add(id);
    this.#own.clear();
    this.#changes = now;
    this.#known = sessions;
    if (before === undefined) return;
    for (const [id, session] of sessions) {
      const old = before.get(id);
      const isOwn = own.has(id) || session.running !== null;
      if (old !== undefined && old.updated !== session.updated && !isOwn) rewritten(id);
      else if (old === undefined || isOther(old, session)) changed(id);
    }
    for (const id of before.keys()) if (!sessions.has(id)) changed(id);
  }
}

function isOther(old: ListedSession, now: ListedSession): boolean {
  return old.title !== now.title || old.writer?.pid !== now.writer?.pid;
}
