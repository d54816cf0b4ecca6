import type { ProcessTable } from "../../ports/mod.ts";
import type { Access } from "./access.ts";
import type { AgentUsage } from "../drivers/mod.ts";
import type { RunRecord } from "../records/mod.ts";
import type { ModelRegistry } from "../registry/mod.ts";
import type { AgentLimits, LookUpVariable, SpawnAgent } from "../run/mod.ts";
import type { AgentFiles, Git } from "../worktree/mod.ts";

/** Ports of a gateway: its access to the host. */
export interface GatewayPorts {
  /** The models. */
  readonly registry: ModelRegistry;
  /** Starts CLIs, and kills them with everything they started. */
  readonly spawn: SpawnAgent;
  /** Runs git. */
  readonly git: Git;
  /** Files. */
  readonly files: AgentFiles;
  /** Processes. */
  readonly processes: ProcessTable;
  /** Looks up a variable of the environment. */
  readonly variable: LookUpVariable;
  /**
   * The gateway's own folder, an absolute path. It contains `worktrees/` and `runs/`, with mode
   * 0700.
   */
  readonly stateFolder: string;
  /** Takes warnings about problems that no caller is informed of. */
  readonly warn: (message: string) => void;
  /**
   * Called at each change of a run, for a page. At the last change `ended` is set: then a log line
   * is due.
   */
  readonly changed?: ((record: RunRecord) => void) | undefined;
  /** The clock, in milliseconds since the epoch; the system's by default. */
  readonly now?: (() => number) | undefined;
  /** Texts to remove from errors, such as the gateway's own key. */
  readonly secrets?: readonly string[] | undefined;
  /** Limits of a run, where they differ from the defaults. */
  readonly limits?: Partial<AgentLimits> | undefined;
  /** Milliseconds after which an idle conversation ends. Default 1,800,000 (30 minutes). */
  readonly conversationIdle?: number | undefined;
}

/** A call of a model. */
export interface AgentCall extends Access {
  /** The model's name. */
  readonly model: string;
  /** The `messages` of the request, not yet checked. */
  readonly messages: unknown;
  /**
   * The client's name for a conversation, which continues in the CLI's own session. If the CLI
   * cannot resume it, it gets the whole conversation as its prompt.
   */
  readonly conversation?: string | undefined;
  /** The caller: different callers have different conversations of the same name. */
  readonly identity?: string | undefined;
}

/** An event of a call. */
export type CliAgentEvent =
  /** The CLI has started: a later failure comes in the middle of an answer. */
  | { readonly type: "started" }
  /** A piece of a message. The pieces contain the empty line between messages. */
  | { readonly type: "text"; readonly text: string }
  /** A piece of reasoning, or a line for a tool call. */
  | { readonly type: "activity"; readonly text: string }
  /** The end: the last message, which is the answer, and the tokens if the CLI counts them. */
  | { readonly type: "answer"; readonly text: string; readonly usage: AgentUsage | undefined };

/** A call, which proceeds as its events are read. */
export interface CliAgentRun {
  /** The run's id. */
  readonly id: string;
  /**
   * The events. Nothing happens before the first read, and a slow reader slows the CLI down.
   *
   * The stream ends after `answer`, or fails with an {@linkcode AgentError}: before `started` if
   * the CLI did not start. By then the worktree is removed and the place in the queue is free.
   * Cancelling the stream ends the run, and resolves when all of that is done.
   */
  readonly events: ReadableStream<CliAgentEvent>;
}
