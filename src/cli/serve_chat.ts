import { coderSettings, coderVariables, run, title } from "../coder/mod.ts";
import { openaiClient } from "../llm/mod.ts";
import { memorySessionStore, type SessionStore, sqliteSessionStore } from "../store/mod.ts";
import { currentFolder, hostFs, openDatabase, processHost, readEnv } from "../sys/mod.ts";
import { chooseSandbox, CommandSession, type Sandbox, type SandboxMode } from "../terminal/mod.ts";
import { hostVfs } from "../vfs/mod.ts";
import { type ChatApp, chatApp } from "../web/mod.ts";
import { ConfigError } from "./config_file.ts";

/** How to serve the chat. */
export interface ServeChatOptions {
  /** What confines commands. */
  readonly sandbox: SandboxMode;
  /** Folders that files are confined to, besides the current one; empty: no confinement. */
  readonly allow: readonly string[];
  /** The model; that of the environment if absent. */
  readonly model?: string | undefined;
  /** Names that the server answers to; see `chatApp`. */
  readonly hosts?: readonly string[] | "any" | undefined;
  /** What requests must bring along. */
  readonly token?: string | undefined;
  /** Is told what the user should know. */
  warn(message: string): void;
}

/** The chat with all that is behind it. */
export interface ServedChat extends AsyncDisposable {
  readonly app: ChatApp;
}

/**
 * The chat with the coding agent on this machine: its files, its shell, its environment, sessions
 * in the state folder. Disposing it stops all turns and kills everything that they started.
 *
 * @throws {ConfigError} The key is missing.
 */
export async function openChat(options: ServeChatOptions): Promise<ServedChat> {
  const env = readEnv([...coderVariables, "XDG_STATE_HOME", "HOME"]);
  const value = (name: string) => env[name]?.state === "set" ? env[name].value : undefined;
  const { apiKey, baseUrl, limits, smallModel, model: usual } = coderSettings(value);
  if (apiKey === undefined) {
    throw new ConfigError("The API key is missing: set LLM_AUTH_TOKEN or OPENAI_API_KEY");
  }
  const model = options.model ?? usual;
  const root = currentFolder();
  const allow = options.allow.map((path) => path.startsWith("/") ? path : `${root}/${path}`);
  const confined = allow.length === 0 ? undefined : [root, ...allow];
  const folder = stateFolder(value("XDG_STATE_HOME"), value("HOME"));
  const store = await openStore(folder, options.warn);
  try {
    const sandbox = await chooseSandbox(options.sandbox, {
      writable: allow,
      hidden: folder === undefined ? [] : [folder],
    });
    if (sandbox.kind === "none" && options.sandbox === "auto") {
      options.warn(`commands run without a sandbox: ${sandbox.reason}`);
    }
    const runner = new CommandSession({ cwd: root, sandbox });
    const client = openaiClient({ apiKey, baseUrl });
    const vfs = hostVfs(hostFs(), { root, allow: confined });
    const facts = {
      platform: processHost().os,
      sandbox: factOf(sandbox, root),
      allow: confined,
    };
    const app = chatApp({
      store,
      about: { root, model },
      hosts: options.hosts,
      token: options.token,
      startTurn: ({ message, messages, log, signal }) =>
        run({
          ...{ input: message, messages, log, signal },
          ...{ client, model, smallModel, limits, vfs, runner, facts },
        }),
      makeTitle: (messages, signal) => title(messages, { client, model: smallModel, signal }),
      onError: (error) => options.warn(error instanceof Error ? error.message : String(error)),
    });
    return {
      app,
      async [Symbol.asyncDispose]() {
        try {
          await app.stop();
        } finally {
          try {
            await runner[Symbol.asyncDispose]();
          } finally {
            await store.close();
          }
        }
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The XDG specification has relative paths ignored. */
function stateFolder(xdg: string | undefined, home: string | undefined): string | undefined {
  if (xdg?.startsWith("/")) return `${xdg}/llmcmd`;
  return home === undefined ? undefined : `${home}/.local/state/llmcmd`;
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

function factOf(sandbox: Sandbox, root: string) {
  if (sandbox.kind === "none") return sandbox;
  const { kind, network, writable } = sandbox;
  return { kind, network, writable: [root, ...writable] };
}
