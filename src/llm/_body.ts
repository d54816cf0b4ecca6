/** The format of a body. */
export type BodyKind = "events" | "json" | "other";

/** The fields that a line of an event stream can begin with. */
const FIELDS = ["data:", "event:", "id:", "retry:", ":"];

/** The text of a body, as it arrives, without a byte order mark. Leaves the rest when closed. */
export async function* bodyText(response: Response): AsyncGenerator<string, void, void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = decoder.decode(value, { stream: !done });
      if (text !== "") yield text;
      if (done) return;
    }
  } finally {
    // Of a body that failed there is nothing to cancel.
    await reader.cancel().catch(() => {});
  }
}

/**
 * Looks at the beginning of a body. `pieces` has all of its text, the beginning included; `kind` is
 * `undefined` for an empty body.
 */
export async function lookAt(
  pieces: AsyncGenerator<string, void, void>,
): Promise<{ kind: BodyKind | undefined; pieces: AsyncGenerator<string, void, void> }> {
  let head = "";
  let kind: BodyKind | undefined;
  while (kind === undefined) {
    const { done, value } = await pieces.next();
    if (done === true) {
      kind = head.trim() === "" ? undefined : "other";
      break;
    }
    head += value;
    kind = kindOf(head);
  }
  return { kind, pieces: behind(head, pieces) };
}

async function* behind(
  head: string,
  pieces: AsyncGenerator<string, void, void>,
): AsyncGenerator<string, void, void> {
  try {
    if (head !== "") yield head;
    yield* pieces;
  } finally {
    await pieces.return();
  }
}

/** The format of a text by its beginning; `undefined` while that is open. */
function kindOf(head: string): BodyKind | undefined {
  const text = head.trimStart();
  if (text === "") return undefined;
  if (/^[{[]/.test(text)) return "json";
  if (FIELDS.some((field) => text.startsWith(field))) return "events";
  return FIELDS.some((field) => field.startsWith(text)) ? undefined : "other";
}

/** All of the text, or its beginning of about `most` characters. */
export async function joinText(pieces: AsyncIterable<string>, most = Infinity): Promise<string> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length >= most) break;
  }
  return text;
}
