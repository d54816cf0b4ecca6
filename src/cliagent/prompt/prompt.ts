import { isRecord } from "../../base/mod.ts";
import { AgentError } from "../errors.ts";

/** The parts of a prompt. */
export interface PromptOptions {
  /** The text of the agent file; without it the prompt begins at the marker. */
  readonly agentText?: string | undefined;
  /** The `messages` of the request, not yet checked. */
  readonly messages: unknown;
  /** Rewrites the request's text so that the CLI reads none of it as its own commands. */
  readonly escape?: ((text: string) => string) | undefined;
  /** True for a CLI that resumes its session: only messages after the last answer. */
  readonly onlyNew?: boolean | undefined;
}

/** The line between the agent file and the request. */
const MARKER = "--- USER TASK ---";

/**
 * Makes the prompt for a CLI: the agent file, the marker, the system messages, then the user
 * messages. If the conversation contains answers, its turns are labelled `User:`, `Assistant:` and
 * `Tool:`.
 *
 * The text of all parts of a message is joined. `developer` counts as `system`.
 *
 * @throws {AgentError} `bad_request`, naming the message: for images and other parts without text,
 * for unknown roles, and if no user message has text.
 *
 * @example
 * ```ts
 * import { buildPrompt } from "@llmcmd/llmcmd/cliagent";
 *
 * const prompt = buildPrompt({
 *   agentText: "Answer in French.\n",
 *   messages: [{ role: "user", content: "Extract data from report" }],
 * });
 * const expected = "Answer in French.\n\n--- USER TASK ---\nExtract data from report";
 * if (prompt !== expected) throw new Error(prompt);
 * ```
 */
export function buildPrompt(options: PromptOptions): string {
  const { agentText, escape = (text) => text, onlyNew = false } = options;
  const all = readMessages(options.messages);
  const lastAnswer = all.findLastIndex(({ role }) => role === "assistant");
  const system = onlyNew ? [] : all.filter(({ role }) => role === "system");
  const turns = (onlyNew ? all.slice(lastAnswer + 1) : all).filter(({ role, text }) =>
    role !== "system" && text !== ""
  );
  if (!turns.some(({ role }) => role === "user")) {
    throw new AgentError("bad_request", "Expected a user message with text in messages");
  }
  const labelled = turns.some(({ role }) => role !== "user");
  const blocks = [
    ...system.map(({ text }) => text).filter((text) => text !== ""),
    ...turns.map(({ role, text }) => labelled ? `${LABELS[role]}:\n${text}` : text),
  ];
  const task = `${MARKER}\n${escape(blocks.join("\n\n"))}`;
  const agent = (agentText ?? "").replace(/^\ufeff/, "").trimEnd();
  return agent === "" ? task : `${agent}\n\n${task}`;
}

/** The text of the last user message with text: the task of the run. */
export function lastUserText(messages: unknown): string {
  return readMessages(messages).findLast(({ role, text }) => role === "user" && text !== "")
    ?.text ??
    "";
}

type Role = "system" | "user" | "assistant" | "tool";

const LABELS: Readonly<Record<Role, string>> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
};

const ROLES: Readonly<Record<string, Role>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
};

function readMessages(messages: unknown): { role: Role; text: string }[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new AgentError("bad_request", "Expected messages to be a list with at least one message");
  }
  return messages.map((message: unknown, index) => {
    const place = `messages[${index}]`;
    if (!isRecord(message)) throw new AgentError("bad_request", `Expected an object at ${place}`);
    const name = message["role"];
    const role = typeof name === "string" && Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
    if (role === undefined) {
      throw new AgentError("bad_request", `Unknown role at ${place}: ${JSON.stringify(name)}`);
    }
    return { role, text: contentText(message["content"], `${place}.content`) };
  });
}

function contentText(content: unknown, place: string): string {
  if (typeof content === "string") return content;
  // An assistant's message with nothing but tool calls has no content.
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content)) {
    throw new AgentError("bad_request", `Expected text or a list of parts at ${place}`);
  }
  return content.map((part: unknown, index) => {
    if (typeof part === "string") return part;
    if (!isRecord(part)) {
      throw new AgentError("bad_request", `Expected an object at ${place}[${index}]`);
    }
    const text = part["text"] ?? part["refusal"];
    if (typeof text === "string") return text;
    throw new AgentError(
      "bad_request",
      `Cannot pass a part of type ${
        JSON.stringify(part["type"])
      } to a CLI at ${place}[${index}]: ` +
        "send text only",
    );
  }).join("\n");
}
