import { messageOf } from "../../base/mod.ts";
import type { RunLog, RunRecord } from "../records/mod.ts";
import type { ModelEntry } from "../registry/mod.ts";
import type { Changes, Worktree, Worktrees } from "../worktree/mod.ts";
import { Conversation } from "./conversations.ts";

/** What {@linkcode Workplaces} needs. */
interface WorkplacesPorts {
  readonly now: () => number;
  readonly warn: (message: string) => void;
  readonly changed?: ((record: RunRecord) => void) | undefined;
  readonly conversationIdle?: number | undefined;
}

/** Default of `conversationIdle`: 30 minutes. */
const IDLE = 30 * 60 * 1000;

/** The folders that runs and conversations have to themselves, and how they give them up. */
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

  /** Keeps what dead processes left, and removes it. */
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

  /** Keeps changes with a run. Rejects when they can't be kept. */
  async keep(record: RunRecord, { stat, patch, note }: Changes): Promise<RunRecord> {
    const next = { ...record, stat, patch: patch.length > 0, note: note ?? record.note };
    if (patch.length > 0) await this.#log.keepPatch(next, patch);
    return next;
  }

  /** The conversation of a key, begun anew where it does not fit the entry any more. */
  async conversation(key: string, entry: ModelEntry): Promise<Conversation> {
    const old = this.#conversations.get(key);
    old?.idle.clear();
    if (old?.fits(entry)) return old;
    if (old !== undefined) await this.#end(key, old);
    const conversation = new Conversation(entry);
    this.#conversations.set(key, conversation);
    return conversation;
  }

  /** A call of the conversation is over: from now on it is idle. */
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
   * Keeps the changes in a worktree with a run and removes it. Where they can't be kept the worktree
   * stays, until the next start's sweep.
   */
  async giveUp(worktree: Worktree, runId: string): Promise<void> {
    try {
      const record = this.#log.get(runId);
      const changes = await this.#worktrees.changes(worktree);
      if (record !== undefined) this.#log.set(await this.keep(record, changes));
      await this.#worktrees.remove(worktree);
    } catch (error) {
      this.#ports.warn(`The worktree ${worktree.root} stays: ${messageOf(error)}`);
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
