import type { DriverName, ModelEntry } from "../registry/mod.ts";

/** The CLI's own session that a call is a part of. */
export interface CliSession {
  /** Its id: ours, or the one that the CLI gave it. */
  readonly id: string;
  /** Whether the CLI has it already and goes on in it. */
  readonly resume: boolean;
}

/** What a CLI is to do. */
export interface DriverRequest {
  /** The entry of the model. */
  readonly entry: ModelEntry;
  /** The folder to work in: the repository's, or the worktree. */
  readonly cwd: string;
  /** The prompt. */
  readonly prompt: string;
  /** The CLI's session, for a conversation that goes on; without it none is kept. */
  readonly session?: CliSession | "new" | undefined;
  /** Folders besides `cwd` that the CLI's own sandbox is to let it write in, such as git's. */
  readonly writable?: readonly string[] | undefined;
}

/** A command to start. Prompts are never arguments: those are limited and every user can read them. */
export interface AgentCommand {
  /** The program, a name or an absolute path. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The folder to start it in. */
  readonly cwd: string;
  /** Variables with the values that the driver wants. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables to pass on from the gateway's environment, where they are set. */
  readonly passEnv: readonly string[];
  /** What it gets on standard input, which ends after it. */
  readonly stdin: string;
}

/** Tokens of a run. */
export interface AgentUsage {
  /** Tokens of all requests' prompts, those from a cache included. */
  readonly inputTokens: number;
  /** Tokens of all answers. */
  readonly outputTokens: number;
  /** How many of `inputTokens` came from a cache. */
  readonly cachedTokens: number;
  /** How many of `outputTokens` were for reasoning, where the CLI tells. */
  readonly reasoningTokens: number;
}

/** What a CLI says while it works. */
export type CliEvent =
  /** A piece of what it says; messages are separated by an empty line, which is in the pieces. */
  | { readonly type: "text"; readonly text: string }
  /** A piece of what it does and thinks: a line for each tool call. */
  | { readonly type: "activity"; readonly text: string };

/** How a CLI ended, as its output tells. */
export interface CliOutcome {
  /** Its last message, trimmed; empty where there was none. */
  readonly answer: string;
  /** Whether its output was complete: it said itself that it was done. */
  readonly complete: boolean;
  /** Whether the answer is the output's text and not an event's: then no line may be lost. */
  readonly plain: boolean;
  /** What it said went wrong. */
  readonly error: string | undefined;
  /** The tokens that it counted. */
  readonly usage: AgentUsage | undefined;
  /** The id of its session. */
  readonly session: string | undefined;
  /** The end of what it wrote beside its events, such as warnings. */
  readonly noise: string;
}

/** Reads one run's standard output, line by line. */
export interface OutputParser {
  /** Takes a line without its end. A line that it does not understand is no error. */
  line(text: string): CliEvent[];
  /** Takes the end: what was not told yet, and the outcome. */
  end(): { readonly events: CliEvent[]; readonly outcome: CliOutcome };
}

/** A kind of CLI: how it is started and how its output is read. */
export interface Driver {
  /** Its name in the registry. */
  readonly name: DriverName;
  /** The program that it starts if the entry names none. */
  readonly program: string | undefined;
  /** The npm package that brings the program. */
  readonly npmPackage: string | undefined;
  /**
   * How a session of the CLI gets its id, so that a later call can go on in it: from us, from the
   * CLI, or there are none.
   */
  readonly sessions: "ours" | "own" | "none";
  /**
   * Whether the usage that it tells is that of its whole session and not of this run, as that of
   * codex and qwen is.
   */
  readonly usageOfSession: boolean;
  /** Whether an empty answer is an error; `generic` has a text for it. */
  readonly mustAnswer: boolean;
  /** Rewrites text of a request that the CLI would take as commands of its own. */
  readonly escape: ((text: string) => string) | undefined;
  /** The command for a request. Pure. */
  command(request: DriverRequest): AgentCommand;
  /** A parser for one run. */
  parser(): OutputParser;
}
