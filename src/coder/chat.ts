import { clip, isRecord, redactor } from "../base/mod.ts";
import {
  type ChatCompletion,
  completionsUrl,
  connectionError,
  encodeRequest,
  LlmError,
  type Message,
  type ToolDefinition,
} from "../llm/mod.ts";
import { linkAbort } from "../streams/mod.ts";

/** The environment and network of {@linkcode chat}. */
export interface ChatHost {
  /** Default: the variables of the process. */
  readonly env?: ((name: string) => string | undefined) | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: ((input: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the whole answer must be there. Default 120,000. */
  readonly timeout?: number | undefined;
}

/**
 * Sends messages to the model once and gives the response of the API as it came, for programs that
 * want one plain call. No stream, no retry; `max_tokens` is 4096. The agent itself does not use it.
 * The base URL may be the whole address and have a query, as for the agent.
 *
 * The key is `LLM_AUTH_TOKEN`, else `OPENAI_API_KEY`; the base URL is `LLM_BASE_URL`, else
 * `OPENAI_BASE_URL`, else OpenAI's own. Each falls back on its own.
 *
 * @param model Absent or empty: `LLM_DEFAULT_MODEL`, else `LLMCMD_MODEL`, else `gpt-4o-mini`.
 *
 * @throws {LlmError} The API answered with an error or without JSON, or gave no answer within 120
 * s.
 * @throws {TypeError} Neither `LLM_AUTH_TOKEN` nor `OPENAI_API_KEY` is set, or the base URL is not
 * a valid URL.
 *
 * @example
 * ```ts
 * import { chat } from "@llmcmd/llmcmd/coder";
 *
 * const response = await chat([{ role: "user", content: "Hi" }], undefined, "small", {
 *   env: (name) => name === "LLM_AUTH_TOKEN" ? "sk-1" : undefined,
 *   fetch: () => Promise.resolve(Response.json({ choices: [{ message: { content: "Hello" } }] })),
 * });
 * if (response.choices[0]?.message.content !== "Hello") throw new Error("unexpected");
 * ```
 */
export async function chat(
  messages: readonly Message[],
  tools?: readonly ToolDefinition[] | null,
  model?: string | null,
  host: ChatHost = {},
): Promise<ChatCompletion> {
  const env = host.env ?? processEnv;
  const first = (...names: string[]) => names.map((name) => env(name)?.trim()).find((it) => it);
  const apiKey = first("LLM_AUTH_TOKEN", "OPENAI_API_KEY");
  const baseUrl = first("LLM_BASE_URL", "OPENAI_BASE_URL") ?? "https://api.openai.com/v1";
  if (apiKey === undefined) {
    throw new TypeError("Cannot ask a model: set LLM_AUTH_TOKEN or OPENAI_API_KEY");
  }
  const body = {
    model: model || first("LLM_DEFAULT_MODEL", "LLMCMD_MODEL") || "gpt-4o-mini",
    messages: [...messages],
    max_tokens: 4096,
    ...(tools === undefined || tools === null || tools.length === 0 ? {} : { tools: [...tools] }),
  };
  const { status, ok, text } = await post(
    completionsUrl(baseUrl),
    apiKey,
    encodeRequest(body),
    host,
  );
  const value = parseJson(text);
  if (!ok) {
    const why = messageIn(value) ?? text;
    throw new LlmError(clean(`Endpoint answered ${status}: ${why || "no message"}`, apiKey), {
      status,
    });
  }
  if (!isCompletion(value)) {
    const message = `Endpoint sent no completion (check the base URL): ${text}`;
    throw new LlmError(clean(message, apiKey), { status, code: "protocol" });
  }
  return value;
}

async function post(
  url: URL,
  apiKey: string,
  body: string,
  { fetch: send = (input, init) => fetch(input, init), signal, timeout = 120_000 }: ChatHost,
): Promise<{ status: number; ok: boolean; text: string }> {
  const stop = new AbortController();
  const unlink = linkAbort(signal, stop);
  const timer = setTimeout(() => {
    const message = `Endpoint did not answer within ${timeout / 1000} s`;
    stop.abort(new LlmError(message, { code: "timeout" }));
  }, timeout);
  try {
    stop.signal.throwIfAborted();
    const response = await send(url.href, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body,
      // A redirect would take the key to another host.
      redirect: "error",
      signal: stop.signal,
    });
    return { status: response.status, ok: response.ok, text: await response.text() };
  } catch (error) {
    stop.signal.throwIfAborted();
    const failure = connectionError(url, error);
    if (!(failure instanceof LlmError)) throw failure;
    throw new LlmError(clean(failure.message, apiKey), { code: failure.code });
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCompletion(value: unknown): value is ChatCompletion {
  return isRecord(value) && Array.isArray(value.choices);
}

function messageIn(body: unknown): string | undefined {
  const error = isRecord(body) ? body.error : undefined;
  if (typeof error === "string") return error;
  return isRecord(error) && typeof error.message === "string" ? error.message : undefined;
}

/** One short line without the key. */
function clean(message: string, apiKey: string): string {
  const hidden = redactor([apiKey])(message);
  const line = hidden.replace(/\s+/g, " ").trim();
  return line.length > 400 ? `${clip(line, 400)}...` : line;
}

/** A variable of the process, on Deno and on Node. */
function processEnv(name: string): string | undefined {
  const process: unknown = Reflect.get(globalThis, "process");
  const env = isRecord(process) ? process.env : undefined;
  const value = isRecord(env) ? env[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
