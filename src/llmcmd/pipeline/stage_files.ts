import { messageOf, nameOnOneLine } from "../../base/mod.ts";
import type { ByteSink, ByteSource, Chunk, RandomAccess } from "../../streams/mod.ts";

/** An operand is no input: the message says which ones there are. */
export class NoSuchInputError extends Error {
  override readonly name = "NoSuchInputError";
}

/** What the commands of one pipe may open by name; `operands.ts` has it. */
export interface OperandFiles {
  /** The descriptor that a path names; throws if there is none that can be read. */
  find(path: string): number;
  /** Opens what a path names, from its beginning. */
  open(path: string): Promise<ByteSource>;
  /** The command at `stage` has ended: what is kept open for it is closed. */
  leave(stage: number): Promise<void>;
  /** The pipelines behind what was opened. */
  readonly pipelines: readonly {
    readonly refusesLate: boolean;
    report(): { stderr: string; error: string | null };
  }[];
}

/** The name of a command's own standard input. */
export const STDIN = "/dev/stdin";

/** Why commands cannot write files, and what to do instead. */
export const NO_FILES = "Commands write no files: what they print goes to out_fd";

/**
 * Commands that look for files which need not be there, such as those that a patch names. What they
 * do not find is not a failure of theirs, and no other message than the usual one is understood.
 */
const LOOK_FOR_FILES: ReadonlySet<string> = new Set(["patch", "md5sum", "sha256sum"]);

/** What one command of a pipeline can read: its standard input, and descriptors by name. */
export class StageFiles {
  /** The command's standard input. */
  readonly stdin: ByteSource;
  readonly #input: StageInput;
  readonly #name: string;
  readonly #operands: OperandFiles | undefined;
  #refused: string | undefined;

  /** For the command `name`, which is the one at `stage` of its pipe. */
  constructor(name: string, stage: number, source: ByteSource, operands?: OperandFiles) {
    this.#name = name;
    this.#operands = operands;
    this.stdin = this.#input = new StageInput(source, () => operands?.leave(stage));
  }

  /** The first file that could not be opened, and why; some commands go on without saying so. */
  get refused(): string | undefined {
    return this.#refused;
  }

  /** Whether the command cannot have done its work, because a file could not be opened. */
  get failed(): boolean {
    return this.#refused !== undefined && !LOOK_FOR_FILES.has(this.#name);
  }

  /** Opens what `path` names: standard input, or a descriptor. */
  readonly open = async (path: string): Promise<ByteSource> => {
    try {
      if (path === STDIN) return this.#input.take();
      if (this.#operands === undefined) throw new NoSuchInputError("There are no files here");
      return await this.#operands.open(path);
    } catch (error) {
      this.#refuse(path, messageOf(error));
      if (!(error instanceof NoSuchInputError) || !LOOK_FOR_FILES.has(this.#name)) throw error;
      throw Object.assign(new Error(error.message), { code: "ENOENT" });
    }
  };

  /** Refuses to write a file. */
  readonly create = (path: string): Promise<ByteSink> => {
    this.#refuse(path, NO_FILES);
    return Promise.reject(new Error(NO_FILES));
  };

  #refuse(path: string, why: string): void {
    this.#refused ??= refusal(this.#name, path, why);
  }
}

/** A command's standard input, which it can read as `-` or by its name, but not as both. */
class StageInput implements ByteSource {
  readonly at?: RandomAccess;
  readonly #source: ByteSource;
  readonly #onClose: () => Promise<void> | undefined;
  #read = false;
  #taken = false;

  constructor(source: ByteSource, onClose: () => Promise<void> | undefined) {
    this.#source = source;
    this.#onClose = onClose;
    if (source.at !== undefined) this.at = source.at;
  }

  next(): Promise<IteratorResult<Chunk, void>> {
    if (this.#taken) return Promise.reject(readTwice());
    this.#read = true;
    return this.#source.next();
  }

  /** Gives it to whoever opens it by its name. */
  take(): ByteSource {
    if (this.#read || this.#taken) throw readTwice();
    this.#taken = true;
    return this.#source;
  }

  async return(): Promise<IteratorResult<Chunk, void>> {
    await this.#onClose();
    return await this.#source.return();
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk, void, void> {
    return this;
  }
}

/** How an error names a file that a command cannot have. */
export function refusal(command: string, path: string, why: string): string {
  return `${command}: ${nameOnOneLine(path) || "''"}: ${why}`;
}

function readTwice(): TypeError {
  return new TypeError(`Standard input can be read once: name it ${STDIN} or -, not both`);
}
