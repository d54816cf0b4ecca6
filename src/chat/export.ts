import type { ChatItem } from "./items.ts";

/** A conversation as a Markdown file. */
export interface ExportedChat {
  /** A file name that every file system takes. */
  readonly fileName: string;
  readonly markdown: string;
}

/** Exports a conversation. A session without a title is called `Chat`. */
export function exportChat(sessionTitle: string, items: readonly ChatItem[]): ExportedChat {
  const title = sessionTitle || "Chat";
  return { fileName: fileName(title), markdown: chatMarkdown(title, items) };
}

/** Messages are copied as they are; calls and results become code blocks. */
function chatMarkdown(title: string, items: readonly ChatItem[]): string {
  const parts = [`# ${title.replace(/\s+/g, " ")}`];
  /** The last heading: one is written only where the speaker changes. */
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

/** A code block with a fence longer than any run of backticks in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

function fileName(title: string): string {
  const name = title.toWellFormed().replace(/[\s\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, " ").trim();
  return `${[...name].slice(0, 60).join("").trim().replace(/^\.+/, "") || "chat"}.md`;
}
