import { shellWord } from "../base/mod.ts";
import type { Writer } from "./writer.ts";

/** The reason that a session cannot be continued here. */
export type SessionProblem =
  /** There is no session of that name. */
  | { readonly kind: "missing"; readonly id: string }
  /** It belongs to another folder. */
  | { readonly kind: "elsewhere"; readonly root: string; readonly program: string }
  /** Another program writes it. */
  | { readonly kind: "busy"; readonly writer: Writer };

/** A session cannot be continued here. The message says why, and what can be done. */
export class SessionError extends Error {
  /** The error's name. */
  override readonly name = "SessionError";
  /** The reason. */
  readonly problem: SessionProblem;

  /** Makes the error with its message. */
  constructor(problem: SessionProblem) {
    super(messageFor(problem));
    this.problem = problem;
  }
}

function messageFor(problem: SessionProblem): string {
  switch (problem.kind) {
    case "missing":
      return `There is no session '${problem.id}'`;
    case "elsewhere":
      return `This session belongs to ${problem.root}: to go on with it, start ` +
        `${problem.program} there (cd ${shellWord(problem.root)} && ${problem.program})`;
    case "busy": {
      const { program, pid } = problem.writer;
      return `This session is open in ${program} (pid ${pid}): end that first, or begin a new one`;
    }
  }
}
