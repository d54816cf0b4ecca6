import type { DriverName, ModelEntry } from "../registry/mod.ts";

/** The CLI's own session that a call belongs to. */
export interface CliSession {
  /** Its id, chosen by the gateway or by the CLI. */
  readonly id: string;
  /** True if the CLI has the session already and resumes it. */
  readonly resume: boolean;
}

/** A request to a CLI. */
export interface DriverRequest {
  /** The entry of the model. */
  readonly entry: ModelEntry;
  /** The folder to work in: the repository's, or the worktree. */
  readonly cwd: string;
  /** The prompt. */
  readonly prompt: string;
  /** The CLI's session, for a conversation that continues; without it the CLI keeps no session. */
  readonly session?: CliSession | "new" | undefined;
  /** Folders besides `cwd` that the CLI's own sandbox must leave writable, such as git's. */
  readonly writable?: readonly string[] | undefined;
}

/**
 * A command to start. The prompt is never an argument: arguments are limited in length, and every
 * user of the machine can read them.
 */
export interface AgentCommand {
  /** The program, a name or an absolute path. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The folder to start it in. */
  readonly cwd: string;
  /** Variables that the driver sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables to pass on from the gateway's environment, if they are set. */
  readonly passEnv: readonly string[];
  /** The whole standard input. */
  readonly stdin: string;
}

/** Tokens of a run. */
export interface AgentUsage {
  /** Tokens of all requests' prompts, those from a cache included. */
  readonly inputTokens: number;
  /** Tokens of all answers. */
  readonly outputTokens: number;
  /** Part of `inputTokens` that came from a cache. */
  readonly cachedTokens: number;
  /** Part of `outputTokens` that was reasoning, if the CLI counts it. */
  readonly reasoningTokens: number;
}

/** Output of a CLI while it works. */
export type CliEvent =
  /** A piece of a message. The pieces contain the empty line between messages. */
  | { readonly type: "text"; readonly text: string }
  /** A piece of reasoning, or a line for a tool call. */
  | { readonly type: "activity"; readonly text: string };

/** The result of a CLI, as its output reports it. */
export interface CliOutcome {
  /** The last message, trimmed; empty if there was none. */
  readonly answer: string;
  /** True if the CLI itself reported that its turn was complete. */
  readonly complete: boolean;
  /** True if the answer is plain text and not from an event: then every line counts. */
  readonly plain: boolean;
  /** The error that the CLI reported. */
  readonly error: string | undefined;
  /** The tokens that the CLI counted. */
  readonly usage: AgentUsage | undefined;
  /** The id of its session. */
  readonly session: string | undefined;
  /** The end of the output outside events, such as warnings. */
  readonly noise: string;
}

/** Parses the standard output of one run, line by line. */
export interface OutputParser {
  /** Parses a line without its line break. An unknown line is not an error. */
  line(text: string): CliEvent[];
  /** Ends the output: returns the remaining events and the outcome. */
  end(): { readonly events: CliEvent[]; readonly outcome: CliOutcome };
}

/** A kind of CLI: its command line and the parser of its output. */
export interface Driver {
  /** Name in the registry. */
  readonly name: DriverName;
  /** Program that it starts if the entry has no `command`. */
  readonly program: string | undefined;
  /** The npm package that contains the program. */
  readonly npmPackage: string | undefined;
  /**
   * Source of a session's id, with which a later call resumes the session: the gateway (`ours`) or
   * the CLI (`own`). `none` if the CLI has no sessions.
   */
  readonly sessions: "ours" | "own" | "none";
  /**
   * True if the CLI counts the tokens of its whole session instead of this run, as codex and qwen
   * do.
   */
  readonly usageOfSession: boolean;
  /** True if an empty answer is an error. `generic` has a default text instead. */
  readonly mustAnswer: boolean;
  /** Rewrites text of a request that the CLI would interpret as its own commands. */
  readonly escape: ((text: string) => string) | undefined;
  /** Makes the command for a request. Has no side effects. */
  command(request: DriverRequest): AgentCommand;
  /** Makes a parser for one run. */
  parser(): OutputParser;
}
