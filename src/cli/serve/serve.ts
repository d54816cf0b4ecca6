import { pageHelp, readCommand } from "../../command_line/mod.ts";
import type { ByteSource } from "../../streams/mod.ts";
import { envValue, serve, stdinSource, terminals } from "../../sys/mod.ts";
import { gatewayBeside } from "../../web/gateway/mod.ts";
import { openChat, openGatewayOf, type ServedChat, UNCONFINED } from "../chat/chat.ts";
import { coderArguments } from "../coder_options/mod.ts";
import { stderrMessages } from "../messages/mod.ts";
import { printText, type TextOutput } from "../pages/pages.ts";
import { nameOf, SETTINGS } from "../settings/mod.ts";
import { fired, untilSignal } from "../signals/signals.ts";
import { mountedMcp } from "./mounted_mcp.ts";
import { SERVE_PAGE } from "./page.ts";

/** Milliseconds that open responses may take to end. */
const GRACE = 1000;

/** Runs `llmcmd serve` until a signal ends it. */
export async function runServe(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = SERVE_PAGE;
  const { options } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const { host, port, linger, "until-eof": untilEof, "allow-host": names, models } = options;
  const messages = stderrMessages(page.name);
  const warn = (message: string) => messages.warn(message);
  // The host names of a machine in a network are not known. The token protects it.
  const hosts = isLoopback(host) ? [host, ...names] : "any";
  return await untilSignal(async (signal) => {
    const coder = coderArguments(options);
    const who = {
      hosts,
      howToAllow: (name: string) => `start ${page.name} with --allow-host=${name}`,
    } as const;
    const chat = await openChat({
      ...coder,
      ...who,
      program: page.name,
      token: options.token ?? envValue(nameOf(SETTINGS.serveToken, "serve")),
      chatLimits: linger === undefined ? {} : { abandoned: linger * 1000 },
      warn,
    });
    const { sandbox, allow } = coder;
    const mcp = mountedMcp(chat.app, { ...who, token: chat.token, sandbox, allow, warn });
    const input = untilEof ? stdinSource() : undefined;
    try {
      await using gateway = models === undefined ? undefined : await openGatewayOf(chat, {
        models,
        hosts,
        tell: (line) => messages.say(line),
        warn,
      });
      const app = gateway === undefined ? mcp : gatewayBeside(gateway.app, mcp);
      const server = serve((request) => app.fetch(request), { port, host });
      if (!chat.sandboxed) messages.warn(UNCONFINED);
      messages.say(linkOf(server.url, chat));
      if (gateway !== undefined) {
        messages.say(`${server.url}/v1 answers as ${gateway.models.join(", ")}`);
        messages.say(`page of the CLI agents: ${server.url}/gateway`);
      }
      await Promise.race([server.finished, fired(signal), ...input ? [ended(input)] : []]);
      await gateway?.[Symbol.asyncDispose]();
      await chat.app.stop();
      await mcp[Symbol.asyncDispose]();
      await server.stop(GRACE);
    } finally {
      await input?.return();
      try {
        await mcp[Symbol.asyncDispose]();
      } finally {
        await chat[Symbol.asyncDispose]();
      }
    }
    return 0;
  }, () => messages.flush());
}

/** Resolves at the end of a source, whose content is ignored. */
async function ended(source: ByteSource): Promise<void> {
  try {
    while (!(await source.next()).done);
  } catch {
    // An error is an end, too.
  }
}

/** The link that gives a browser access. The token is shown to people, not written to logs. */
function linkOf(url: string, { token, tokenFile }: ServedChat): string {
  if (terminals().stderr) return `${url}/?token=${encodeURIComponent(token)}`;
  return `${url}/?token=TOKEN${tokenFile === undefined ? "" : ` (the token is in ${tokenFile})`}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
