import { clip, isRecord, redactor } from "../base/mod.ts";
import { text } from "./_guards.ts";
import { LlmError } from "./errors.ts";

/** The largest part of an answer that is looked at for an error, in characters. */
const EXCERPT = 8_192;
/** The longest message of an error, in characters. */
const MESSAGE = 400;

/** What an endpoint says in an error body. */
export interface ErrorDetails {
  message: string;
  code?: string;
  param?: string;
  /** The error's number, where the code is an HTTP status. */
  status?: number;
}

/**
 * Reads the shapes of error bodies: `{error: {message, code, param}}` (OpenAI), `{error: "..."}`
 * (Ollama), `{message, code}` (vLLM, Mistral), `{detail}` (FastAPI), `[{error}]` (Gemini), or the
 * `error` object itself.
 */
export function errorDetails(body: unknown): ErrorDetails {
  const root: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(root)) return { message: said(root) };
  const error = root.error ?? root;
  if (!isRecord(error)) return { message: said(error) };
  const code = text(error.code) ?? text(error.type);
  const param = text(error.param);
  const status = Number(error.code);
  return {
    message: said(text(error.message) ?? error.detail ?? error),
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
    ...(status >= 400 && status <= 599 ? { status } : {}),
  };
}

/** What a part of an error body says; some gateways pass on the page of a proxy behind them. */
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
 * What the text of a body says: of an HTML page, which is a proxy's or a web site's, its title.
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
  /** What the body says. */
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
    const where = status === 404 || status === 405 ? ` ${url.origin}${url.pathname}` : "";
    super(`Endpoint${where} answered ${status}: ${message}`, { status, code: details.code });
    this.details = details;
  }
}

/** The value of JSON text; `undefined` when it is none. */
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
  if (/redirect/i.test(detail)) {
    return new LlmError(
      `Endpoint ${url.origin}${url.pathname} redirects, which is refused: ` +
        "set the base URL to where it leads",
      { code: "redirect" },
    );
  }
  const hint = /refused/i.test(detail) ? "; is the server running?" : "";
  return new LlmError(`Connection to ${url.origin} failed: ${excerpt(detail)}${hint}`, {
    code: "connection",
  });
}

/**
 * What Deno says of a connection, without the layers that pass it on: `error sending request for url
 * (...): client error (Connect): tcp connect error: Connection refused (os error 111)`.
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
