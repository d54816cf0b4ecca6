import { type ByteSource, LimitError, limitSource } from "../../streams/mod.ts";
import { inputText } from "./input_text.ts";
import { MOST_INPUT, tooLong } from "./lines.ts";

/** Milliseconds without the end of input after which the user gets a hint. */
const PATIENCE = 1000;

/** Options of {@linkcode withInput}. */
export interface PipedInputOptions {
  readonly signal: AbortSignal;
  /** Shows the hint about waiting, and a warning if the input is not UTF-8. */
  tell(message: string): void;
  /** Milliseconds until the hint; 1,000 if absent. */
  readonly patience?: number | undefined;
}

/** The message of `-p`, followed by the text piped to standard input. */
export async function withInput(
  prompt: string,
  source: ByteSource,
  { signal, tell, patience = PATIENCE }: PipedInputOptions,
): Promise<string> {
  const timer = setTimeout(() => {
    tell(
      "waiting for the end of standard input, which becomes part of the message; " +
        "add </dev/null if there is no input",
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
