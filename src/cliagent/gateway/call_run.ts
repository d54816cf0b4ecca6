import { messageOf } from "../../base/mod.ts";
import { type Driver, drivers } from "../drivers/mod.ts";
import { AgentError } from "../errors.ts";
import { joinPath } from "../paths.ts";
import { buildPrompt, lastUserText } from "../prompt/mod.ts";
import type { Place } from "../queue/mod.ts";
import type { RunRecord } from "../records/mod.ts";
import type { ModelEntry } from "../registry/mod.ts";
import { runCliAgent, type RunOutcome } from "../run/mod.ts";
import type { Worktree } from "../worktree/mod.ts";
import { mayUse } from "./access.ts";
import { readAgentFile } from "./agent_file.ts";
import type { Conversation } from "./conversations.ts";
import type { GatewayShared } from "./shared.ts";
import type { AgentCall, CliAgentEvent } from "./types.ts";

/** One call, from its place in the queue to the removal of its worktree. */
export class CallRun {
  /** The error, once the events have ended. */
  error: AgentError | undefined;
  /** Settles when the call is over and all its resources are released. */
  readonly done: Promise<void>;
  readonly #shared: GatewayShared;
  readonly #call: AgentCall;
  readonly #signal: AbortSignal;
  #record: RunRecord;
  #over: () => void = () => {};

  constructor(shared: GatewayShared, id: string, call: AgentCall, signal: AbortSignal) {
    this.#shared = shared;
    this.#call = call;
    this.#signal = signal;
    const { model, conversation } = call;
    this.#record = { id, model, state: "queued", queued: shared.now(), conversation };
    this.done = new Promise((resolve) => this.#over = resolve);
  }

  /** Runs the call and yields its events. Never throws: see {@linkcode error}. */
  async *events(): AsyncGenerator<CliAgentEvent, void, void> {
    try {
      const entry = await this.#entry();
      this.#note({ queued: this.#shared.now() });
      yield* this.#work(entry);
    } catch (error) {
      this.error = error instanceof AgentError
        ? error
        : new AgentError("failed", "CLI failed", { detail: messageOf(error), cause: error });
    } finally {
      await this.#end();
      this.#over();
    }
  }

  /** Changes the run's record. */
  #note(change: Partial<RunRecord>): void {
    this.#record = { ...this.#record, ...change };
    this.#shared.log.set(this.#record);
    this.#shared.ports.changed?.(this.#record);
  }

  /** Returns the entry, after checking that the call is allowed and valid. */
  async #entry(): Promise<ModelEntry> {
    const { model, messages } = this.#call;
    const entry = await this.#shared.ports.registry.get(model);
    if (!await mayUse(entry, this.#call)) {
      throw new AgentError("forbidden", `The key is not valid for the model ${model}`);
    }
    // An invalid prompt fails here, before the call waits for a place.
    buildPrompt({ messages });
    return entry;
  }

  async *#work(entry: ModelEntry): AsyncGenerator<CliAgentEvent, void, void> {
    const { queue, workplaces } = this.#shared;
    const driver = drivers[entry.driver];
    const { conversation: name, identity } = this.#call;
    const talk = name === undefined || driver.sessions === "none"
      ? undefined
      : JSON.stringify([identity ?? null, entry.name, name]);
    const place: Place = await queue.enter(entry, this.#signal, talk);
    try {
      this.#note({ state: "running", started: this.#shared.now() });
      const conversation = talk === undefined
        ? undefined
        : await workplaces.conversation(talk, entry);
      try {
        yield* this.#runIn(entry, driver, conversation);
      } finally {
        if (talk !== undefined && conversation !== undefined) workplaces.rest(talk, conversation);
      }
    } finally {
      place.release();
    }
  }

  async *#runIn(
    entry: ModelEntry,
    driver: Driver,
    conversation: Conversation | undefined,
  ): AsyncGenerator<CliAgentEvent, void, void> {
    const { id } = this.#record;
    let worktree = conversation?.worktree;
    let outcome: RunOutcome | undefined;
    try {
      if (entry.worktree && worktree === undefined) {
        worktree = await this.#shared.worktrees.add(id, entry);
        await this.#setUp(entry, driver, worktree);
        if (conversation !== undefined) conversation.worktree = worktree;
      }
      if (conversation !== undefined) conversation.lastRun = id;
      for await (const event of this.#start(entry, driver, worktree, conversation)) {
        if (event.type === "ended") outcome = event.outcome;
        else yield event;
      }
    } finally {
      this.#note({ exitCode: outcome?.exitCode });
      if (worktree !== undefined) await this.#leave(entry, worktree, outcome, conversation);
    }
    if (outcome === undefined) return;
    const usage = conversation?.usageOf(driver, outcome.usage) ?? outcome.usage;
    this.#note({ usage });
    conversation?.answered(outcome.error === undefined ? outcome.session : undefined);
    if (outcome.error !== undefined) throw outcome.error;
    yield { type: "answer", text: outcome.answer, usage };
  }

  async *#start(
    entry: ModelEntry,
    driver: Driver,
    worktree: Worktree | undefined,
    conversation: Conversation | undefined,
  ): ReturnType<typeof runCliAgent> {
    const { ports } = this.#shared;
    const { messages } = this.#call;
    const escape = driver.escape;
    const agentText = await readAgentFile(ports.files, entry);
    const prompt = conversation?.resumes === true
      ? buildPrompt({ messages, escape, onlyNew: true })
      : buildPrompt({ messages, escape, agentText });
    const git = worktree === undefined
      ? [joinPath(entry.repoPath, ".git")]
      : [worktree.commonDir, worktree.gitDir];
    const command = driver.command({
      entry,
      cwd: worktree?.cwd ?? entry.repoPath,
      prompt,
      session: conversation?.next(driver),
      // An agent that can write in `.git` can write hooks, which the user's git runs: only for
      // `commit`.
      writable: entry.commit ? git : [],
    });
    const run = { id: this.#record.id, entry, driver, command, writable: git };
    yield* runCliAgent(run, ports, this.#signal);
  }

  /** Runs the entry's `setup` in a new worktree. */
  async #setUp(entry: ModelEntry, driver: Driver, worktree: Worktree): Promise<void> {
    const [program, ...args] = entry.setup ?? [];
    if (program === undefined) return;
    const run = {
      id: this.#record.id,
      entry,
      driver: { ...drivers.generic, npmPackage: undefined, name: driver.name },
      command: { program, args, cwd: worktree.cwd, env: {}, passEnv: entry.env, stdin: "" },
      writable: [worktree.commonDir, worktree.gitDir],
    };
    for await (const event of runCliAgent(run, this.#shared.ports, this.#signal)) {
      if (event.type !== "ended" || event.outcome.error === undefined) continue;
      const { kind, detail, message } = event.outcome.error;
      if (kind === "timeout") {
        throw new AgentError(kind, `setup took longer than timeout (${entry.timeout} s)`);
      }
      if (kind !== "failed") throw event.outcome.error;
      throw new AgentError("failed", "Setup failed", { detail: detail ?? message });
    }
  }

  /** Runs after the CLI: commits and keeps its changes, and removes the worktree. */
  async #leave(
    entry: ModelEntry,
    worktree: Worktree,
    outcome: RunOutcome | undefined,
    conversation: Conversation | undefined,
  ): Promise<void> {
    const { worktrees, workplaces, ports, now } = this.#shared;
    const { id, model } = this.#record;
    try {
      if (entry.commit && outcome?.error === undefined && outcome !== undefined) {
        const { branch, refused } = await worktrees.commit(worktree, {
          id,
          model,
          task: lastUserText(this.#call.messages),
          time: new Date(now()),
          mayCreate: entry.mayCreate,
        });
        this.#note({ branch, refused: refused.length === 0 ? undefined : refused });
      }
    } catch (error) {
      const note = `Cannot commit: ${messageOf(error)}`;
      this.#note({ note });
      ports.warn(`${note} (run ${id})`);
    }
    if (conversation?.worktree === undefined) {
      await workplaces.giveUp(worktree, id);
    } else {
      try {
        this.#note(await workplaces.keep(this.#record, await worktrees.changes(worktree)));
      } catch (error) {
        ports.warn(`Cannot keep the changes of run ${id}: ${messageOf(error)}`);
      }
    }
    this.#record = this.#shared.log.get(id) ?? this.#record;
  }

  /** Records the final state. */
  async #end(): Promise<void> {
    const { error } = this;
    const state = error === undefined
      ? "done"
      : error.kind === "cancelled"
      ? "cancelled"
      : "failed";
    const told = error === undefined ? undefined : {
      kind: error.kind,
      message: error.message,
      detail: error.detail,
    };
    const known = this.#shared.log.get(this.#record.id) !== undefined;
    // Rejected calls, which no model accepted, are not recorded.
    if (!known) return;
    this.#note({ state, ended: this.#shared.now(), error: told });
    await this.#shared.log.keep(this.#record);
  }
}
