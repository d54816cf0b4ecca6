/** Where text goes: `Deno.stdout` is one. */
export interface TextOutput {
  /** Writes some of the bytes, and says how many. */
  write(bytes: Uint8Array): Promise<number>;
}

/** Exit status of a command whose reader has gone: the same as for one that SIGPIPE has ended. */
export const READER_GONE = 141;

/**
 * Prints text, or bytes as they are; resolves to the exit status.
 *
 * @throws {FileError} It cannot be written, as to a full disk.
 */
export async function printText(
  output: TextOutput,
  text: string | Uint8Array,
): Promise<number> {
  let rest = typeof text === "string" ? new TextEncoder().encode(text) : text;
  try {
    while (rest.length > 0) rest = rest.subarray(await output.write(rest));
    return 0;
  } catch (error) {
    if (error instanceof Error && error.name === "BrokenPipe") return READER_GONE;
    // Loaded only now: help is to be there at once.
    const { fileError } = await import("../../sys/mod.ts");
    throw fileError("write stdout", "stdout", error);
  }
}
