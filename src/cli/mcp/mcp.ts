import { closest } from "../../base/mod.ts";
import { pageHelp, readCommand, UsageError } from "../../command_line/mod.ts";
import { CLI_TOOL_NAMES, type CliToolName, serveStreams } from "../../mcp/mod.ts";
import { toReadable, toWritable } from "../../streams/mod.ts";
import { stdinSource, stdoutSink, terminals } from "../../sys/mod.ts";
import { type Messages, stderrMessages } from "../messages/mod.ts";
import { printText, type TextOutput } from "../pages/pages.ts";
import { absolutePath } from "../paths/mod.ts";
import { untilSignal } from "../signals/signals.ts";
import { ABOUT_MCP } from "./about_mcp.ts";
import { type OpenCliTools, openCliTools } from "./open_cli_tools.ts";
import { MCP_PAGE } from "./page.ts";
import { configFor } from "./print_config.ts";

export { ABOUT_MCP } from "./about_mcp.ts";
export {
  type CliToolsOnHost,
  cliToolsOnHost,
  type OpenCliTools,
  openCliTools,
} from "./open_cli_tools.ts";
export { WorkingFolders } from "./working_folders.ts";

/** Runs `llmcmd mcp` until its client disconnects or a signal ends it. */
export async function runMcp(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = MCP_PAGE;
  const { options } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const only = options.tools === undefined ? undefined : toolNames(options.tools);
  if (options["print-config"] !== undefined) {
    return await printText(stdout, configFor(options["print-config"], argumentsOf(options)));
  }
  const messages = stderrMessages(page.name);
  return await untilSignal(async (signal) => {
    await using cli = await openCliTools({
      program: page.name,
      owner: options.http ? "http" : "stdio",
      sandbox: options.sandbox,
      allow: options["allow-dir"],
      shell: options.shell,
      only,
      limits: options.timeout === undefined ? {} : { commandSeconds: options.timeout },
      maxSessions: options["max-sessions"],
      warn: (message) => messages.warn(message),
    });
    if (options.http) {
      const { serveMcp } = await import("./serve_mcp.ts");
      await serveMcp({ cli, messages, port: options.port, signal });
    } else {
      await serveStandardStreams(cli, messages, signal);
    }
    return 0;
  }, () => messages.flush());
}

/** Serves the client that has started this process. */
async function serveStandardStreams(
  { tools }: OpenCliTools,
  messages: Messages,
  signal: AbortSignal,
): Promise<void> {
  if (terminals().stdin) {
    messages.say("waiting for an MCP client on standard input; --print-config shows its settings");
  }
  await serveStreams({
    tools,
    about: ABOUT_MCP,
    readable: toReadable(stdinSource()),
    writable: toWritable(stdoutSink()),
    signal,
    onError: (error) => messages.warn(error.message),
  });
}

/** Reads the argument of `--tools`. */
function toolNames(text: string): CliToolName[] {
  const words = text.split(",").map((word) => word.trim()).filter((word) => word !== "");
  const names = new Set<CliToolName>();
  for (const word of words) {
    const name = CLI_TOOL_NAMES.find((name) => name === word);
    if (name === undefined) {
      const near = closest(word, CLI_TOOL_NAMES);
      const hint = near === undefined ? "" : `; did you mean ${near}?`;
      throw new UsageError(
        `there is no tool '${word}': there are ${CLI_TOOL_NAMES.join(", ")}${hint}`,
      );
    }
    names.add(name);
  }
  return [...names];
}

/** The arguments with which a client should start `llmcmd`. */
function argumentsOf(options: {
  readonly tools: string | undefined;
  readonly "allow-dir": readonly string[];
  readonly sandbox: string;
  readonly shell: string | undefined;
  readonly timeout: number | undefined;
  readonly "max-sessions": number | undefined;
}): string[] {
  const given = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [`--${name}`, `${value}`];
  return [
    "mcp",
    ...given("tools", options.tools),
    // Clients start it in another folder.
    ...options["allow-dir"].flatMap((folder) => given("allow-dir", absolutePath(folder))),
    ...given("sandbox", options.sandbox === "auto" ? undefined : options.sandbox),
    ...given("shell", options.shell),
    ...given("timeout", options.timeout),
    ...given("max-sessions", options["max-sessions"]),
  ];
}
