import { Grants } from "../coder/mod.ts";
import type { ChatAsks } from "./asks.ts";
import { ChatError } from "./chat_error.ts";
import type { ChatEngineLimits } from "./limits.ts";
import { LiveOutput } from "./live_output.ts";
import type { ChatEngineOptions } from "./options.ts";
import type { ChatQueue } from "./queue.ts";
import { RateLimit } from "./rate_limit.ts";
import { pageLine } from "./records.ts";
import type { ChatRun, ChatRuns } from "./runs.ts";
import type { ChatSessions } from "./sessions.ts";
import type { ChatStates } from "./states.ts";
import type { ChatTitles } from "./titles.ts";

/** The parts that {@linkcode Turns} works with. */
export interface TurnParts {
  readonly options: ChatEngineOptions;
  readonly limits: ChatEngineLimits;
  readonly sessions: ChatSessions;
  readonly runs: ChatRuns;
  readonly queue: ChatQueue;
  readonly states: ChatStates;
  readonly titles: ChatTitles;
  readonly asks: ChatAsks;
  /** Fires when the chat stops. */
  readonly stopping: AbortSignal;
}

/** A message that begins a turn. */
export interface TurnRequest {
  /** The session. Default: the one that the owner used last, or a new one. */
  readonly session?: string | undefined;
  /** The user, such as a browser; empty for a client that only names sessions. */
  readonly owner: string;
  readonly message: string;
  /** The number of turns of the session to keep, before this one. Default: all. */
  readonly after?: number | undefined;
}

/** Begins turns: checks that one may begin now, and connects it with everything around it. */
export class Turns {
  readonly #parts: TurnParts;
  readonly #rate: RateLimit;
  /** Operations that stop the turn of a session and keep others from beginning, by session. */
  readonly #halting: Map<string, number> = new Map();
  /** Permissions granted, by session. */
  readonly #grants: Map<string, Grants> = new Map();
  /** New sessions that are not stored yet, by owner. */
  readonly #first: Map<string, string> = new Map();

  constructor(parts: TurnParts) {
    this.#parts = parts;
    const { limits, options: { now = Date.now } } = parts;
    this.#rate = new RateLimit(limits.turnsPerMinute, 60_000, now);
  }

  /**
   * Begins a turn.
   *
   * @throws {ChatError} No turn can begin now.
   * @throws {SessionError} The session belongs to another folder or program.
   */
  async begin(request: TurnRequest): Promise<ChatRun> {
    const { runs, sessions, stopping } = this.#parts;
    const { owner, after } = request;
    const session = request.session ?? await this.#currentOrNew(owner);
    const problem = await sessions.problem(session);
    if (problem !== undefined) throw problem;
    if (after !== undefined) {
      const turns = await sessions.turns(session);
      if (after > turns) {
        throw new ChatError("conflict", `This session has ${turns} turns, not ${after}`);
      }
    }
    if (stopping.aborted) throw stoppingError();
    if (runs.of(session) !== undefined) {
      throw new ChatError("conflict", "Another turn of this session is running", 2);
    }
    if (this.#halting.has(session)) {
      throw new ChatError("conflict", "This session is about to be cleared or deleted", 2);
    }
    const refusal = this.#overload();
    if (refusal !== undefined) {
      this.#first.delete(owner);
      throw refusal;
    }
    return this.#start(session, request);
  }

  /** Begins a turn with the first queued message of a session, if it can begin now. */
  beginNext(session: string): void {
    const { queue, runs, stopping } = this.#parts;
    if (stopping.aborted || this.#halting.has(session)) return;
    if (queue.of(session).length === 0 || runs.of(session) !== undefined) return;
    if (this.#overload() !== undefined) return;
    const { message } = queue.take(session) ?? {};
    // The session is stored, and has an owner already.
    if (message !== undefined) this.#start(session, { owner: "", message });
  }

  /** Stops the turn of a session, then runs an action before another turn can begin. */
  async halted(session: string, action: () => Promise<void>): Promise<void> {
    const count = (change: number) => {
      const left = (this.#halting.get(session) ?? 0) + change;
      if (left === 0) this.#halting.delete(session);
      else this.#halting.set(session, left);
    };
    count(+1);
    try {
      const run = this.#parts.runs.of(session);
      run?.stop();
      await run?.ended;
      this.#grants.delete(session);
      await action();
    } finally {
      count(-1);
    }
  }

  /** The refusal of any further turn, if a limit is reached. */
  #overload(): ChatError | undefined {
    const { runs, limits: { turns, turnsPerMinute } } = this.#parts;
    if (runs.size >= turns) {
      const message = `There are ${turns} turns running, which is the limit`;
      return new ChatError("overloaded", message, 5);
    }
    const wait = this.#rate.take();
    if (wait === 0) return undefined;
    const message = `More than ${turnsPerMinute} turns were begun in a minute`;
    return new ChatError("limit", message, Math.ceil(wait / 1000));
  }

  #start(session: string, { owner, message, after }: TurnRequest): ChatRun {
    const { options, limits, sessions, runs, states, titles, asks } = this.#parts;
    const { startTurn, onError = () => {} } = options;
    let title: () => void = () => {};
    let release = () => Promise.resolve();
    let output: LiveOutput | undefined;
    const run = runs.start({
      session,
      message,
      onError,
      begin: async (signal, show) => {
        const kept = await sessions.open(session, owner, after);
        release = () => kept.release();
        const { messages, lines, titled, log } = kept;
        const live = output = new LiveOutput(limits.liveOutput, show);
        const turn = startTurn({
          ...{ session, message, messages, log, signal },
          onOutput: (_, chunk) => live.add(chunk),
          ask: asks.askerOf({
            run: () => run.id,
            show,
            waits: (waiting) => {
              runs.setWaiting(run.id, waiting);
              states.changed(session);
            },
          }),
          grants: this.#grantsOf(session),
        });
        if (!titled) title = () => titles.make(session, turn.result);
        states.changed(session);
        return { run: turn, lines };
      },
      keep: (event, shown) => {
        if (event.type === "tool_end") output?.end();
        // By then the session is stored, and has a title.
        if (event.type === "turn_start") states.changed(session);
        const line = pageLine(event, shown);
        return line === undefined ? undefined : sessions.keep(session, line).catch(onError);
      },
      finish: () => {
        output?.end();
        this.#first.delete(owner);
        if (this.#grants.get(session)?.empty === true) this.#grants.delete(session);
        title();
        return release();
      },
    });
    // A cut is a change of its own, beside that of the turn: the page counts with both.
    if (after !== undefined) states.rewritten(session);
    states.rewritten(session);
    run.ended.then((outcome) => {
      states.ended(session, outcome);
      if (outcome === "done") this.beginNext(session);
    }).catch(onError);
    return run;
  }

  #grantsOf(session: string): Grants {
    const grants = this.#grants.get(session) ?? new Grants();
    this.#grants.set(session, grants);
    return grants;
  }

  /** The owner's current session. Two first messages sent at once go to the same new session. */
  async #currentOrNew(owner: string): Promise<string> {
    const session = await this.#parts.sessions.latest(owner) ?? this.#first.get(owner);
    if (session !== undefined) return session;
    const first = crypto.randomUUID();
    this.#first.set(owner, first);
    return first;
  }
}

/** The refusal of a chat that is about to end. */
export function stoppingError(): ChatError {
  return new ChatError("stopping", "The server is about to end");
}
