import * as z from "zod";
import type { ApprovalAnswer, ApprovalRequest, AskUser } from "../coder/mod.ts";
import type { ChatEvent } from "./chat_events.ts";
import { type BodyLimits, parseBody, readBody } from "./http_body.ts";

/** What a question of a turn may do with that turn. */
export interface AskingTurn {
  /** The name of the turn. */
  readonly run: () => string;
  /** Gives its readers an event. */
  show(event: ChatEvent): void;
  /** Is told whether it waits for an answer. */
  waits(waiting: boolean): void;
}

/** A question that waits for its answer. */
interface Open {
  readonly run: string;
  settle(answer: ApprovalAnswer): void;
}

const answerSchema = z.object({ answer: z.enum(["once", "session", "no"]) });

/**
 * The questions of turns. Each is an event `ask` of its turn, which its readers get, also those that
 * come later; `answered` says that it needs no answer any more.
 */
export class ChatAsks {
  readonly #open: Map<string, Open> = new Map();

  /** Asks the readers of a turn. */
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

  /** Answers a question of a turn; false if it waits for none. */
  answer(run: string, id: string, answer: ApprovalAnswer): boolean {
    const open = this.#open.get(id);
    if (open === undefined || open.run !== run) return false;
    // Before the turn goes on: of two answers the first counts.
    this.#open.delete(id);
    open.settle(answer);
    return true;
  }
}

function askEvent(id: string, { kind, what, why, session }: ApprovalRequest): ChatEvent {
  const reason = why === undefined ? {} : { why };
  return { type: "ask", data: { id, kind, what, ...reason, session } };
}

/** The body of an answer. */
export async function answerBody(request: Request, limits: BodyLimits): Promise<ApprovalAnswer> {
  return parseBody(answerSchema, await readBody(request, limits)).answer;
}
