import type { ProcessTable } from "../../ports/mod.ts";
import type { Access } from "./access.ts";
import type { AgentUsage } from "../drivers/mod.ts";
import type { RunRecord } from "../records/mod.ts";
import type { ModelRegistry } from "../registry/mod.ts";
import type { AgentLimits, LookUpVariable, SpawnAgent } from "../run/mod.ts";
import type { AgentFiles, Git } from "../worktree/mod.ts";

/** What a gateway needs of the world. */
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
  /** The gateway's own folder, absolute: `worktrees/` and `runs/` are in it, mode 0700. */
  readonly stateFolder: string;
  /** Takes what went wrong and can't be told to a caller. */
  readonly warn: (message: string) => void;
  /** Is told each change of a run: for a page, and for a line of the log when `ended` is set. */
  readonly changed?: ((record: RunRecord) => void) | undefined;
  /** The time, in milliseconds since the epoch; the system's if absent. */
  readonly now?: (() => number) | undefined;
  /** Texts that errors must not show, such as the gateway's own key. */
  readonly secrets?: readonly string[] | undefined;
  /** Limits of a run; the defaults if absent. */
  readonly limits?: Partial<AgentLimits> | undefined;
  /** Milliseconds that a conversation is kept idle. Default 1,800,000 (30 minutes). */
  readonly conversationIdle?: number | undefined;
}

/** A call of a model. */
export interface AgentCall extends Access {
  /** The model's name. */
  readonly model: string;
  /** The request's `messages`, as they came. */
  readonly messages: unknown;
  /**
   * The client's name of a conversation to go on with in the CLI's own session. Where the CLI can't,
   * the whole conversation is sent.
   */
  readonly conversation?: string | undefined;
  /** Whose call it is: conversations of the same name of others are different ones. */
  readonly identity?: string | undefined;
}

/** What a call yields. */
export type CliAgentEvent =
  /** The CLI runs: from here on a failure comes in the middle of an answer. */
  | { readonly type: "started" }
  /** A piece of what the CLI says; an empty line between messages is in the pieces. */
  | { readonly type: "text"; readonly text: string }
  /** A piece of what the CLI does and thinks; a line for each tool call. */
  | { readonly type: "activity"; readonly text: string }
  /** The end: the last message, which is the answer, and the tokens where the CLI tells them. */
  | { readonly type: "answer"; readonly text: string; readonly usage: AgentUsage | undefined };

/** A call that goes on as its events are read. */
export interface CliAgentRun {
  /** Names the run. */
  readonly id: string;
  /**
   * What happens. Nothing does before it is read, and the CLI goes on as fast as it is read.
   *
   * It ends after the `answer`, or fails with an {@linkcode AgentError}: before `started` where the
   * CLI was not started. By then the worktree is removed and the place free. Cancelling it ends the
   * run, and resolves when all of that is done.
   */
  readonly events: ReadableStream<CliAgentEvent>;
}
