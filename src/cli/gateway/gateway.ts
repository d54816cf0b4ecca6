import { hashKey, type RunRecord } from "../../cliagent/mod.ts";
import { pageHelp, readCommand } from "../../command_line/mod.ts";
import { privateFiles, serve, stderrSink, terminals } from "../../sys/mod.ts";
import { stderrMessages } from "../messages/mod.ts";
import { printText, type TextOutput } from "../pages/pages.ts";
import { ConfigError } from "../settings/mod.ts";
import { fired, untilSignal } from "../signals/signals.ts";
import { stateKey, usualStateFolder } from "../state/mod.ts";
import { lineOf, type OpenedGateway, openGateway } from "./open_gateway.ts";
import { PROXY_PAGE } from "./page.ts";

export { lineOf, type OpenedGateway, openGateway };

/** Milliseconds that open responses may take to end. */
const GRACE = 1000;

/** Runs `llmcmd proxy` until a signal ends it. */
export async function runProxy(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = PROXY_PAGE;
  const { options } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const stateFolder = usualStateFolder();
  if (stateFolder === undefined) {
    throw new ConfigError("There is no place for worktrees and the key: set HOME");
  }
  if (options["hash-key"]) {
    const key = `llmcmd-${crypto.randomUUID().replaceAll("-", "")}`;
    return await printText(stdout, `key:  ${key}\nhash: ${await hashKey(key)}\n`);
  }
  const messages = stderrMessages(page.name);
  const warn = (message: string) => messages.warn(message);
  const { key, path } = await stateKey(privateFiles(), stateFolder);
  const tell = options.log === "json" ? jsonLog() : (run: RunRecord) => messages.say(lineOf(run));
  return await untilSignal(async (signal) => {
    await using gateway = await openGateway({
      ...{ key, stateFolder, tell, warn, models: options.models },
      hosts: [options.host, ...options["allow-host"]],
    });
    const server = serve((request) => gateway.app.fetch(request), options);
    const models = gateway.models.join(", ") || "no model yet";
    messages.say(`${server.url}/v1 answers as ${models}`);
    // The key is for the user's eyes, not for logs.
    messages.say(
      terminals().stderr
        ? `export OPENAI_BASE_URL=${server.url}/v1 OPENAI_API_KEY=${key}`
        : `export OPENAI_BASE_URL=${server.url}/v1 OPENAI_API_KEY="$(cat ${path})"`,
    );
    // Browsers do not send the part after #, so the key gets into no server's log.
    messages.say(`page: ${server.url}/${terminals().stderr ? `#token=${key}` : ""}`);
    await Promise.race([server.finished, fired(signal)]);
    await gateway[Symbol.asyncDispose]();
    await server.stop(GRACE);
    return 0;
  }, () => messages.flush());
}

/** Returns a function that logs an ended run as a line of JSON. */
function jsonLog(): (run: RunRecord) => void {
  const sink = stderrSink();
  const encoder = new TextEncoder();
  let last = Promise.resolve();
  return (run) => {
    const time = new Date(run.ended ?? Date.now()).toISOString();
    const line = encoder.encode(`${JSON.stringify({ time, ...run })}\n`);
    // A closed log does not stop runs.
    last = last.then(() => sink.write(line)).catch(() => {});
  };
}
