import { Gateway, hashKey, openRegistry, type RunRecord } from "../../cliagent/mod.ts";
import { pageHelp, readCommand } from "../../command_line/mod.ts";
import {
  privateFiles,
  processTable,
  readEnv,
  serve,
  stderrSink,
  terminals,
} from "../../sys/mod.ts";
import { gatewayApp } from "../../web/mod.ts";
import { ConfigError } from "../config_file.ts";
import { stateFolderOf } from "../agent_environment.ts";
import { proxyPage } from "../pages/mod.ts";
import { printText, type TextOutput } from "../print_text.ts";
import { stderrMessages } from "../stderr_messages.ts";
import { fired, untilSignal } from "../until_signal.ts";
import { daxGit } from "./dax_git.ts";
import { registryFile } from "./registry_file.ts";
import { treeSpawner } from "./spawn_agent.ts";
import { stateKey } from "../state_key.ts";

/** Milliseconds that open responses may take to end. */
const GRACE = 1000;

/** Runs `llmcmd proxy` until a signal ends it. */
export async function runProxy(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = await proxyPage();
  const { options } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const files = privateFiles();
  const home = variable("HOME");
  const stateFolder = stateFolderOf(variable("XDG_STATE_HOME"), home);
  if (stateFolder === undefined) {
    throw new ConfigError("There is no place for worktrees and the key: set HOME");
  }
  if (options["hash-key"]) {
    const key = `llmcmd-${crypto.randomUUID().replaceAll("-", "")}`;
    return await printText(stdout, `key:  ${key}\nhash: ${await hashKey(key)}\n`);
  }
  const messages = stderrMessages(page.name);
  const warn = (message: string) => messages.warn(message);
  const registry = await openRegistry(registryFile(options.models, home), warn);
  const { key, path } = await stateKey(files, stateFolder);
  const tell = options.log === "json" ? jsonLog() : (run: RunRecord) => messages.say(lineOf(run));
  return await untilSignal(async (signal) => {
    const gateway = await Gateway.open({
      registry,
      spawn: treeSpawner(home),
      git: daxGit(variable),
      files,
      processes: processTable(),
      variable,
      stateFolder: `${stateFolder}/gateway`,
      warn,
      secrets: [key],
      changed: (run) => {
        if (run.ended !== undefined) tell(run);
      },
    });
    try {
      const hosts = [options.host, ...options["allow-host"]];
      const app = gatewayApp({ gateway, key, hosts });
      const server = serve((request) => app.fetch(request), options);
      const names = (await registry.list()).map(({ name }) => name);
      messages.say(`${server.url}/v1 answers as ${names.join(", ")}`);
      // The key is for the user's eyes, not for logs.
      messages.say(
        terminals().stderr
          ? `export OPENAI_BASE_URL=${server.url}/v1 OPENAI_API_KEY=${key}`
          : `export OPENAI_BASE_URL=${server.url}/v1 OPENAI_API_KEY="$(cat ${path})"`,
      );
      // Behind # the key is not sent to a server, and so is in no log of one.
      messages.say(`page: ${server.url}/${terminals().stderr ? `#token=${key}` : ""}`);
      await Promise.race([server.finished, fired(signal)]);
      await gateway.close();
      await server.stop(GRACE);
    } finally {
      await gateway.close();
    }
    return 0;
  }, () => messages.flush());
}

/** The value of a variable; one that may not be read counts as not set. */
function variable(name: string): string | undefined {
  const found = readEnv([name])[name];
  return found?.state === "set" ? found.value : undefined;
}

/** What became of a run, for people. */
function lineOf({ id, model, state, started, queued, ended = queued, error }: RunRecord): string {
  const seconds = ((ended - (started ?? queued)) / 1000).toFixed(1);
  const why = error === undefined ? "" : `: ${error.message}`;
  return `${model} ${state} after ${seconds} s${why} (run ${id})`;
}

/** Writes a line of JSON for a run that is over. */
function jsonLog(): (run: RunRecord) => void {
  const sink = stderrSink();
  const encoder = new TextEncoder();
  let last = Promise.resolve();
  return (run) => {
    const time = new Date(run.ended ?? Date.now()).toISOString();
    const line = encoder.encode(`${JSON.stringify({ time, ...run })}\n`);
    // A log that nobody reads any more stops no run.
    last = last.then(() => sink.write(line)).catch(() => {});
  };
}
