/** Sessions on this machine, for the tests of this folder. */
import type { SessionRead } from "../../ports/mod.ts";
import { chooseSandbox, CommandSession, findShell, type Sandbox } from "../mod.ts";
import { type PtySession, type SessionClock, SessionManager } from "./sessions.ts";

/** A signal that never fires. */
export const { signal } = new AbortController();

/** A wait with a time-out that only a hang reaches, because machines may be busy. */
export const PATIENT: SessionRead = { timeout: 60_000, maxBytes: 64 * 1024, signal };

/** Sessions in a folder of their own. */
export interface TestBench extends AsyncDisposable {
  readonly folder: string;
  readonly manager: SessionManager;
  /** Starts a session; an interactive bash without start-up files if there is no command. */
  start(command?: string, options?: { owner?: string; sessionId?: string }): Promise<PtySession>;
}

/** Makes a test bench. */
export async function testBench(
  options: { sandbox?: Sandbox; clock?: SessionClock; maxSessions?: number } = {},
): Promise<TestBench> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const sandbox = options.sandbox ?? await chooseSandbox("none");
  // Without the user's own settings.
  const base = { ...Deno.env.toObject(), HOME: folder, HISTFILE: "", PS1: "$ " };
  const runner = new CommandSession({ cwd: folder, sandbox, base });
  const manager = new SessionManager({ runner, sandbox, shell: findShell("bash"), ...options });
  return {
    folder,
    manager,
    async start(command, { owner = "me", sessionId } = {}) {
      await Deno.writeTextFile(`${folder}/.bashrc`, "PS1='$ '; unset HISTFILE\n");
      return await manager.start(owner, {
        ...{ command, sessionId, signal, workingDirectory: folder },
        env: {},
      });
    },
    async [Symbol.asyncDispose]() {
      await manager[Symbol.asyncDispose]();
      await runner[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
