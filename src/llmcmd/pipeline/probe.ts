import { messageOf } from "../../base/mod.ts";
import type { Builtin } from "../../builtins/mod.ts";
import { type ByteSource, type Chunk, memorySource, Source } from "../../streams/mod.ts";
import { NO_FILES, STDIN } from "./stage_files.ts";

/**
 * The content of standard input and of all files in a trial run: valid as a list of patterns, a sed
 * script (a comment), a list of file names, and text.
 */
const SAMPLE = "#llmcmd-sample\n";

/** A command whose output goes on gets no further than this many pieces or bytes in a trial run. */
const MOST_PIECES = 100;
const MOST_BYTES = 64 * 1024;

/** A file operand, and the descriptor that it names. */
export interface Opened {
  readonly path: string;
  readonly fd: number;
}

/** The knowledge of a command before it runs. */
export interface Probed {
  /** The error in its options, operands or patterns, in its own words. */
  readonly problem?: string;
  /** The first file that it cannot have, and why. */
  readonly refused?: { readonly path: string; readonly why: string };
  /** True if it reads its standard input. */
  readonly readsInput: boolean;
  /** The descriptors that it opens as files, in order. */
  readonly opens: readonly Opened[];
}

/** Options of a trial run. */
export interface ProbeOptions {
  readonly signal: AbortSignal;
  /** Finds the descriptor of a file operand; throws for one that cannot be opened. */
  find(path: string): number;
}

/**
 * Runs a builtin on a sample, to learn what it opens and whether it would fail. If it fails before
 * it reads anything, its options, operands or pattern are wrong: builtins check all of these before
 * they touch their input, so the answer is the same as that of the real run. Files that it opens
 * depending on its data are not known afterwards.
 */
export async function probe(
  builtin: Builtin,
  args: readonly string[],
  { signal, find }: ProbeOptions,
): Promise<Probed> {
  const opens: Opened[] = [];
  const warnings: string[] = [];
  let refused: Probed["refused"];
  const stdin = new ProbeInput();
  let read = () => stdin.touched;
  const refuse = (path: string, why: string) => {
    refused ??= { path, why };
  };
  const run = builtin(args, {
    stdin,
    signal,
    warn: (message) => void warnings.push(message),
    open: async (path): Promise<ByteSource> => {
      // A name that comes out of the sample says nothing.
      if (!path.includes(SAMPLE.trimEnd())) {
        try {
          if (path === STDIN) stdin.touched = true;
          else opens.push({ path, fd: find(path) });
        } catch (error) {
          refuse(path, messageOf(error));
          throw error;
        }
      }
      read = () => true;
      return await Promise.resolve(memorySource(SAMPLE));
    },
    create: (path) => {
      refuse(path, NO_FILES);
      return Promise.reject(new Error(NO_FILES));
    },
  });
  const known = () => ({
    readsInput: stdin.touched,
    opens,
    ...(refused === undefined ? {} : { refused }),
  });
  try {
    let bytes = 0;
    for (let pieces = 0; pieces < MOST_PIECES && bytes < MOST_BYTES; pieces++) {
      const { done, value } = await run.next();
      if (done !== true) {
        bytes += value.length;
        continue;
      }
      const failed = value !== 0 && pieces === 0 && warnings.length > 0 && !read();
      return { ...known(), ...(failed ? { problem: warnings.join("\n") } : {}) };
    }
    return known();
  } catch (error) {
    signal.throwIfAborted();
    return { ...known(), ...(read() ? {} : { problem: messageOf(error) }) };
  } finally {
    await run.return(0).catch(() => {});
    await stdin.return();
  }
}

/** The sample as standard input, which records whether it was read. */
class ProbeInput extends Source {
  touched = false;
  #given = false;

  protected override pull(): Chunk | undefined {
    this.touched = true;
    if (this.#given) return undefined;
    this.#given = true;
    return new TextEncoder().encode(SAMPLE);
  }
}
