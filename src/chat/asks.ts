import type { ApprovalAnswer, ApprovalRequest, AskUser } from "../coder/mod.ts";
import type { ChatEvent } from "./events.ts";

/** The turn that a question belongs to. */
export interface AskingTurn {
  /** The name of the turn. */
  readonly run: () => string;
  /** Sends its readers an event. */
  show(event: ChatEvent): void;
  /** Records that it waits for an answer, or no longer does. */
  waits(waiting: boolean): void;
}

/** A question that waits for its answer. */
interface Open {
  readonly run: string;
  settle(answer: ApprovalAnswer): void;
}

/**
 * The open questions of all turns. Each is sent to the readers of its turn as the event `ask`;
 * `answered` follows when it no longer needs an answer.
 */
export class ChatAsks {
  readonly #open: Map<string, Open> = new Map();

  /** Makes the function that asks the readers of a turn. */
  askerOf(turn: AskingTurn): AskUser {
    return async (request, signal) => {
      signal.throwIfAborted();
      const id = crypto.randomUUID();
      let withdraw = () => {};
      let answer: ApprovalAnswer | undefined;
      try {
        answer = await new Promise<ApprovalAnswer>((settle, reject) => {
          this.#open.set(id, { run: turn.run(), settle });
          withdraw = () => reject(signal.reason);
          signal.addEventListener("abort", withdraw, { once: true });
          turn.waits(true);
          turn.show(askEvent(id, request));
        });
        return answer;
      } finally {
        signal.removeEventListener("abort", withdraw);
        this.#open.delete(id);
        turn.waits(false);
        turn.show({ type: "answered", data: { id, answer: answer ?? null } });
      }
    };
  }

  /** Answers a question; false if the turn has no such open question. */
  answer(run: string, id: string, answer: ApprovalAnswer): boolean {
    const open = this.#open.get(id);
    if (open === undefined || open.run !== run) return false;
    // Removed before the turn goes on, so that the first of two answers counts.
    this.#open.delete(id);
    open.settle(answer);
    return true;
  }
}

function askEvent(id: string, { kind, what, why, session }: ApprovalRequest): ChatEvent {
  const reason = why === undefined ? {} : { why };
  return { type: "ask", data: { id, kind, what, ...reason, session } };
}
