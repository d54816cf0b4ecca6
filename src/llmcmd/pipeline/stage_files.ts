import { messageOf, nameOnOneLine } from "../../base/mod.ts";
import type { ByteSink, ByteSource, Chunk, RandomAccess } from "../../streams/mod.ts";

/** An operand names no input: the message lists the inputs. */
export class NoSuchInputError extends Error {
  override readonly name = "NoSuchInputError";
}

/** The files that the commands of one pipe may open; `pipe/operands.ts` implements it. */
export interface OperandFiles {
  /** The descriptor that a path names; throws if it cannot be read. */
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

/** The error of a command that writes a file, with the way out. */
export const NO_FILES = "Commands write no files: what they print goes to out_fd";

/**
 * Commands that look for files which need not be there, such as those that a patch names. A missing
 * file is not a failure for them, and they expect the usual error.
 */
const LOOK_FOR_FILES: ReadonlySet<string> = new Set(["patch", "md5sum", "sha256sum"]);

/** The files of one command of a pipeline: its standard input, and descriptors by name. */
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

  /** True if the command cannot have done its work, because a file could not be opened. */
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

/** The error of a command that cannot have a file. */
export function refusal(command: string, path: string, why: string): string {
  return `${command}: ${nameOnOneLine(path) || "''"}: ${why}`;
}

function readTwice(): TypeError {
  return new TypeError(`Standard input can be read once: name it ${STDIN} or -, not both`);
}
