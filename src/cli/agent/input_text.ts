import { type ByteSource, toReadable } from "../../streams/mod.ts";

const NOT_UTF8 =
  "warning: standard input is not UTF-8: what cannot be read reaches the model as U+FFFD; " +
  "convert it with iconv, or give the name of a file instead";

/**
 * The text of standard input in UTF-8, piece by piece, without a byte order mark. `tell` gets a
 * warning, once, where bytes are none.
 */
export function inputText(
  source: ByteSource,
  tell: (message: string) => void,
): ReadableStream<string> {
  const lenient = new TextDecoder();
  let strict: TextDecoder | undefined = new TextDecoder("utf-8", { fatal: true });
  const check = (chunk?: Uint8Array<ArrayBuffer>) => {
    try {
      strict?.decode(chunk, { stream: chunk !== undefined });
    } catch {
      strict = undefined;
      tell(NOT_UTF8);
    }
  };
  return toReadable(source).pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, string>({
      transform(chunk, controller) {
        check(chunk);
        controller.enqueue(lenient.decode(chunk, { stream: true }));
      },
      flush(controller) {
        check();
        controller.enqueue(lenient.decode());
      },
    }),
  );
}
