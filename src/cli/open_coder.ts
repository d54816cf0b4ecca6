import {
  type CoderLimits,
  type CoderOptions,
  type CoderSettings,
  coderSettings,
  coderTools,
  type CoderToolsOptions,
  type EnvGetter,
} from "../coder/mod.ts";
import { openaiClient } from "../llm/mod.ts";
import { currentFolder, hostFs, processHost } from "../sys/mod.ts";
import { chooseSandbox, CommandSession, type Sandbox, type SandboxMode } from "../terminal/mod.ts";
import { hostVfs } from "../vfs/mod.ts";
import { readAgentEnvironment } from "./agent_environment.ts";
import { ConfigError } from "./config_file.ts";
import { dummyKeyHint, PATIENCE_NAMES } from "./endpoint_settings.ts";

/** What raises the limits of a turn that end it. */
const LIMIT_NAMES = { apiCalls: "LLMCMD_AGENT_MAX_CALLS", tokens: "LLMCMD_AGENT_MAX_TOKENS" };

/**
 * Milliseconds that an endpoint which has answered before is asked again: a conversation outlives a
 * network that is away for a while.
 */
const RETRY_TIME = 300_000;

/** How the coding agent works on this machine. */
export interface OpenCoderOptions {
  /** What confines commands. */
  readonly sandbox: SandboxMode;
  /** Folders that files are confined to, besides the current one; empty: no confinement. */
  readonly allow: readonly string[];
  /** The endpoint; that of the environment if absent. */
  readonly baseUrl?: string | undefined;
  /** The model; that of the environment if absent. */
  readonly model?: string | undefined;
  /** Limits that count before those of the environment. */
  readonly turnLimits?: Partial<CoderLimits> | undefined;
  /** Is told what the user should know. */
  warn(message: string): void;
  /** Is given the output of commands as it comes, with the id of the call; see `coderTools`. */
  readonly onOutput?: CoderToolsOptions["onOutput"];
}

/** The coding agent on this machine: its files, its shell, its environment. */
export interface OpenCoder extends AsyncDisposable {
  /** What `run()` needs of all turns. */
  readonly turn:
    & Pick<CoderOptions, "client" | "model" | "limits" | "vfs" | "facts" | "tools">
    & { readonly smallModel: string; readonly runner: CommandSession };
  /** The working folder. */
  readonly root: string;
  /** Where sessions are kept; `undefined` where neither HOME nor XDG_STATE_HOME is set. */
  readonly stateFolder: string | undefined;
}

/**
 * Opens the coding agent. Disposing it kills everything that its commands started.
 *
 * @throws {ConfigError} The key is missing, or a setting is wrong.
 */
export async function openCoder(options: OpenCoderOptions): Promise<OpenCoder> {
  const { value, stateFolder } = await readAgentEnvironment(options.baseUrl, options.warn);
  const { apiKey, baseUrl, smallModel, model: usual, ...set } = settingsOf(value);
  const { firstTokenSeconds = 300, maxRetrySeconds = 60 } = set;
  if (apiKey === undefined) {
    throw new ConfigError(
      "The API key is missing: set LLM_AUTH_TOKEN or OPENAI_API_KEY in the environment or in " +
        `~/.llmcmdrc${dummyKeyHint(baseUrl)}`,
    );
  }
  const limits = { ...set.limits, ...options.turnLimits, names: LIMIT_NAMES };
  const root = currentFolder();
  const allow = options.allow.map((path) => path.startsWith("/") ? path : `${root}/${path}`);
  const confined = allow.length === 0 ? undefined : [root, ...allow];
  const sandbox = await chooseSandbox(options.sandbox, {
    writable: allow,
    hidden: stateFolder === undefined ? [] : [stateFolder],
  });
  if (sandbox.kind === "none" && options.sandbox === "auto") {
    options.warn(`commands run without a sandbox: ${sandbox.reason}`);
  }
  const runner = new CommandSession({ cwd: root, sandbox });
  const vfs = hostVfs(hostFs(), {
    ...{ root, allow: confined },
    // The keys and sessions of this program, and in /proc its own environment and arguments.
    hidden: [...stateFolder === undefined ? [] : [stateFolder], "/proc"],
  });
  return {
    root,
    stateFolder,
    turn: {
      client: openaiClient({
        apiKey,
        baseUrl,
        // As long as a whole run of llmcmd may take: local models need minutes to read much.
        firstTokenTimeout: firstTokenSeconds * 1000,
        maxRetryWait: maxRetrySeconds * 1000,
        retryTime: RETRY_TIME,
        names: PATIENCE_NAMES,
      }),
      model: options.model ?? usual,
      ...{ smallModel, limits, runner, vfs },
      tools: coderTools({
        ...{ vfs, runner, limits, onOutput: options.onOutput },
        // The home folder that commands see.
        home: processHost().env["HOME"],
      }),
      facts: { platform: processHost().os, sandbox: factOf(sandbox, root), allow: confined },
    },
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
}

function settingsOf(value: EnvGetter): CoderSettings {
  try {
    return coderSettings(value);
  } catch (error) {
    throw error instanceof RangeError ? new ConfigError(error.message) : error;
  }
}

function factOf(sandbox: Sandbox, root: string) {
  if (sandbox.kind === "none") return sandbox;
  const { kind, network, writable } = sandbox;
  return { kind, network, writable: [root, ...writable] };
}
