import { pageHelp, readCommand } from "../command_line/mod.ts";
import type { ByteSource } from "../streams/mod.ts";
import { readEnv, serve, stdinSource, terminals } from "../sys/mod.ts";
import { ConfigError } from "./config_file.ts";
import { coderArguments, servePage } from "./pages/mod.ts";
import { printText, type TextOutput } from "./print_text.ts";
import { openChat } from "./serve_chat.ts";
import { stderrMessages } from "./stderr_messages.ts";
import { fired, untilSignal } from "./until_signal.ts";

/** Milliseconds that open responses may take to end. */
const GRACE = 1000;

/** Runs `llmcmd serve` until a signal ends it. */
export async function runServe(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = await servePage();
  const { options } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const { host, port, linger, "until-eof": untilEof } = options;
  const token = options.token ?? tokenOfEnvironment();
  if (token === undefined && !isLoopback(host)) {
    throw new ConfigError(
      `Anyone who reaches ${host} could run commands here: set LLMCMD_SERVE_TOKEN or give --token`,
    );
  }
  const messages = stderrMessages(page.name);
  return await untilSignal(async (signal) => {
    const chat = await openChat({
      ...coderArguments(options),
      token,
      chatLimits: linger === undefined ? {} : { abandoned: linger * 1000 },
      // Where only the token's owner is answered, any name of this machine will do.
      hosts: isLoopback(host) ? [host] : "any",
      warn: (message) => messages.warn(message),
    });
    const input = untilEof ? stdinSource() : undefined;
    try {
      const server = serve((request) => chat.app.fetch(request), { port, host });
      messages.say(`${server.url}/${tokenQuery(token)}`);
      await Promise.race([server.finished, fired(signal), ...input ? [ended(input)] : []]);
      await chat.app.stop();
      await server.stop(GRACE);
    } finally {
      await input?.return();
      await chat[Symbol.asyncDispose]();
    }
    return 0;
  }, () => messages.flush());
}

function tokenOfEnvironment(): string | undefined {
  const { LLMCMD_SERVE_TOKEN: token } = readEnv(["LLMCMD_SERVE_TOKEN"]);
  return token.state === "set" ? token.value : undefined;
}

/** Resolves when there is no more to read; what there is means nothing. */
async function ended(source: ByteSource): Promise<void> {
  try {
    while (!(await source.next()).done);
  } catch {
    // It can't be read any more, which is an end too.
  }
}

/** The part of the address that lets a browser in; only for people's eyes, not for logs. */
function tokenQuery(token: string | undefined): string {
  if (token === undefined) return "";
  return `?token=${terminals().stderr ? encodeURIComponent(token) : "TOKEN"}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
