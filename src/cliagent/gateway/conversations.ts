import { Alarm } from "../../streams/mod.ts";
import type { AgentUsage, CliSession, Driver } from "../drivers/mod.ts";
import type { ModelEntry } from "../registry/mod.ts";
import type { Worktree } from "../worktree/mod.ts";

/** What is kept of a conversation between its calls. */
export class Conversation {
  /** The checkout that it has to itself; CLIs resume by folder. */
  worktree: Worktree | undefined;
  /** The run that used the checkout last. */
  lastRun: string | undefined;
  /** The id of the CLI's session, once it has answered in it. */
  #session: string | undefined;
  /** The usage of the session so far, for CLIs that tell that of all. */
  #used: AgentUsage | undefined;
  /** Ends it when it was idle for too long. */
  readonly idle = new Alarm();

  /** Begins one, for the entry as it was. */
  constructor(readonly entry: ModelEntry) {}

  /** Whether the CLI has the conversation already. */
  get resumes(): boolean {
    return this.#session !== undefined;
  }

  /** Whether it can go on with the entry as it is now. */
  fits(entry: ModelEntry): boolean {
    const kept = ["driver", "repoPath", "worktree", "command", "sandbox"] as const;
    return kept.every((field) => entry[field] === this.entry[field]);
  }

  /** The session for the next call. */
  next(driver: Driver): CliSession | "new" {
    if (this.#session !== undefined) return { id: this.#session, resume: true };
    return driver.sessions === "own" ? "new" : { id: crypto.randomUUID(), resume: false };
  }

  /** Takes the session's id after an answer; after a failure the next call begins a new one. */
  answered(session: string | undefined): void {
    this.#session = session;
    if (session === undefined) this.#used = undefined;
  }

  /** The usage of one call. */
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
