import { givenInput } from "../agent/mod.ts";
import { type SessionEvent, type SessionRecord, withoutCut } from "../coder/mod.ts";
import { type Message, withoutThought } from "../llm/mod.ts";
import { errorData } from "./events.ts";
import type { PageRecord } from "./records.ts";

/** One entry of a conversation as it is shown. The types are those of the events, plus `user`. */
export type ChatItem =
  | { type: "user"; content: string }
  | { type: "text"; content: string }
  | { type: "tool"; name: string; input: unknown }
  | {
    type: "tool_result";
    name: string;
    content: string;
    error?: boolean;
    details?: { diff: string };
  }
  | { type: "notice" | "warning"; message: string }
  | { type: "error"; message: string; code?: string };

type ResultItem = ChatItem & { type: "tool_result" };

/** The items of a session since it was last cleared, without turns that were cut off. */
export function itemsOf(records: readonly (SessionRecord | PageRecord)[]): ChatItem[] {
  const items = new Items();
  for (const record of withoutCut<SessionRecord | PageRecord>(records)) items.add(record);
  return items.end();
}

class Items {
  #all: ChatItem[] = [];
  /** The turn's error, kept until the turn is over: the log may have it before the last message. */
  #error: (ChatItem & { type: "error" }) | undefined;
  /** The latest call of each id. */
  readonly #calls: Map<string, { name: string; result?: ResultItem; end?: Partial<ResultItem> }> =
    new Map();

  add(record: SessionRecord | PageRecord): void {
    switch (record.type) {
      case "message":
        return this.#message(record.message);
      case "clear":
        this.#all = [];
        this.#error = undefined;
        return;
      case "event":
        return this.#event(record.event);
      case "page_error":
        // It is more precise than the session's own record.
        return this.#failed(record);
      case "page_result":
        return this.#ended(record);
    }
  }

  #event(event: SessionEvent): void {
    switch (event.type) {
      case "notice":
      case "warning":
        this.#all.push({ type: event.type, message: event.message });
        return;
      case "result":
        return this.#ended(event);
      case "error": {
        const { name } = event;
        if (name !== undefined) this.#failed(errorData({ ...event, name }));
        else this.#error ??= { type: "error", message: "The turn ended with an error" };
      }
    }
  }

  #failed({ message, code }: { message: string; code?: string | undefined }): void {
    this.#error = { type: "error", message, ...(code === undefined ? {} : { code }) };
  }

  /** Records the end of a call, before or after the message with its result. */
  #ended({ id, error, diff }: { id: string; error: boolean; diff?: string | undefined }): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.end = {
      ...(error ? { error } : {}),
      ...(diff === undefined ? {} : { details: { diff } }),
    };
    if (call.result !== undefined) Object.assign(call.result, call.end);
  }

  /** Closes the last turn and returns all items. */
  end(): ChatItem[] {
    if (this.#error !== undefined) this.#all.push(this.#error);
    this.#error = undefined;
    return this.#all;
  }

  #message(message: Message): void {
    switch (message.role) {
      case "user":
        this.end();
        this.#all.push({ type: "user", content: contentText(message.content) });
        break;
      case "assistant": {
        const content = withoutThought(message.content ?? "");
        if (content !== "") this.#all.push({ type: "text", content });
        for (const { id, function: { name, arguments: input } } of message.tool_calls ?? []) {
          this.#calls.set(id, { name });
          this.#all.push({ type: "tool", name, input: givenInput(input) });
        }
        break;
      }
      case "tool": {
        const call = this.#calls.get(message.tool_call_id) ?? { name: "" };
        call.result = {
          type: "tool_result",
          name: call.name,
          content: contentText(message.content),
          ...call.end,
        };
        this.#all.push(call.result);
      }
    }
  }
}

function contentText(content: Extract<Message, { role: "user" }>["content"]): string {
  if (typeof content === "string") return content;
  return content.map((part) => typeof part.text === "string" ? part.text : `[${part.type}]`)
    .join("\n");
}
