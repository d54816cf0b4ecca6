import { type ByteSource, LimitError, limitSource, toReadable } from "../../streams/mod.ts";
import { MOST_INPUT, tooLong } from "./lines.ts";

/** Milliseconds after which the user is told what is waited for. */
const PATIENCE = 1000;

/** How the input of `-p` is read. */
export interface PipedInputOptions {
  readonly signal: AbortSignal;
  /** Tells the user what is waited for, and of input that is not UTF-8. */
  tell(message: string): void;
  /** Milliseconds until then; 1,000 if absent. */
  readonly patience?: number | undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The message of `-p` with what is piped to standard input below it. */
export async function withInput(
  prompt: string,
  source: ByteSource,
  { signal, tell, patience = PATIENCE }: PipedInputOptions,
): Promise<string> {
  const timer = setTimeout(() => {
    tell(
      "waiting for the end of standard input, which becomes part of the message; " +
        "give </dev/null where it has nothing to say",
    );
  }, patience);
  const limited = limitSource(source, { name: "standard input", max: MOST_INPUT });
  const input = toReadable(limited).pipeThrough(new TransformStream(), { signal });
  try {
    const bytes = await new Response(input).bytes();
    const text = new TextDecoder().decode(bytes);
    if (!isUtf8(bytes)) {
      tell(
        "warning: standard input is not UTF-8: what cannot be read reaches the model as U+FFFD; " +
          "convert it with iconv, or give the name of a file instead",
      );
    }
    return text.trim() === "" ? prompt : `${prompt}\n\n${text}`;
  } catch (error) {
    throw error instanceof LimitError ? tooLong("standard input") : error;
  } finally {
    clearTimeout(timer);
  }
}
