import type { SessionRecord } from "../coder/mod.ts";
import type { Message } from "../llm/mod.ts";

/** A piece of a conversation as the page shows it; the types are those of the events, and `user`. */
export type ChatItem =
  | { type: "user"; content: string }
  | { type: "text"; content: string }
  | { type: "tool"; name: string; input: unknown }
  | { type: "tool_result"; name: string; content: string }
  | { type: "warning"; message: string }
  | { type: "error"; message: string };

/** What there is to show of a session: all since it was cleared, also what was compacted. */
export function itemsOf(records: readonly SessionRecord[]): ChatItem[] {
  let items: ChatItem[] = [];
  const names = new Map<string, string>();
  for (const record of records) {
    switch (record.type) {
      case "message":
        items.push(...itemsOfMessage(record.message, names));
        break;
      case "clear":
        items = [];
        break;
      case "event":
        if (record.event.type === "warning") {
          items.push({ type: "warning", message: record.event.message });
        } else if (record.event.type === "error") {
          items.push({ type: "error", message: "The turn ended with an error" });
        }
    }
  }
  return items;
}

function itemsOfMessage(message: Message, names: Map<string, string>): ChatItem[] {
  switch (message.role) {
    case "user":
      return [{ type: "user", content: textOf(message.content) }];
    case "assistant": {
      const content = message.content ?? "";
      const items: ChatItem[] = content === "" ? [] : [{ type: "text", content }];
      for (const { id, function: { name, arguments: input } } of message.tool_calls ?? []) {
        names.set(id, name);
        items.push({ type: "tool", name, input: decoded(input) });
      }
      return items;
    }
    case "tool": {
      const name = names.get(message.tool_call_id) ?? "";
      return [{ type: "tool_result", name, content: textOf(message.content) }];
    }
    default:
      return [];
  }
}

function textOf(content: Extract<Message, { role: "user" }>["content"]): string {
  if (typeof content === "string") return content;
  return content.map((part) => typeof part.text === "string" ? part.text : `[${part.type}]`)
    .join("\n");
}

function decoded(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
