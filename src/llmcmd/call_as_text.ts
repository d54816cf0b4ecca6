import { isRecord } from "../base/mod.ts";

const NAMES = "(?:functions\\.)?(?:read|write|pipe|exit)";

/** Calls in the notations of models' training, which the endpoint did not understand. */
const MARKED = new RegExp(
  [
    // Hermes, Qwen and many others, and GLM; Llama; Mistral; DeepSeek.
    `<\\|?tool_call\\|?>\\s*(?:\\{[^<]*"name"\\s*:\\s*"${NAMES}"|${NAMES}\\s*<)`,
    `<\\|python_tag\\|>\\s*\\{[^{}]*"name"\\s*:\\s*"${NAMES}"`,
    `<function=${NAMES}>`,
    `<invoke name="${NAMES}">`,
    `\\[TOOL_CALLS\\]\\s*(?:\\[\\s*\\{[^{}]*"name"\\s*:\\s*"${NAMES}"|${NAMES}\\b)`,
    `<\uff5ctool\u2581call\u2581begin\uff5c>(?:function<\uff5ctool\u2581sep\uff5c>)?${NAMES}\\b`,
    // Harmony; Kimi; Gemini; ReAct.
    `\\bto=functions\\.${NAMES}\\b`,
    `\\bfunctions\\.${NAMES}:\\d`,
    `\\bdefault_api\\.${NAMES}\\(`,
    `^Action:\\s*${NAMES}\\s*\\n\\s*Action Input:`,
    // No other call has these keys.
    '\\bpipe(?:\\*\\*)?\\s*(?:\\(\\s*\\{?|\\{)\\s*"?(?:cmd|in_fd|out_fd)"?\\s*[:=]',
  ].join("|"),
  "m",
);

/** A call in JSON, wherever it stands. */
const IN_TEXT = new RegExp(
  `"(?:name|tool|function)"\\s*:\\s*"${NAMES}"\\s*,\\s*` +
    '"(?:arguments|parameters|input|args)"\\s*:\\s*"?\\{',
);

/** Calls as the prompt shows them, or as a list in Python, alone on their line. */
const LINE = new RegExp(`^(?:[-*]|\\d+[.)])?\\s*\\[?\`?${NAMES}\\(.*\\)\`?\\]?[;.,]?$`);

/**
 * Whether a model has written calls of the tools instead of making them, as models do that cannot
 * call tools, or whose server was not told how they do. Such a text is no output.
 */
export function isCallAsText(text: string): boolean {
  const body = withoutFence(text.trim());
  if (body === "") return false;
  if (MARKED.test(body)) return true;
  if (body.split("\n").every((line) => line.trim() === "" || LINE.test(line.trim()))) return true;
  const value = parse(body);
  // JSON as a whole may well have a part that looks like a call.
  return value === undefined ? IN_TEXT.test(body) : isCallJson(value);
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
  if (Array.isArray(value.tool_calls)) return isCallJson(value.tool_calls);
  const call = isRecord(value.function) ? value.function : value;
  const name = call.name ?? value.tool ?? value.function;
  const input = call.arguments ?? call.parameters ?? value.input;
  return typeof name === "string" && new RegExp(`^${NAMES}$`).test(name) &&
    (isRecord(input) || typeof input === "string");
}
