import { ChatError, type ChatErrorKind } from "../../chat/mod.ts";
import { SessionError } from "../../coder/mod.ts";
import { BodyError } from "../http/mod.ts";

const STATUSES: Readonly<Record<ChatErrorKind, number>> = {
  missing: 404,
  conflict: 409,
  limit: 429,
  overloaded: 503,
  stopping: 503,
};

/** A refusal with its reason. */
export function refuse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error: { message } }, { status, headers });
}

/** The refusal for an error that clients may see; `undefined` for any other error. */
export function refusalFor(error: unknown): Response | undefined {
  if (error instanceof BodyError) return refuse(error.status, error.message, error.headers);
  if (error instanceof SessionError) {
    return refuse(error.problem.kind === "missing" ? 404 : 409, error.message);
  }
  if (!(error instanceof ChatError)) return undefined;
  const { kind, message, retryAfter } = error;
  const headers: Record<string, string> = retryAfter === undefined
    ? {}
    : { "retry-after": String(retryAfter) };
  return refuse(STATUSES[kind], message, headers);
}
