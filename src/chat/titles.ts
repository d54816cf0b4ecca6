import type { Message } from "../llm/mod.ts";
import type { ChatSessions } from "./sessions.ts";

/** Options of {@linkcode ChatTitles}. */
export interface ChatTitlesOptions {
  /** Makes the title of a conversation. Default: none is made. */
  readonly makeTitle?:
    | ((messages: readonly Message[], signal: AbortSignal) => Promise<string>)
    | undefined;
  /** Called with each session that has got a title. */
  readonly onTitle?: ((session: string) => void) | undefined;
  /** Receives errors. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Makes titles of sessions in the background. */
export class ChatTitles {
  readonly #sessions: ChatSessions;
  readonly #signal: AbortSignal;
  readonly #options: ChatTitlesOptions;
  readonly #making: Set<Promise<void>> = new Set();

  constructor(sessions: ChatSessions, signal: AbortSignal, options: ChatTitlesOptions) {
    this.#sessions = sessions;
    this.#signal = signal;
    this.#options = options;
  }

  /** Starts making the title of a session from the messages after its turn. */
  make(session: string, result: Promise<{ readonly messages: readonly Message[] }>): void {
    const { makeTitle, onTitle, onError = () => {} } = this.#options;
    if (makeTitle === undefined || this.#signal.aborted) return;
    const work = async () => {
      try {
        const { messages } = await result;
        const title = await makeTitle(messages, this.#signal);
        await this.#sessions.entitle(session, title);
        onTitle?.(session);
      } catch (error) {
        if (!this.#signal.aborted) onError(error);
      }
    };
    const promise = work().finally(() => this.#making.delete(promise));
    this.#making.add(promise);
  }

  /** Resolves when no title is being made. */
  async ended(): Promise<void> {
    await Promise.all(this.#making);
  }
}
