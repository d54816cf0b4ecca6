import { Gateway, type ModelEntry, openRegistry, type RunRecord } from "../../cliagent/mod.ts";
import {
  envValue,
  FileError,
  isMissing,
  mayRun,
  pathKind,
  privateFiles,
  processTable,
} from "../../sys/mod.ts";
import { gatewayApp } from "../../web/gateway/mod.ts";
import type { FetchApp } from "../../web/http/mod.ts";
import { ConfigError } from "../settings/mod.ts";
import { daxGit } from "./dax_git.ts";
import { registryFile } from "./registry_file.ts";
import { treeSpawner } from "./spawn_agent.ts";

/** The agent file of entries without one; it may be missing. */
const DEFAULT_AGENT_FILE = "AGENTS.md";

/** Options of a gateway on this machine. */
export interface OpenGatewayOptions {
  /** File of the models. */
  readonly models: string;
  /** The key that permits everything. */
  readonly key: string;
  /** llmcmd's state folder; worktrees and runs are stored below it. */
  readonly stateFolder: string;
  /** Host names that it answers to, besides those of the loopback interface; `"any"` for all. */
  readonly hosts: readonly string[] | "any";
  /** Called with each run that has ended. */
  readonly tell: (run: RunRecord) => void;
  readonly warn: (message: string) => void;
}

/** A gateway and its HTTP interface. Disposing it ends its runs and removes their worktrees. */
export interface OpenedGateway extends AsyncDisposable {
  readonly app: FetchApp;
  /** Names of the models at the time of opening. */
  readonly models: readonly string[];
}

/**
 * Opens the gateway to the CLI agents of this machine.
 *
 * @throws {FileError} The file of models cannot be read.
 * @throws {ConfigError} The file of models has a mistake.
 */
export async function openGateway(options: OpenGatewayOptions): Promise<OpenedGateway> {
  const { key, hosts, tell, warn } = options;
  const home = envValue("HOME");
  const registry = await openRegistry(registryFile(options.models, home), warn)
    .catch((error) => {
      // These are mistakes in the file of models.
      if (error instanceof TypeError || error instanceof SyntaxError) {
        throw new ConfigError(error.message);
      }
      if (isMissing(error)) throw noModels(options.models, error);
      throw error;
    });
  const models = await registry.list();
  if (!["git", "bash", "python3"].some(mayRun)) {
    warn("Programs may not be started: calls will fail; run it with --allow-run");
  }
  if (models.length === 0) warn(`${options.models} has no models: all calls will be refused`);
  for (const entry of models) warnOf(entry, (what) => warn(`${options.models}: ${what}`));
  const gateway = await Gateway.open({
    registry,
    spawn: treeSpawner(home),
    git: daxGit(envValue),
    files: privateFiles(),
    processes: processTable(),
    variable: envValue,
    stateFolder: `${options.stateFolder}/gateway`,
    warn,
    secrets: [key],
    changed: (run) => {
      if (run.ended !== undefined) tell(run);
    },
  });
  return {
    app: gatewayApp({ gateway, key, hosts }),
    models: models.map(({ name }) => name),
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

/** Warns of paths in an entry that do not exist. */
function warnOf({ name, repoPath, agentFile }: ModelEntry, warn: (what: string) => void): void {
  const kind = pathKind(repoPath);
  if (kind === "file" || kind === "missing") {
    warn(`${name}: repoPath: ${repoPath} is not a folder: calls to it will fail`);
  } else if (agentFile !== null && agentFile !== DEFAULT_AGENT_FILE) {
    if (pathKind(`${repoPath}/${agentFile}`) !== "missing") return;
    warn(`${name}: agentFile: ${repoPath} has no ${agentFile}: prompts begin without it`);
  }
}

/** The error for a missing file of models, with an example. */
function noModels(path: string, cause: unknown): FileError {
  const example = '{"codex": {"driver": "codex", "repoPath": "~/src/app", "agentFile": null}}';
  const why = `no such file; make it with the CLIs that shall answer, such as ${example}, ` +
    "or name another with --models";
  return new FileError(`read ${path}`, path, why, cause);
}

/** Describes the end of a run in one line. */
export function lineOf(run: RunRecord): string {
  const { id, model, state, started, queued, ended = queued, error } = run;
  const seconds = ((ended - (started ?? queued)) / 1000).toFixed(1);
  // A CLI gives the reason of a failure at the end of its output.
  const detail = error?.detail?.trimEnd().split("\n").at(-1);
  const why = [error?.message, detail].map((part) => part ? `: ${part}` : "").join("");
  return `${model} ${state} after ${seconds} s${why} (run ${id})`;
}
