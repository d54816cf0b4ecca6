import type * as z from "zod";
import { describeIssues } from "./_issues.ts";
import { MockRequestError } from "./wire_api.ts";

/**
 * A request body that fits its schema.
 *
 * @throws {MockRequestError} naming the field that is wrong.
 */
export function checked<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const { path, message } = describeIssues(result.error.issues);
  throw new MockRequestError(
    path === "" ? `Invalid request body: ${message}` : `Invalid '${path}': ${message}`,
    path === "" ? null : path,
    "invalid_value",
  );
}
