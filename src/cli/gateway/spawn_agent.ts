import { ProgramNotFoundError, type SpawnAgent } from "../../cliagent/mod.ts";
import { fromReadable } from "../../streams/mod.ts";
import { pathKind, ProgramMissingError } from "../../sys/mod.ts";
import { chooseSandbox, type Sandbox, spawnTree } from "../../terminal/mod.ts";

/** Paths below the home folder with each CLI's login, settings and sessions. */
const OWN_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  claude: [".claude", ".claude.json"],
  codex: [".codex"],
  gemini: [".gemini"],
  qwen: [".qwen"],
};

/**
 * Starts CLIs as process trees of `terminal/`, which are killed as a whole. In the sandbox `bwrap`
 * a CLI may write to its working folder, to `writable` and to its own folders in `home`. If
 * bubblewrap does not work, the CLI is not started.
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
        // `env` is complete: the variables that `terminal/` would add by itself are left out.
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
        // It would reject for processes that cannot be killed, which the caller cannot help.
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

/** Shows those paths in the sandbox: a CLI sees its own login, not those of other programs. */
function without(sandbox: Sandbox, own: readonly string[]): Sandbox {
  if (sandbox.kind === "none") return sandbox;
  return { ...sandbox, hidden: sandbox.hidden.filter((path) => !own.includes(path)) };
}
