import { messageOf } from "../../base/mod.ts";
import { run, title } from "../../coder/mod.ts";
import { privateFiles } from "../../sys/mod.ts";
import { type ChatApp, chatApp, type ChatLimits } from "../../web/chat/mod.ts";
import { openCoder, type OpenCoderOptions } from "../coder/mod.ts";
import type { OpenedGateway } from "../gateway/gateway.ts";
import { openSessionHome, type SessionHome } from "../sessions/sessions.ts";
import { ConfigError, nameOf, SETTINGS } from "../settings/mod.ts";
import { stateKey } from "../state/mod.ts";

/** Options of {@linkcode openChat}. */
export interface ServeChatOptions extends OpenCoderOptions {
  /** The command, such as `llmcmd serve`, which other programs show as the user of a session. */
  readonly program: string;
  /** Names that the server answers to; see `chatApp`. */
  readonly hosts?: readonly string[] | "any" | undefined;
  /** The token that requests must have; the key of the state folder if absent. */
  readonly token?: string | undefined;
  /** A hint about allowing another host name, for clients with the token; see `chatApp`. */
  readonly howToAllow?: ((host: string) => string) | undefined;
  /** Budgets of the chat. */
  readonly chatLimits?: Partial<ChatLimits> | undefined;
}

/** A warning if there is no sandbox; see THREAT_MODEL.md. */
export const UNCONFINED =
  "without a sandbox, the agent's commands can read this server's token and begin turns themselves";

/** An open chat with its sessions and its coding agent. */
export interface ServedChat extends AsyncDisposable {
  readonly app: ChatApp;
  /** The working folder. */
  readonly root: string;
  /** The folder of the sessions; `undefined` if they are not stored. */
  readonly stateFolder: string | undefined;
  /** The token that requests must have. */
  readonly token: string;
  /** The file of the token, if it is stored. */
  readonly tokenFile: string | undefined;
  /** True if a sandbox keeps commands from reading the token. */
  readonly sandboxed: boolean;
}

/**
 * Opens the chat with the coding agent on this machine; sessions are in the state folder. Disposing
 * it stops all turns and kills every process that they started.
 *
 * @throws {ConfigError} The key of the endpoint is missing, or no token was given and none can be
 * stored.
 */
export async function openChat(options: ServeChatOptions): Promise<ServedChat> {
  const coder = await openCoder(options);
  const { root, stateFolder, turn: { client, model, smallModel } } = coder;
  const { program, warn } = options;
  let home: SessionHome;
  let token: string;
  let tokenFile: string | undefined;
  try {
    ({ token, tokenFile } = await tokenFor(options.token, stateFolder));
    if (stateFolder === undefined) {
      warn("sessions end with the server: neither HOME nor XDG_STATE_HOME is set");
    }
    home = await openSessionHome({ stateFolder, program, many: true });
  } catch (error) {
    await coder[Symbol.asyncDispose]();
    throw error;
  }
  const app = chatApp({
    ...{ store: home.store, writers: home.writers },
    about: { root, model, sandbox: coder.turn.facts?.sandbox },
    hosts: options.hosts,
    token,
    howToAllow: options.howToAllow,
    limits: options.chatLimits,
    startTurn: ({ message, messages, log, signal, onOutput, ask, grants }) =>
      run({
        ...coder.turnWith({ ask, grants }),
        ...{ input: message, messages, log, signal, onOutput },
      }),
    makeTitle: (messages, signal) => title(messages, { client, model: smallModel, signal }),
    onError: (error) => warn(messageOf(error)),
  });
  return {
    ...{ app, root, stateFolder, token, tokenFile },
    sandboxed: coder.turn.facts?.sandbox?.kind === "bwrap",
    async [Symbol.asyncDispose]() {
      try {
        await app.stop();
      } finally {
        try {
          await coder[Symbol.asyncDispose]();
        } finally {
          await home[Symbol.asyncDispose]();
        }
      }
    },
  };
}

/** Options of the gateway beside a chat. */
export interface GatewayOfChat {
  /** File of the models. */
  readonly models: string;
  readonly hosts: readonly string[] | "any";
  /** Gets a line about each run that has ended. */
  readonly tell: (line: string) => void;
  readonly warn: (message: string) => void;
}

/**
 * Opens the gateway to this machine's CLI agents beside a chat, with its token and state folder.
 *
 * @throws {ConfigError} There is no place for worktrees.
 */
export async function openGatewayOf(
  { token, stateFolder }: ServedChat,
  { models, hosts, tell, warn }: GatewayOfChat,
): Promise<OpenedGateway> {
  if (stateFolder === undefined) {
    throw new ConfigError("There is no place for worktrees: set HOME or XDG_STATE_HOME");
  }
  const { lineOf, openGateway } = await import("../gateway/gateway.ts");
  return await openGateway({
    ...{ models, hosts, warn, key: token, stateFolder },
    tell: (run) => tell(lineOf(run)),
  });
}

/**
 * The token of the chat. Without one, every program on this machine could start turns, even
 * commands in the agent's sandbox.
 */
async function tokenFor(
  given: string | undefined,
  folder: string | undefined,
): Promise<{ token: string; tokenFile?: string }> {
  if (given !== undefined) return { token: given };
  if (folder === undefined) {
    throw new ConfigError(
      "There is no place to keep a token: set HOME or XDG_STATE_HOME, or give one in " +
        nameOf(SETTINGS.serveToken, "serve"),
    );
  }
  const { key, path } = await stateKey(privateFiles(), folder);
  return { token: key, tokenFile: path };
}
