import { Alarm } from "../streams/mod.ts";
import type { ListedSession } from "./listed_session.ts";
import type { OthersWatch } from "./states.ts";

/** Options of {@linkcode OtherPrograms}. */
export interface OthersOptions {
  /** Milliseconds between two checks. */
  readonly pause: number;
  /** A number that changes when another program changes something. */
  changes(): Promise<number>;
  /** All listed sessions. */
  list(): Promise<readonly ListedSession[]>;
  /** Called when another program has changed the conversation of a session. */
  rewritten(session: string): void;
  /** Called when something else of a session has changed, or it is new or removed. */
  changed(session: string): void;
  /** Receives internal errors. */
  onError(error: unknown): void;
}

/**
 * Finds the sessions that other programs change in the same store. It checks at intervals, and only
 * while somebody reads the list.
 */
export class OtherPrograms implements OthersWatch {
  readonly #options: OthersOptions;
  readonly #alarm: Alarm = new Alarm();
  /** The sessions at the last check. */
  #known: ReadonlyMap<string, ListedSession> | undefined;
  #changes: number | undefined;
  /** Sessions that this program has changed since then. */
  readonly #own: Set<string> = new Set();
  #watching = false;
  #looking = false;

  /** Does not watch yet. */
  constructor(options: OthersOptions) {
    this.#options = options;
  }

  /** Records that this program has changed a session. */
  own(session: string): void {
    if (this.#known !== undefined) this.#own.add(session);
  }

  /** Starts to watch: checks at once, and again after each pause. */
  begin(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.#look();
  }

  /** Stops. */
  end(): void {
    this.#watching = false;
    this.#alarm.clear();
  }

  async #look(): Promise<void> {
    // A check that began before the last end() takes the place of this one.
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
    // A killed program leaves no sign that it has stopped writing.
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
