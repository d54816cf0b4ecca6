import { linkAbort, readableFrom } from "../../streams/mod.ts";
import { AgentError } from "../errors.ts";
import { matchesKey } from "../keys.ts";
import { CallQueue, type QueueCounts } from "../queue/mod.ts";
import { RunLog, type RunRecord } from "../records/mod.ts";
import type { ModelEntry } from "../registry/mod.ts";
import { Worktrees } from "../worktree/mod.ts";
import { type Access, mayUse } from "./access.ts";
import { CallRun } from "./call_run.ts";
import type { GatewayShared } from "./shared.ts";
import type { AgentCall, CliAgentEvent, CliAgentRun, GatewayPorts } from "./types.ts";
import { Workplaces } from "./workplaces.ts";

/** A model and the state of its queue. */
export interface ModelStatus extends QueueCounts {
  /** The model's entry. */
  readonly entry: ModelEntry;
}

/**
 * Answers calls with local CLI agents: one queue, worktrees, conversations and records of runs,
 * over ports. It knows no HTTP.
 *
 * @example
 * ```ts ignore
 * const gateway = await Gateway.open(ports);
 * const { id, events } = gateway.call({ model: "codex-repoX", messages });
 * for await (const event of events) if (event.type === "answer") console.log(id, event.text);
 * await gateway.close();
 * ```
 */
export class Gateway {
  readonly #shared: GatewayShared;
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  #closed = false;

  private constructor(shared: GatewayShared) {
    this.#shared = shared;
  }

  /**
   * Opens the gateway: reads the recorded runs, and cleans up after a gateway that was killed,
   * keeping the changes in its worktrees.
   */
  static async open(ports: GatewayPorts): Promise<Gateway> {
    const now = ports.now ?? Date.now;
    const log = await RunLog.open({ ...ports, now });
    const worktrees = new Worktrees(ports);
    const workplaces = new Workplaces({ ...ports, now }, worktrees, log);
    await workplaces.sweep();
    return new Gateway({ ports, now, log, worktrees, workplaces, queue: new CallQueue() });
  }

  /** Calls a model. The signal ends the call, as cancelling its events does. */
  call(call: AgentCall, signal?: AbortSignal): CliAgentRun {
    const id = crypto.randomUUID();
    const events = readableFrom((left) => this.#run(id, call, signal, left), {
      onCancel: "finish",
      name: "call",
    });
    return { id, events };
  }

  /** Runs a call. `left` fires when its events are cancelled; the call then goes on to its end. */
  async *#run(
    id: string,
    call: AgentCall,
    signal: AbortSignal | undefined,
    left: AbortSignal,
  ): AsyncGenerator<CliAgentEvent, void, void> {
    if (left.aborted) return; // nobody ever read it
    const stop = new AbortController();
    const unlink = linkAbort(signal, stop);
    const run = new CallRun(this.#shared, id, call, stop.signal);
    const events = run.events();
    this.#running.set(id, { stop, done: run.done });
    void run.done.then(() => {
      this.#running.delete(id);
      unlink();
    });
    left.addEventListener("abort", () => {
      stop.abort(new AgentError("cancelled", "The caller went away", { cause: left.reason }));
    });
    // A call that was stopped ends by itself, also where nobody reads its events.
    stop.signal.addEventListener("abort", async () => {
      while ((await events.next()).done !== true);
    }, { once: true });
    if (this.#closed) stop.abort(ending());
    yield* events;
    await run.done;
    if (run.error !== undefined && !left.aborted) throw run.error;
  }

  /**
   * Ends a run, and resolves when it is over. Resolves to `false` if no such run is in progress.
   */
  async cancel(id: string): Promise<boolean> {
    const running = this.#running.get(id);
    if (running === undefined) return false;
    running.stop.abort(new AgentError("cancelled", "The call was cancelled"));
    await running.done;
    return true;
  }

  /** The models that a caller may use, with the state of their queues. */
  async models(access: Access = {}): Promise<ModelStatus[]> {
    const models: ModelStatus[] = [];
    for (const entry of await this.#shared.ports.registry.list()) {
      if (!await mayUse(entry, access)) continue;
      models.push({ entry, ...this.#shared.queue.counts(entry.name) });
    }
    return models;
  }

  /**
   * True if an entry lists the key in `apiKeys`. Such a key is valid for that model, besides the
   * gateway's own key, which is not known here.
   */
  async knowsKey(key: string): Promise<boolean> {
    for (const { apiKeys } of await this.#shared.ports.registry.list()) {
      if (apiKeys !== undefined && await matchesKey(key, apiKeys)) return true;
    }
    return false;
  }

  /** The latest runs, latest first: running ones, and ended ones of the last 7 days. */
  runs(limit?: number): RunRecord[] {
    return this.#shared.log.list(limit);
  }

  /** Returns the run with that id. */
  run(id: string): RunRecord | undefined {
    return this.#shared.log.get(id);
  }

  /** Returns the patch of a run, for `git apply`; `undefined` if there is none. */
  async patch(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return await this.#shared.log.patch(id);
  }

  /** Ends all runs and conversations. Resolves when all their resources are released. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#running.values()];
    for (const { stop } of running) stop.abort(ending());
    await Promise.all(running.map(({ done }) => done));
    await this.#shared.workplaces.close();
  }
}

function ending(): AgentError {
  return new AgentError("cancelled", "The gateway is ending");
}
