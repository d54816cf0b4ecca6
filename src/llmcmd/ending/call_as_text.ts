import { isRecord } from "../../base/mod.ts";

const NAMES = "(?:functions\\.)?(?:read|write|pipe|exit)";
const NAME = new RegExp(`^${NAMES}$`);

/**
 * A call in the notation of the model's training, which the endpoint did not understand. A text
 * about such a call has it in backticks or quotes.
 */
const MARKED = new RegExp(
  `(?<![\`'"])(?:${
    [
      // Hermes, Qwen, Granite and many others, with JSON; GLM and Kimi, with the name alone; Llama.
      `<\\|?tool_call(?:_begin)?\\|?>\\s*(?:\\[?\\s*\\{[^<]*"name"\\s*:\\s*"${NAMES}"|${NAMES}\\b)`,
      `<\\|python_tag\\|>\\s*\\{[^{}]*"name"\\s*:\\s*"${NAMES}"`,
      `<function=${NAMES}>`,
      // Claude, MiniMax, DeepSeek; Seed.
      `<(?:\uff5cDSML\uff5c)?invoke name="${NAMES}">`,
      `tool_call>\\s*<function name="${NAMES}">`,
      // Mistral; DeepSeek; gpt-oss; Gemini; ReAct.
      `\\[TOOL_CALLS\\]\\s*(?:\\[\\s*\\{[^{}]*"name"\\s*:\\s*"${NAMES}"|${NAMES}\\b)`,
      `<\uff5ctool\u2581call\u2581begin\uff5c>(?:function<\uff5ctool\u2581sep\uff5c>)?${NAMES}\\b`,
      `\\bto=functions\\.${NAMES}\\b`,
      `\\bdefault_api\\.${NAMES}\\(`,
      `^Action:\\s*${NAMES}\\s*\\n\\s*Action Input:`,
      // No other call has these keys.
      '\\bpipe(?:\\*\\*)?\\s*(?:\\(\\s*\\{?|\\{)\\s*"?(?:cmd|in_fd|out_fd)"?\\s*[:=]',
    ].join("|")
  })`,
  "m",
);

/** A call in JSON among other text, not in backticks or quotes. */
const IN_TEXT = new RegExp(
  `(?<![^\\s:])\\{\\s*(?:"type"\\s*:\\s*"function"\\s*,\\s*)?"(?:name|tool|function)"\\s*:\\s*"${NAMES}"\\s*,\\s*` +
    '"(?:arguments|parameters|input|args)"\\s*:\\s*"?\\{',
);

/** Calls as the prompt shows them, or as Python has them, also in a list, alone on their line. */
const LINE = new RegExp(
  `^(?:[-*]|\\d+[.)])?\\s*\\[?\`?(?:print\\()?${NAMES}\\(.*\\)\`?\\]?[;.,]?$`,
);

const INPUT_KEYS = ["arguments", "parameters", "input", "args"];
/** The keys of a call's name in JSON, each with those of its input. */
const JSON_KEYS: readonly (readonly [name: string, inputs: readonly string[]])[] = [
  ["name", INPUT_KEYS],
  ["tool", INPUT_KEYS],
  ["function", INPUT_KEYS],
  ["tool_name", [...INPUT_KEYS, "tool_input"]],
  ["action", ["action_input"]],
];
/** Other keys of calls. JSON with further keys is data. */
const BESIDE = new Set(["id", "call_id", "index", "type", "thought", "thoughts", "reasoning"]);

/**
 * True for a text of tool calls, as models write it that cannot call tools, or whose server does not
 * know their notation. Such a text is not output.
 */
export function isCallAsText(text: string): boolean {
  const body = text.trim();
  if (body === "") return false;
  if (MARKED.test(body)) return true;
  const [, fenced = body] = /^(?:[^`]*\n)?```\w*\n([^]*?)\n?```$/.exec(body) ?? [];
  const lines = (body.startsWith("```") ? fenced : body).trim().split("\n");
  if (lines.every((line) => line.trim() === "" || LINE.test(line.trim()))) return true;
  const values = jsonValues(fenced.trim());
  // JSON as a whole may well have a part that looks like a call.
  return values === undefined ? IN_TEXT.test(body) : values.every(isCallJson);
}

/** The values of a JSON text, or of several, which Llama separates by semicolons or lines. */
function jsonValues(text: string): unknown[] | undefined {
  const whole = parse(text);
  if (whole !== undefined) return [whole];
  const pieces = text.split(/(?<=\}),?;?\s*\n|(?<=\});\s*/).filter((piece) => piece.trim() !== "");
  const values = pieces.map(parse);
  return values.includes(undefined) ? undefined : values;
}

/** True for a call as text, see {@linkcode isCallAsText}, that only ends the run as done. */
export function isExitAsText(text: string): boolean {
  return isCallAsText(text) && !/\b(?:read|write|pipe)\b|[1-9]/.test(text);
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
  return JSON_KEYS.some(([key, inputs]) => {
    const name = call[key];
    if (typeof name !== "string" || !NAME.test(name)) return false;
    const others = Object.entries(call).filter(([other]) => other !== key && !BESIDE.has(other));
    const [[inputKey, input] = ["", undefined], ...rest] = others;
    return rest.length === 0 && inputs.includes(inputKey) && isInput(inputKey, input);
  });
}

/** True for a value that can be the input of a call; a JSON schema is not. */
function isInput(key: string, input: unknown): boolean {
  if (isRecord(input)) return input.type !== "object";
  return typeof input === "string" && (key === "action_input" || /^\s*(?:\{|$)/.test(input));
}
