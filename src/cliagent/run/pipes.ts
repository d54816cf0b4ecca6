import type { ByteSource, Chunk } from "../../streams/mod.ts";

/**
 * Writes the prompt and closes standard input. A CLI that exits before it has read everything is
 * not an error here.
 */
export async function writePrompt(
  stdin: WritableStream<Uint8Array>,
  prompt: string,
): Promise<void> {
  const writer = stdin.getWriter();
  writer.closed.catch(() => {});
  try {
    await writer.write(new TextEncoder().encode(prompt));
    await writer.close();
  } catch {
    // The process has ended or has closed its standard input.
  }
}

/** Keeps the last bytes of a source. */
export class Tail {
  readonly #most: number;
  #bytes: Chunk = new Uint8Array(0);

  /** Creates a tail of at most `most` bytes. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Reads to the end. Never rejects: the bytes read before an error count. */
  async readAll(source: ByteSource): Promise<void> {
    try {
      for await (const chunk of source) {
        const joined = new Uint8Array(this.#bytes.length + chunk.length);
        joined.set(this.#bytes);
        joined.set(chunk, this.#bytes.length);
        this.#bytes = joined.slice(-this.#most);
      }
    } catch {
      // A broken pipe: the process has ended, and its exit code is the result.
    }
  }

  /** The bytes kept, as text. */
  text(): string {
    return new TextDecoder().decode(this.#bytes);
  }
}
