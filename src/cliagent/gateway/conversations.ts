import { Alarm } from "../../streams/mod.ts";
import type { AgentUsage, CliSession, Driver } from "../drivers/mod.ts";
import type { ModelEntry } from "../registry/mod.ts";
import type { Worktree } from "../worktree/mod.ts";

/** State of a conversation between its calls. */
export class Conversation {
  /** Its own checkout: CLIs find a session by its folder. */
  worktree: Worktree | undefined;
  /** The run that used the checkout last. */
  lastRun: string | undefined;
  /** The id of the CLI's session, once the CLI has answered in it. */
  #session: string | undefined;
  /** Tokens of the session so far, for CLIs that count the whole session. */
  #used: AgentUsage | undefined;
  /** Ends the conversation after too long an idle time. */
  readonly idle = new Alarm();

  /** Starts a conversation with the entry's current settings. */
  constructor(readonly entry: ModelEntry) {}

  /** True if the CLI has a session of this conversation to resume. */
  get resumes(): boolean {
    return this.#session !== undefined;
  }

  /** True if the conversation can continue with the entry's present settings. */
  fits(entry: ModelEntry): boolean {
    const kept = ["driver", "repoPath", "worktree", "command", "sandbox"] as const;
    return kept.every((field) => entry[field] === this.entry[field]);
  }

  /** Returns the session for the next call. */
  next(driver: Driver): CliSession | "new" {
    if (this.#session !== undefined) return { id: this.#session, resume: true };
    return driver.sessions === "own" ? "new" : { id: crypto.randomUUID(), resume: false };
  }

  /**
   * Records the session's id after an answer; after a failure the next call begins a new session.
   */
  answered(session: string | undefined): void {
    this.#session = session;
    if (session === undefined) this.#used = undefined;
  }

  /** Returns the tokens of one call, from what the CLI counted. */
  usageOf(driver: Driver, usage: AgentUsage | undefined): AgentUsage | undefined {
    const before = this.#used;
    if (!driver.usageOfSession || usage === undefined) return usage;
    this.#used = usage;
    if (before === undefined || !this.resumes) return usage;
    return {
      inputTokens: Math.max(0, usage.inputTokens - before.inputTokens),
      outputTokens: Math.max(0, usage.outputTokens - before.outputTokens),
      cachedTokens: Math.max(0, usage.cachedTokens - before.cachedTokens),
      reasoningTokens: Math.max(0, usage.reasoningTokens - before.reasoningTokens),
    };
  }
}
