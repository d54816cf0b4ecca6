import type { StoredSession } from "../store/mod.ts";
import type { ChatItem } from "./chat_items.ts";

/** A session as a Markdown file. */
export function exportedChat(session: StoredSession, items: readonly ChatItem[]): Response {
  const title = session.title || "Chat";
  return new Response(chatMarkdown(title, items), {
    headers: {
      "content-type": "text/markdown; charset=utf-8",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName(title))}`,
    },
  });
}

/**
 * A conversation as Markdown: what the user and the agent said as it is, calls and results as code.
 */
export function chatMarkdown(title: string, items: readonly ChatItem[]): string {
  const parts = [`# ${title.replace(/\s+/g, " ")}`];
  /** Who speaks, which is said where that changes. */
  let speaker = "";
  const say = (name: string, text: string) => {
    if (name !== speaker) parts.push(`## ${name}`);
    speaker = name;
    parts.push(text);
  };
  for (const item of items) {
    switch (item.type) {
      case "user":
        speaker = "";
        say("You", item.content.trim());
        break;
      case "text":
        say("Agent", item.content.trim());
        break;
      case "tool":
        say("Agent", `**${item.name}**\n\n${inputBlock(item.input)}`);
        break;
      case "tool_result":
        say(
          "Agent",
          item.details === undefined
            ? `${item.error === true ? "Failed:" : "Result:"}\n\n${fenced(item.content)}`
            : fenced(item.details.diff, "diff"),
        );
        break;
      default:
        parts.push(`> ${item.type === "error" ? "Error: " : ""}${item.message}`);
    }
  }
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function inputBlock(input: unknown): string {
  if (typeof input === "object" && input !== null) {
    const entries: [string, unknown][] = Object.entries(input);
    const [first] = entries;
    if (entries.length === 1 && typeof first?.[1] === "string") {
      return fenced(first[1], first[0] === "command" ? "sh" : "");
    }
  }
  return fenced(typeof input === "string" ? input : JSON.stringify(input, null, 2) ?? "", "json");
}

/** A block of code, in a fence that is longer than any in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** A name that every file system takes. */
function fileName(title: string): string {
  const name = title.toWellFormed().replace(/[\s\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, " ").trim();
  return `${[...name].slice(0, 60).join("").trim().replace(/^\.+/, "") || "chat"}.md`;
}
