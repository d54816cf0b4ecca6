import { HttpError } from "./_failure.ts";
import type { LlmError } from "./errors.ts";

/** The longest back-off that the endpoint did not ask for, in milliseconds. */
const MAX_BACKOFF = 8_000;
/** The same where retries go on for minutes. */
export const MAX_PATIENT_BACKOFF = 60_000;
const FIRST_BACKOFF = 500;

/** True where another attempt may succeed: socket errors, 408, 409, 429 and 5xx. */
export function isRetryable(error: LlmError): boolean {
  if (error.code === "connection") return true;
  const { status } = error;
  if (status === undefined) return false;
  const advice = error instanceof HttpError ? error.headers.get("x-should-retry") : null;
  if (advice === "true") return true;
  // Without credit, waiting does not help, though the status is 429.
  if (advice === "false" || error.code === "insufficient_quota") return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Milliseconds to wait before retry number `retry`, from 1: doubling up to `most`, with jitter. */
export function backoff(retry: number, random: () => number, most = MAX_BACKOFF): number {
  const full = Math.min(most, FIRST_BACKOFF * 2 ** (retry - 1));
  return Math.round(full * (1 - random() / 2));
}

/**
 * Milliseconds that the endpoint asks to wait, from `Retry-After-Ms` or `Retry-After` (seconds or
 * an HTTP date, RFC 9110, section 10.2.3), or `undefined`.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = decimal(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const value = headers.get("retry-after");
  const seconds = decimal(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function decimal(value: string | null): number | undefined {
  return /^\s*\d+(\.\d*)?\s*$/.test(value ?? "") ? Number(value) : undefined;
}
