import { AgentError, type AgentErrorKind } from "../../cliagent/mod.ts";
import { BodyError } from "../http/mod.ts";
import { messageOf } from "../../base/mod.ts";

/** A request that is refused before any model is looked at. */
export class HttpError extends Error {
  override readonly name = "HttpError";

  constructor(readonly status: number, message: string, readonly code: string) {
    super(message);
  }
}

/** Status, `type` and `code` of each kind of failure, as clients of OpenAI's API know them. */
const KINDS: Readonly<
  Record<AgentErrorKind, { status: number; type: string; code: string | null }>
> = {
  unknown_model: { status: 400, type: "invalid_request_error", code: "model_not_found" },
  forbidden: { status: 403, type: "invalid_request_error", code: "permission_denied" },
  bad_request: { status: 400, type: "invalid_request_error", code: null },
  busy: { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" },
  not_installed: { status: 500, type: "server_error", code: "not_installed" },
  repository: { status: 500, type: "server_error", code: "repository" },
  failed: { status: 500, type: "server_error", code: "cli_failed" },
  empty: { status: 502, type: "server_error", code: "empty_answer" },
  timeout: { status: 504, type: "server_error", code: "timeout" },
  cancelled: { status: 499, type: "server_error", code: "cancelled" },
};

/** The error object of a body or of the last chunk of a stream, and what goes with it. */
export function describeFailure(
  error: unknown,
): { status: number; headers: Record<string, string>; body: { error: Record<string, unknown> } } {
  if (error instanceof AgentError) {
    const { status, type, code } = KINDS[error.kind];
    const detail = error.detail === undefined ? {} : { detail: error.detail };
    return {
      status,
      headers: {
        ...(error.retryAfter === undefined ? {} : { "retry-after": String(error.retryAfter) }),
        // OpenAI's clients ask again after 5xx. A run of an agent that failed has cost much already,
        // and may have changed files.
        ...(status >= 500 ? { "x-should-retry": "false" } : {}),
      },
      body: { error: { message: error.message, ...detail, type, code, param: null } },
    };
  }
  const type = "invalid_request_error";
  if (error instanceof HttpError) {
    const { status, message, code } = error;
    return { status, headers: {}, body: { error: { message, type, code, param: null } } };
  }
  if (error instanceof BodyError) {
    const { status, message, headers } = error;
    return { status, headers, body: { error: { message, type, code: null, param: null } } };
  }
  const message = `Internal error: ${messageOf(error)}`;
  return {
    status: 500,
    headers: { "x-should-retry": "false" },
    body: { error: { message, type: "server_error", code: "internal", param: null } },
  };
}

/** A response that tells of a failure. */
export function refuse(error: unknown, more: Record<string, string> = {}): Response {
  const { status, headers, body } = describeFailure(error);
  return Response.json(body, { status, headers: { ...headers, ...more } });
}
