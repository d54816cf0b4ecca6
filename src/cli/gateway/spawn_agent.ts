import { ProgramNotFoundError, type SpawnAgent } from "../../cliagent/mod.ts";
import { fromReadable } from "../../streams/mod.ts";
import { pathKind, ProgramMissingError } from "../../sys/mod.ts";
import { chooseSandbox, type Sandbox, spawnTree } from "../../terminal/mod.ts";

/** Where each CLI keeps its login, settings and sessions, below the home folder. */
const OWN_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  claude: [".claude", ".claude.json"],
  codex: [".codex"],
  gemini: [".gemini"],
  qwen: [".qwen"],
};

/**
 * Starts CLIs as process trees of `terminal/`, which are killed whole. In the sandbox `bwrap` a CLI
 * may write to its working folder, to `writable` and to its own folders in `home`; where bubblewrap
 * does not work it is not started.
 */
export function treeSpawner(home: string | undefined): SpawnAgent {
  return async ({ program, args, cwd, env, sandbox: wanted, cli, writable }) => {
    const own = home === undefined ? [] : (OWN_FOLDERS[cli] ?? []).map((name) => `${home}/${name}`);
    const sandbox = without(
      await chooseSandbox(wanted, { writable: [...writable, ...own], home }),
      own,
    );
    try {
      const tree = await spawnTree([program, ...args], {
        cwd,
        // The port's environment is whole; what the terminal would pass on by itself is left out.
        base: {},
        env,
        stdin: "pipe",
        sandbox,
      });
      return {
        stdin: tree.stdin,
        stdout: fromReadable(tree.stdout),
        stderr: fromReadable(tree.stderr),
        exit: tree.status.then(({ exitCode }) => exitCode ?? 137),
        kill: async () => void await tree.kill().catch(() => {}),
        // It would fail for survivors that nobody can help.
        release: () => tree[Symbol.asyncDispose]().catch(() => {}),
      };
    } catch (error) {
      if (error instanceof ProgramMissingError) {
        if (program.includes("/") && pathKind(program) === "file") {
          const why = sandbox.kind === "bwrap" && program.startsWith("/tmp/")
            ? " in the sandbox, which has a /tmp of its own; put it elsewhere"
            : ": it is not executable, or the program that its first line names is missing";
          throw new Error(`Cannot start ${program}${why}`, { cause: error });
        }
        throw new ProgramNotFoundError(error.message, { cause: error });
      }
      throw error;
    }
  };
}

/** The sandbox with those paths visible: other programs' logins stay hidden, the CLI's own do not. */
function without(sandbox: Sandbox, own: readonly string[]): Sandbox {
  if (sandbox.kind === "none") return sandbox;
  return { ...sandbox, hidden: sandbox.hidden.filter((path) => !own.includes(path)) };
}
