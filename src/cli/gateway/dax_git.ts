import type { Git } from "../../cliagent/mod.ts";
import type { Chunk } from "../../streams/mod.ts";

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
      const stdout = new Kept(limit);
      const stderr = new Kept(ERROR_LIMIT);
      const { code } = await new CommandBuilder()
        .command(["git", ...args])
        .cwd(cwd)
        .clearEnv()
        .env({ ...basics(variable), ...env })
        .stdin(stdin ?? "null")
        .stdout(stdout.writable)
        .stderr(stderr.writable)
        .noThrow();
      return {
        status: code,
        stdout: stdout.bytes(),
        cut: stdout.cut,
        stderr: new TextDecoder().decode(stderr.bytes()),
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

/** Keeps the beginning of what is written to it. */
class Kept {
  /** Takes the bytes. */
  readonly writable: WritableStream<Uint8Array>;
  /** Whether bytes were left out. */
  cut = false;
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.writable = new WritableStream({
      write: (chunk) => {
        const part = chunk.slice(0, limit - this.#length);
        this.cut ||= part.length < chunk.length;
        this.#length += part.length;
        if (part.length > 0) this.#parts.push(part);
      },
    });
  }

  /** What was kept. */
  bytes(): Chunk {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
