import { messageOf } from "../../base/mod.ts";
import type { RunLog, RunRecord } from "../records/mod.ts";
import type { ModelEntry } from "../registry/mod.ts";
import type { Changes, Worktree, Worktrees } from "../worktree/mod.ts";
import { Conversation } from "./conversations.ts";

/** Ports of {@linkcode Workplaces}. */
interface WorkplacesPorts {
  readonly now: () => number;
  readonly warn: (message: string) => void;
  readonly changed?: ((record: RunRecord) => void) | undefined;
  readonly conversationIdle?: number | undefined;
}

/** Default of `conversationIdle`: 30 minutes. */
const IDLE = 30 * 60 * 1000;

/** The worktrees of runs and conversations, and their removal. */
export class Workplaces {
  readonly #ports: WorkplacesPorts;
  readonly #worktrees: Worktrees;
  readonly #log: RunLog;
  readonly #conversations = new Map<string, Conversation>();
  readonly #removing = new Set<Promise<void>>();

  constructor(ports: WorkplacesPorts, worktrees: Worktrees, log: RunLog) {
    this.#ports = ports;
    this.#worktrees = worktrees;
    this.#log = log;
  }

  /** Keeps the changes in worktrees of dead processes, and removes these worktrees. */
  async sweep(): Promise<void> {
    await this.#worktrees.sweep(async (worktree, changes) => {
      const now = this.#ports.now();
      const { id, model } = worktree;
      const record = await this.keep(
        this.#log.get(id) ?? {
          id,
          model,
          state: "failed",
          queued: now,
          ended: now,
          error: { kind: "cancelled", message: "The gateway ended while the call ran" },
        },
        changes,
      );
      await this.#log.keep(record);
    });
  }

  /** Stores changes with a run. Rejects if they cannot be written. */
  async keep(record: RunRecord, { stat, patch, note }: Changes): Promise<RunRecord> {
    const next = { ...record, stat, patch: patch.length > 0, note: note ?? record.note };
    if (patch.length > 0) await this.#log.keepPatch(next, patch);
    return next;
  }

  /** Returns the conversation with that key, or a new one if the entry has changed too much. */
  async conversation(key: string, entry: ModelEntry): Promise<Conversation> {
    const old = this.#conversations.get(key);
    old?.idle.clear();
    if (old?.fits(entry)) return old;
    if (old !== undefined) await this.#end(key, old);
    const conversation = new Conversation(entry);
    this.#conversations.set(key, conversation);
    return conversation;
  }

  /** Starts the idle time of a conversation after a call. */
  rest(key: string, conversation: Conversation): void {
    conversation.idle.set(this.#ports.conversationIdle ?? IDLE, () => {
      const ending = this.#end(key, conversation).finally(() => this.#removing.delete(ending));
      this.#removing.add(ending);
    });
  }

  /** Ends all conversations. */
  async close(): Promise<void> {
    const open = [...this.#conversations];
    await Promise.all(open.map(([key, conversation]) => this.#end(key, conversation)));
    await Promise.all(this.#removing);
  }

  /**
   * Stores the changes in a worktree with a run, then removes the worktree. If they cannot be
   * stored, the worktree stays until the sweep at the next start.
   */
  async giveUp(worktree: Worktree, runId: string): Promise<void> {
    try {
      const record = this.#log.get(runId);
      const changes = await this.#worktrees.changes(worktree);
      if (record !== undefined) this.#log.set(await this.keep(record, changes));
      await this.#worktrees.remove(worktree);
    } catch (error) {
      this.#ports.warn(`The worktree ${worktree.root} was not removed: ${messageOf(error)}`);
    }
  }

  async #end(key: string, conversation: Conversation): Promise<void> {
    conversation.idle.clear();
    this.#conversations.delete(key);
    const { worktree, lastRun } = conversation;
    conversation.worktree = undefined;
    if (worktree !== undefined) await this.giveUp(worktree, lastRun ?? worktree.id);
  }
}
