import type { ErrorBody } from "../llm/mod.ts";
import type { MockError } from "./wire_api.ts";

/** Types and codes of OpenAI's errors by status. */
const TYPES: Record<number, [type: string, code: string | null]> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  403: ["invalid_request_error", "unsupported_country_region_territory"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
};

/** The body of an error of OpenAI's APIs. */
export function openaiError(error: MockError, status: number): ErrorBody {
  const usual = TYPES[status] ?? [status < 500 ? "invalid_request_error" : "server_error", null];
  const { message, type = usual[0], code = usual[1], param = null } = error;
  return { error: { message, type, code, param } };
}
