import type { Git } from "../../cliagent/mod.ts";
import { CaptureSink, toWritable } from "../../streams/mod.ts";

/** Most bytes of standard output that are kept, unless the caller sets a limit: 64 MiB. */
const OUTPUT_LIMIT = 64 * 1024 ** 2;
/** Most bytes of standard error that are kept. */
const ERROR_LIMIT = 64 * 1024;

/**
 * Runs the git of this machine through dax. It passes on a few variables such as `PATH` and `HOME`,
 * but no `GIT_` variable of the caller, which could name another repository.
 *
 * dax is imported with the first command.
 */
export function daxGit(variable: (name: string) => string | undefined): Git {
  return {
    async run(args, cwd, { env = {}, stdin, limit = OUTPUT_LIMIT } = {}) {
      const { CommandBuilder } = await import("dax");
      const stdout = new CaptureSink(limit);
      const stderr = new CaptureSink(ERROR_LIMIT);
      const { code } = await new CommandBuilder()
        .command(["git", ...args])
        .cwd(cwd)
        .clearEnv()
        .env({ ...basics(variable), ...env })
        .stdin(stdin ?? "null")
        .stdout(toWritable(stdout))
        .stderr(toWritable(stderr))
        .noThrow();
      return {
        status: code,
        stdout: stdout.bytes(),
        cut: stdout.truncated,
        stderr: stderr.text(),
      };
    },
  };
}

function basics(variable: (name: string) => string | undefined): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR"]) {
    const value = variable(name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
