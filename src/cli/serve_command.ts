import type { ByteSource } from "../streams/mod.ts";
import { readEnv, serve, stdinSource, terminals } from "../sys/mod.ts";
import { takeCoderArgument, usualCoderArguments } from "./coder_arguments.ts";
import { ConfigError } from "./config_file.ts";
import { helpText, SERVE_PAGE } from "./pages/mod.ts";
import { printText, type TextOutput } from "./print_text.ts";
import { openChat } from "./serve_chat.ts";
import { stderrMessages } from "./stderr_messages.ts";
import { fired, untilSignal } from "./until_signal.ts";
import { parseCommand, UsageError } from "./usage.ts";

/** Milliseconds that open responses may take to end. */
const GRACE = 1000;

/** Runs `llmcmd serve` until a signal ends it. */
export async function runServe(args: readonly string[], stdout: TextOutput): Promise<number> {
  let host = "127.0.0.1";
  let port = 8765;
  let token: string | undefined;
  let linger: number | undefined;
  let untilEof = false;
  const coder = usualCoderArguments();
  for (const item of parseCommand(args, SERVE_PAGE)) {
    if (item.kind === "operand") throw new UsageError(`unexpected operand '${item.value}'`);
    if (item.name !== "help" && item.name !== "until-eof" && item.value === "") {
      throw new UsageError(`the argument of '${item.as}' is empty`);
    }
    switch (item.name) {
      case "help":
        return await printText(stdout, helpText(SERVE_PAGE));
      case "host":
        host = item.value;
        break;
      case "port":
        port = parsePort(item.value);
        break;
      case "token":
        token = item.value;
        break;
      case "linger":
        linger = parseSeconds(item.value);
        break;
      case "until-eof":
        untilEof = true;
        break;
      case "sandbox":
      case "allow-dir":
      case "model":
        takeCoderArgument(coder, item.name, item.value);
        break;
    }
  }
  token ??= tokenOfEnvironment();
  if (token === undefined && !isLoopback(host)) {
    throw new ConfigError(
      `Anyone who reaches ${host} could run commands here: set LLMCMD_SERVE_TOKEN or give --token`,
    );
  }
  const messages = stderrMessages(SERVE_PAGE.name);
  return await untilSignal(async (signal) => {
    const chat = await openChat({
      ...coder,
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

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65535) {
    throw new UsageError(`the port is '${text}': give a number from 0 to 65535`);
  }
  return port;
}

function parseSeconds(text: string): number {
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw new UsageError(`the time is '${text}': give seconds, from 0 to 99999`);
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
