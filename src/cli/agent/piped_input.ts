import { type ByteSource, LimitError, limitSource } from "../../streams/mod.ts";
import { inputText } from "./input_text.ts";
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
  const input = inputText(limited, tell).pipeThrough(new TransformStream(), { signal });
  try {
    const text = (await Array.fromAsync(input)).join("");
    return text.trim() === "" ? prompt : `${prompt}\n\n${text}`;
  } catch (error) {
    throw error instanceof LimitError ? tooLong("standard input") : error;
  } finally {
    clearTimeout(timer);
  }
}
