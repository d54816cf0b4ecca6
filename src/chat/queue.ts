import type { QueuedMessage } from "./records.ts";
import type { ChatSessions } from "./sessions.ts";

/**
 * Messages queued until the turn of their session ends. They are stored, so that they outlive the
 * program; after a restart they wait until they are sent or taken back.
 */
export class ChatQueue {
  readonly #sessions: ChatSessions;
  readonly #onError: (error: unknown) => void;
  readonly #waiting: Map<string, QueuedMessage[]> = new Map();

  constructor(sessions: ChatSessions, onError: (error: unknown) => void) {
    this.#sessions = sessions;
    this.#onError = onError;
  }

  /** The queued messages of a session that were read or added since the start. */
  of(session: string): readonly QueuedMessage[] {
    return this.#waiting.get(session) ?? [];
  }

  /** The queued messages of a session, including those of earlier runs of the program. */
  async read(session: string): Promise<readonly QueuedMessage[]> {
    if (!this.#waiting.has(session)) {
      const kept = await this.#sessions.queued(session);
      // Others may have come meanwhile.
      if (kept.length > 0) this.#waiting.set(session, [...kept, ...this.of(session)]);
    }
    return this.of(session);
  }

  /** Adds a message at the end; resolves when it is stored. */
  async add(session: string, message: string): Promise<QueuedMessage> {
    await this.read(session);
    const added = { id: crypto.randomUUID(), message };
    await this.#set(session, [...this.of(session), added]);
    return added;
  }

  /**
   * Takes a message out at once, by default the first; `undefined` if it is not queued any more.
   */
  take(session: string, id?: string): QueuedMessage | undefined {
    const waiting = this.of(session);
    const found = id === undefined ? waiting[0] : waiting.find((it) => it.id === id);
    if (found === undefined) return undefined;
    this.#set(session, waiting.filter((it) => it !== found)).catch(this.#onError);
    return found;
  }

  async #set(session: string, messages: QueuedMessage[]): Promise<void> {
    this.#waiting.set(session, messages);
    await this.#sessions.keepQueue(session, messages);
  }

  /** Forgets a session. */
  forget(session: string): void {
    this.#waiting.delete(session);
  }
}
