import { sendableCall } from "../agent/mod.ts";
import type { Message, ToolCall } from "../llm/mod.ts";

/** The answer for a call without a result, after the process was killed. */
const INTERRUPTED =
  "Interrupted: the program ended before this call was done; it may have had an effect";

/**
 * Makes a conversation that every endpoint accepts from one that was interrupted anywhere: each
 * call has exactly one answer directly after it (`Interrupted` if there was none), answers without
 * a call and empty messages are removed, and names and arguments of calls have a form that every
 * endpoint accepts.
 */
export function repairMessages(messages: readonly Message[]): Message[] {
  const repaired: Message[] = [];
  let open: ToolCall[] = [];
  const answers = new Map<string, Message>();
  const closeCalls = () => {
    for (const { id } of open) {
      repaired.push(answers.get(id) ?? { role: "tool", tool_call_id: id, content: INTERRUPTED });
    }
    open = [];
    answers.clear();
  };
  for (const message of messages) {
    if (message.role === "tool") {
      if (!answers.has(message.tool_call_id)) answers.set(message.tool_call_id, message);
      continue;
    }
    closeCalls();
    const fixed = message.role === "assistant" ? repairAnswer(message) : message;
    if (fixed === undefined) continue;
    repaired.push(fixed);
    if (fixed.role === "assistant") open = fixed.tool_calls ?? [];
  }
  closeCalls();
  return repaired;
}

function repairAnswer(message: Extract<Message, { role: "assistant" }>): Message | undefined {
  const { tool_calls: calls = [], content, ...rest } = message;
  if (calls.length > 0) {
    return {
      ...rest,
      ...(content === undefined ? {} : { content }),
      tool_calls: calls.map(sendableCall),
    };
  }
  return content === undefined || content === null || content === ""
    ? undefined
    : { ...rest, content };
}
