import { type ByteSource, LimitError, limitSource, toReadable } from "../../streams/mod.ts";
import { MOST_INPUT, tooLong } from "./lines.ts";

/** Milliseconds after which the user is told what is waited for. */
const PATIENCE = 1000;

/** How the input of `-p` is read. */
export interface PipedInputOptions {
  readonly signal: AbortSignal;
  /** Tells the user what is waited for. */
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
  const input = toReadable(limited).pipeThrough(new TransformStream(), { signal });
  try {
    const text = await new Response(input).text();
    return text.trim() === "" ? prompt : `${prompt}\n\n${text}`;
  } catch (error) {
    throw error instanceof LimitError ? tooLong("standard input") : error;
  } finally {
    clearTimeout(timer);
  }
}
