import { clip, isRecord, redactor } from "../base/mod.ts";
import { text } from "./_guards.ts";
import { LlmError } from "./errors.ts";

/** The largest part of an answer that is looked at for an error, in characters. */
const EXCERPT = 8_192;
/** The longest message of an error, in characters. */
const MESSAGE = 400;

/** The details in an error body. */
export interface ErrorDetails {
  message: string;
  code?: string;
  param?: string;
  /** The error's number, where the code is an HTTP status. */
  status?: number;
  /** Milliseconds to wait before the next request. */
  retryDelay?: number;
}

/**
 * True where an answer, or an event of it, is an error instead. vLLM and Mistral mark it in
 * `object`.
 */
export function isErrorBody(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && (Boolean(value.error) || value.object === "error");
}

/**
 * Reads the shapes of error bodies: `{error: {message, code, param}}` (OpenAI), `{error: "..."}`
 * (Ollama), `{message, code}` (vLLM, Mistral), `{detail}` (FastAPI), `[{error}]` (Gemini), or the
 * `error` object itself. Of an error that OpenRouter passes on, what the provider says is read, too.
 */
export function errorDetails(body: unknown): ErrorDetails {
  const root: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(root)) return { message: said(root) };
  const error = root.error ?? root;
  if (!isRecord(error)) return { message: said(error) };
  const raw = isRecord(error.metadata) ? text(error.metadata.raw) : undefined;
  const inner = raw === undefined ? undefined : errorDetails(parseJson(raw) ?? raw);
  const message = said(text(error.message) ?? error.detail ?? error);
  const code = text(error.code) ?? text(error.type) ?? inner?.code;
  const param = text(error.param) ?? inner?.param;
  const status = Number(error.code);
  const retryDelay = readRetryDelay(error.details) ?? inner?.retryDelay;
  return {
    message: inner === undefined || inner.message === "" ? message : `${message}: ${inner.message}`,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
    ...(status >= 400 && status <= 599 ? { status } : {}),
    ...(retryDelay === undefined ? {} : { retryDelay }),
  };
}

/** Milliseconds of the `google.rpc.RetryInfo` among the details, where Gemini says how long to wait. */
function readRetryDelay(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  const found = details.map((it) => isRecord(it) ? text(it.retryDelay) : undefined).find(Boolean);
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(found ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/**
 * The message in a part of an error body; some gateways pass on the page of a proxy behind them.
 */
function said(value: unknown): string {
  return typeof value === "string" ? bodyMessage(value) : excerpt(value);
}

/** The beginning of `value` as one line without control characters. */
export function excerpt(value: unknown): string {
  const full = typeof value === "string" ? value : JSON.stringify(value) ?? String(value);
  // deno-lint-ignore no-control-regex -- these are what must not reach a terminal
  return clip(full, EXCERPT).replace(/[\s\x00-\x1f\x7f-\x9f]+/g, " ").trim();
}

/**
 * The message in the text of a body: the title of an HTML page, which comes from a proxy or a web
 * site.
 */
export function bodyMessage(body: string): string {
  if (!/^\s*<(!doctype\s+html|html|head|body|title)\b/i.test(body)) return excerpt(body);
  const title = /<title[^>]*>([^<]*)/i.exec(body)?.[1] ?? "";
  const entity = (name: string) => ENTITIES[name] ?? "";
  const shown = excerpt(title.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name) => entity(name)));
  return shown === "" ? "an HTML page" : `an HTML page, "${shown}"`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: " ",
};

/** The error that an endpoint reports in an answer which it had begun, or with status 200. */
export function reported(what: string, body: unknown): LlmError {
  const { message, code, status } = errorDetails(body);
  return new LlmError(`${what}: ${message}`, { code, status });
}

/** An answer with a status other than 2xx. Does not leave the client. */
export class HttpError extends LlmError {
  /** The details in the body. */
  readonly details: ErrorDetails;

  /** Reads the body's text. `headers` say when to try again. */
  constructor(
    override readonly status: number,
    readonly headers: Headers,
    body: string,
    url: URL,
  ) {
    const value = parseJson(body);
    const details = value === undefined ? { message: bodyMessage(body) } : errorDetails(value);
    const message = details.message === "" ? "no message" : details.message;
    // Often the address is wrong, not what was asked.
    const isLost = status === 404 || status === 405;
    const where = isLost ? ` ${url.origin}${url.pathname}` : "";
    const hint = isLost && url.pathname === "/chat/completions"
      ? "; most base URLs have a path, such as /v1"
      : "";
    super(`Endpoint${where} answered ${status}: ${message}${hint}`, { status, code: details.code });
    this.details = details;
  }
}

/** The value of JSON text; `undefined` if it is not valid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error of a `fetch` or of a body that could not be read to its end. */
export function connectionError(url: URL, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof LlmError) return error;
  // A missing permission of the runtime is the user's to grant, not the endpoint's fault.
  if (error.name === "NotCapable" || error.name === "PermissionDenied") return error;
  const cause = error.cause instanceof Error ? error.cause.message : "";
  const detail = [withoutWrapping(error.message, url), withoutWrapping(cause, url)]
    .filter(Boolean).join(": ");
  if (/redirect/i.test(detail)) return redirectError(url, null);
  const [, hint = ""] = HINTS.find(([pattern]) => pattern.test(detail)) ?? [];
  return new LlmError(`Connection to ${url.origin} failed: ${excerpt(detail)}${hint}`, {
    code: "connection",
  });
}

/** Frequent reasons, by messages of the system, TLS or HTTP. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/refused/i, "; is the server running?"],
  [/InvalidContentType|wrong version number/, "; does it speak http:// and not https://?"],
  [/invalid HTTP version/, "; does it speak https:// and not http://?"],
];

/** The error of an endpoint that redirects; `location` is where to, without what may be secret. */
export function redirectError(url: URL, location: string | null): LlmError {
  const to = location === null ? null : URL.parse(location, url);
  const shown = to === null ? "" : ` to ${to.origin}${to.pathname}`;
  const [, base] = /^ to (.*)\/chat\/completions\/?$/.exec(shown) ?? [];
  return new LlmError(
    `Endpoint ${url.origin}${url.pathname} redirects${shown}, which is refused: ` +
      `set the base URL to ${base ?? "where it leads"}`,
    { code: "redirect" },
  );
}

/**
 * Deno's message about a connection, without the layers that pass it on: `error sending request for
 * url (...): client error (Connect): tcp connect error: Connection refused (os error 111)`.
 */
function withoutWrapping(message: string, url: URL): string {
  const inner = message
    .replace(/^(fetch failed: )?error sending request .*?: client error \(\w+\): /is, "")
    .replace(/^tcp connect error: /i, "")
    .replace(/ \(os error \d+\)/g, "")
    .replaceAll(url.href, url.pathname);
  return inner === "fetch failed" ? "" : inner;
}

/**
 * Makes the function that hides secrets in a message, then shortens it: the other way round, half a
 * secret could stay at the cut.
 */
export function messageCleaner(secrets: Iterable<string>): (message: string) => string {
  const redact = redactor(secrets);
  return (message) => {
    const left = redact(message);
    return left.length > MESSAGE ? `${clip(left, MESSAGE)}...` : left;
  };
}
