import type { Git } from "../../cliagent/mod.ts";
import { CaptureSink, toWritable } from "../../streams/mod.ts";

/** Bytes of standard output that are kept where the caller sets no limit: 64 MiB. */
const OUTPUT_LIMIT = 64 * 1024 ** 2;
/** Bytes of standard error that are kept. */
const ERROR_LIMIT = 64 * 1024;

/**
 * The git of this machine, run through dax. It gets `PATH` and `HOME` of the given variables, and of
 * the caller's no `GIT_` variable, which could name another repository.
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
