import { messageOf } from "../../base/mod.ts";
import { processTable } from "../../sys/mod.ts";
import { AttachServer, type SessionManager } from "../../terminal/mod.ts";
import type { AttachFolders } from "../state/mod.ts";

/** Options of {@linkcode attachPoint}. */
export interface AttachPointOptions {
  /** The program, such as `llmcmd mcp`. */
  readonly program: string;
  /** The folders of the sockets. */
  readonly attach: AttachFolders;
  /** Called once with the reason if nobody can join. */
  readonly warn: (message: string) => void;
}

/** Lets people join the sessions of this process. It listens from the first session on. */
export function attachPoint(
  { program, attach: { own }, warn }: AttachPointOptions,
  sessions: () => SessionManager,
): AsyncDisposable & { attachable(sessionId: string): Promise<string | undefined> } {
  const server = own === undefined
    ? undefined
    : new AttachServer({ sessions, folder: own, program, pid: processTable().self });
  let listening: Promise<boolean> | undefined;
  const listen = async () => {
    try {
      if (server === undefined) {
        throw new Error("there is no folder with a path short enough for a socket; set HOME");
      }
      await server.listen();
      return true;
    } catch (error) {
      warn(`nobody can join the terminal sessions: ${messageOf(error)}`);
      return false;
    }
  };
  return {
    attachable: async (sessionId) =>
      await (listening ??= listen()) ? `llmcmd attach ${sessionId}` : undefined,
    [Symbol.asyncDispose]: async () => await server?.[Symbol.asyncDispose](),
  };
}
