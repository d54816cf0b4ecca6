import { isRecord } from "../base/mod.ts";

const NAMES = "(?:functions\\.)?(?:read|write|pipe|exit)";

/** A call in the notation of the model's training, which the endpoint did not understand. */
const MARKED = new RegExp(
  [
    // Hermes, Qwen and many others; Llama; Mistral; DeepSeek.
    `<\\|?tool_call\\|?>\\s*\\{[^{}]*"name"\\s*:\\s*"${NAMES}"`,
    `<\\|python_tag\\|>\\s*\\{[^{}]*"name"\\s*:\\s*"${NAMES}"`,
    `<function=${NAMES}>`,
    `<invoke name="${NAMES}">`,
    `\\[TOOL_CALLS\\]\\s*(?:\\[\\s*\\{[^{}]*"name"\\s*:\\s*"${NAMES}"|${NAMES}\\b)`,
    `<\uff5ctool\u2581call\u2581begin\uff5c>(?:function<\uff5ctool\u2581sep\uff5c>)?${NAMES}\\b`,
  ].join("|"),
);

/** A call as the prompt shows it, alone on its line. */
const LINE = new RegExp(`^(?:[-*]|\\d+[.)])?\\s*\`?${NAMES}\\(.*\\)\`?[;.,]?$`);

/**
 * Whether a model has written calls of the tools instead of making them, as models do that cannot
 * call tools, or whose server was not told how they do. Such a text is no output.
 */
export function isCallAsText(text: string): boolean {
  const body = withoutFence(text.trim());
  if (body === "") return false;
  if (MARKED.test(body)) return true;
  if (body.split("\n").every((line) => line.trim() === "" || LINE.test(line.trim()))) return true;
  return /^[[{]/.test(body) && isCallJson(parse(body));
}

function withoutFence(text: string): string {
  return /^```\w*\n([\s\S]*?)\n?```$/.exec(text)?.[1]?.trim() ?? text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `{"name": "pipe", "arguments": {...}}`, in the shapes that are in use; or a list of them. */
function isCallJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isCallJson);
  if (!isRecord(value)) return false;
  const call = isRecord(value.function) ? value.function : value;
  const name = call.name ?? value.tool;
  const input = call.arguments ?? call.parameters ?? value.input;
  return typeof name === "string" && new RegExp(`^${NAMES}$`).test(name) &&
    (isRecord(input) || typeof input === "string");
}
