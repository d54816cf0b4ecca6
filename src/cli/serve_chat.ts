import { messageOf } from "../base/mod.ts";
import { run, title } from "../coder/mod.ts";
import { memorySessionStore, type SessionStore, sqliteSessionStore } from "../store/mod.ts";
import { openDatabase } from "../sys/mod.ts";
import { type ChatApp, chatApp, type ChatLimits } from "../web/mod.ts";
import { openCoder, type OpenCoderOptions } from "./open_coder.ts";

/** How to serve the chat. */
export interface ServeChatOptions extends OpenCoderOptions {
  /** Names that the server answers to; see `chatApp`. */
  readonly hosts?: readonly string[] | "any" | undefined;
  /** What requests must bring along. */
  readonly token?: string | undefined;
  /** Budgets of the chat. */
  readonly chatLimits?: Partial<ChatLimits> | undefined;
}

/** The chat with all that is behind it. */
export interface ServedChat extends AsyncDisposable {
  readonly app: ChatApp;
  /** The working folder. */
  readonly root: string;
  /** Where sessions are kept; `undefined` where they are not. */
  readonly stateFolder: string | undefined;
}

/**
 * The chat with the coding agent on this machine, sessions in the state folder. Disposing it stops
 * all turns and kills everything that they started.
 *
 * @throws {ConfigError} The key is missing.
 */
export async function openChat(options: ServeChatOptions): Promise<ServedChat> {
  const coder = await openCoder(options);
  const { root, stateFolder, turn: { client, model, smallModel } } = coder;
  let store: SessionStore;
  try {
    store = await openStore(stateFolder, options.warn);
  } catch (error) {
    await coder[Symbol.asyncDispose]();
    throw error;
  }
  const app = chatApp({
    store,
    about: { root, model },
    hosts: options.hosts,
    token: options.token,
    limits: options.chatLimits,
    startTurn: ({ message, messages, log, signal }) =>
      run({ ...coder.turn, ...{ input: message, messages, log, signal } }),
    makeTitle: (messages, signal) => title(messages, { client, model: smallModel, signal }),
    onError: (error) => options.warn(messageOf(error)),
  });
  return {
    ...{ app, root, stateFolder },
    async [Symbol.asyncDispose]() {
      try {
        await app.stop();
      } finally {
        try {
          await coder[Symbol.asyncDispose]();
        } finally {
          await store.close();
        }
      }
    },
  };
}

async function openStore(
  folder: string | undefined,
  warn: (message: string) => void,
): Promise<SessionStore> {
  if (folder === undefined) {
    warn("sessions end with the server: neither HOME nor XDG_STATE_HOME is set");
    return memorySessionStore();
  }
  const database = await openDatabase(`${folder}/web.sqlite`);
  try {
    return sqliteSessionStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}
