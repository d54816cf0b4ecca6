import * as z from "zod";
import { type BodyLimits, parseBody, readBody } from "./http_body.ts";

/** What clients send. */
export interface ChatBody {
  /** What the user says. */
  readonly message: string;
  /** The session; the browser's own if absent. */
  readonly session?: string | undefined;
}

const sessionSchema = z.string().regex(
  /^[A-Za-z0-9_-]{1,64}$/,
  "1 to 64 letters, digits, - and _",
);
const chatSchema = z.object({
  message: z.string().refine((text) => text.trim() !== "", "Expected some text"),
  session: sessionSchema.optional(),
});
const clearSchema = z.object({ session: sessionSchema.optional() });

/** The body of `POST /chat`. */
export async function chatBody(request: Request, limits: BodyLimits): Promise<ChatBody> {
  return parseBody(chatSchema, await readBody(request, limits));
}

/** The body of `POST /clear`, which may be empty. */
export async function clearBody(
  request: Request,
  limits: BodyLimits,
): Promise<{ session?: string }> {
  const { session } = parseBody(clearSchema, await readBody(request, limits) || "{}");
  return session === undefined ? {} : { session };
}

/** Whether a text is allowed as the name of a session. */
export function isSessionName(name: string): boolean {
  return sessionSchema.safeParse(name).success;
}
