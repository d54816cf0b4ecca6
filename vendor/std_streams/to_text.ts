/**
 * Offline stand-in for `jsr:@std/streams/to-text`, with the real signature.
 *
 * @module
 */

/**
 * Reads a stream of strings or bytes (UTF-8) to its end and gives its text. Holds the whole text in
 * memory.
 *
 * @param stream The stream to read. It is locked while it is read.
 * @returns The text of the stream.
 *
 * @example Usage
 * ```ts
 * import { toText } from "@std/streams/to-text";
 *
 * const stream = ReadableStream.from(["Hello, ", "world!"]);
 * if (await toText(stream) !== "Hello, world!") throw new Error("the text of the stream");
 * ```
 */
export async function toText(stream: ReadableStream): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
