/** A word with the blanks before it, at most 12 characters: about the size of a token. */
const WORDS = /\s{0,64}\S{1,12}|\s{1,64}/gu;

/**
 * Arguments come in pieces of 16 characters, so that a client which parses a piece as if it were
 * the whole JSON fails in tests.
 */
const PIECES = /[^]{1,16}/gu;

/** The pieces in which a text is streamed. */
export function* textPieces(text: string | null): Generator<string, void, void> {
  for (const [piece] of (text ?? "").matchAll(WORDS)) yield piece;
}

/** The pieces in which the arguments of a call are streamed. */
export function* argumentPieces(text: string): Generator<string, void, void> {
  for (const [piece] of text.matchAll(PIECES)) yield piece;
}

/** Arguments where an API has them as JSON; text that is not JSON is sent as it is. */
export function decodeArguments(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
