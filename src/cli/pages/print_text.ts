/** The destination of text, such as `Deno.stdout`. */
export interface TextOutput {
  /** Writes some of the bytes; resolves to their number. */
  write(bytes: Uint8Array): Promise<number>;
}

/** The exit status if the reader has closed the pipe: as for a process that SIGPIPE has ended. */
export const READER_GONE = 141;

/**
 * Prints text, or bytes without changes; resolves to the exit status.
 *
 * @throws {FileError} It cannot be written, for example because the disk is full.
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
    // Imported only now, so that help starts fast.
    const { fileError } = await import("../../sys/mod.ts");
    throw fileError("write stdout", "stdout", error);
  }
}
