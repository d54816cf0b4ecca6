import type { MockRequest } from "./wire_api.ts";

/** A part of a conversation, in the form that all wire APIs have in common. */
export interface Turn {
  /** Its place in the body, such as `messages[2]`. */
  readonly at: string;
  /**
   * `aside` is text in one message with tool results: agents put reminders there, so it does not
   * count as text of the user.
   */
  readonly role: "system" | "user" | "assistant" | "tool" | "aside";
  /** The texts, one for each text part. */
  readonly texts: readonly string[];
  /** The calls that the model asked for. */
  readonly calls?: readonly TurnCall[];
  /** For a tool result: the id of the call that it belongs to. */
  readonly answers?: string;
}

/** A call in a conversation. */
export interface TurnCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** A conversation, and its place in the body. */
export interface Transcript {
  readonly turns: readonly Turn[];
  /** The field that holds the messages, such as `messages`. */
  readonly field: string;
  /** The number of its messages. */
  readonly messages: number;
  /** The definitions of the tools; `undefined` or `null` without any. */
  readonly tools: unknown;
  /**
   * True where tool results may be anywhere after their calls. Default: they follow the message
   * with the calls at once.
   */
  readonly resultsAnywhere?: boolean;
}

/** The fields of a request that come from its transcript. */
export type TranscriptFields = Pick<
  MockRequest,
  "system" | "userText" | "toolResults" | "messages" | "characters" | "disorder"
>;

/** The fields of a request that follow from its conversation. */
export function describeTranscript(transcript: Transcript): TranscriptFields {
  const { turns, messages, tools } = transcript;
  const lastUser = turns.findLastIndex(({ role }) => role === "user");
  const disorder = transcript.resultsAnywhere === true
    ? findUnanswered(turns)
    : findDisorder(turns, `${transcript.field}[${messages}]`);
  return {
    system: turns.filter(({ role }) => role === "system").map(({ texts }) => texts.join("\n")),
    userText: turns[lastUser]?.texts.at(-1) ?? "",
    toolResults: turns.slice(lastUser + 1)
      .filter(({ role }) => role === "tool")
      .map(({ texts }) => texts.join("\n")),
    messages,
    characters: turns.reduce((sum, turn) => sum + countCharacters(turn), 0) +
      (tools ? JSON.stringify(tools).length : 0),
    ...(disorder === undefined ? {} : { disorder }),
  };
}

function countCharacters({ texts, calls = [] }: Turn): number {
  let count = 0;
  for (const text of texts) count += text.length;
  for (const { name, arguments: args } of calls) count += name.length + args.length;
  return count;
}

/**
 * The rule of most real endpoints: the results of all calls follow the message with the calls, and
 * there is no result without a call. `end` is the place after the last message.
 */
function findDisorder(turns: readonly Turn[], end: string): string | undefined {
  let open: string[] = [];
  for (const turn of [...turns, undefined]) {
    if (turn?.role === "tool") {
      const at = open.indexOf(turn.answers ?? "");
      if (at < 0) {
        return stray(turn, "which is not an open call of the assistant message before it");
      }
      open.splice(at, 1);
      continue;
    }
    if (open.length > 0) {
      return `The assistant message before ${turn?.at ?? end} has calls without a tool result: ` +
        open.join(", ");
    }
    if (turn?.role === "assistant") open = turn.calls?.map(({ id }) => id) ?? [];
  }
  return undefined;
}

/** The rule where results may be anywhere after their calls. */
function findUnanswered(turns: readonly Turn[]): string | undefined {
  const open = new Set<string>();
  for (const turn of turns) {
    if (turn.role === "tool" && !open.delete(turn.answers ?? "")) {
      return stray(turn, "which is not an open call before it");
    }
    for (const { id } of turn.calls ?? []) open.add(id);
  }
  return open.size === 0 ? undefined : `No tool result for the calls ${[...open].join(", ")}`;
}

function stray({ at, answers }: Turn, what: string): string {
  return `${at} answers '${answers}', ${what}`;
}
