import { FdTable, memorySource } from "../../streams/mod.ts";
import { openInputFile, stdinSource } from "../../sys/mod.ts";

/** The descriptors of a run, without 1. */
export interface OpenInputs {
  readonly fds: FdTable;
  /** True if descriptor 0 is a terminal, which is not read and so counts as empty. */
  readonly terminal: boolean;
  /** True if descriptor 0 is at its end, because the instructions were read from it. */
  readonly instructionsFromInput: boolean;
}

/** The state of standard input before it is opened. */
export interface StandardInput {
  readonly terminal: boolean;
  /** True if it was already read to its end, for the instructions. */
  readonly taken: boolean;
}

/**
 * Opens standard input as descriptor 0 and the files from 3 on, so that errors show before the
 * model is called. `-` is a duplicate of standard input; a terminal is read only if it is given. If
 * a file can't be opened, those opened before are closed.
 *
 * @throws {FileError | PermissionError} A file can't be opened.
 */
export async function openInputs(
  files: readonly string[],
  stdin: StandardInput,
  signal: AbortSignal,
): Promise<OpenInputs> {
  const fds = new FdTable();
  const terminal = stdin.terminal && !stdin.taken && !files.includes("-");
  try {
    const source = terminal || stdin.taken ? memorySource(new Uint8Array()) : stdinSource();
    fds.open({ number: 0, name: "stdin", source });
    fds.open({ number: 2, name: "stderr" });
    for (const [index, name] of files.entries()) {
      const number = index + 3;
      if (name === "-") fds.dup(0, { name, number });
      else fds.open({ name, number, source: await openInputFile(name, signal) });
    }
    return { fds, terminal, instructionsFromInput: stdin.taken };
  } catch (error) {
    await fds.abort(error);
    throw error;
  }
}
