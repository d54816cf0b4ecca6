import { type ByteSource, toReadable } from "../../streams/mod.ts";

const NOT_UTF8 = "warning: standard input is not UTF-8: invalid bytes reach the model as U+FFFD; " +
  "convert it with iconv, or give the name of a file instead";

/**
 * The text of standard input, decoded from UTF-8 piece by piece, without a byte order mark. `tell`
 * gets one warning if bytes are not UTF-8.
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
