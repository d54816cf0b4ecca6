import * as z from "zod";
import { type BodyLimits, parseBody, readBody } from "./http_body.ts";

/** What clients send. */
export interface ChatBody {
  /** What the user says. */
  readonly message: string;
  /** The session; the browser's own if absent. */
  readonly session?: string | undefined;
  /** How many turns of the session stay, where the message takes the place of those after them. */
  readonly after?: number | undefined;
}

const sessionSchema = z.string().regex(
  /^[A-Za-z0-9_-]{1,64}$/,
  "1 to 64 letters, digits, - and _",
);
const chatSchema = z.object({
  message: z.string().refine((text) => text.trim() !== "", "Expected some text"),
  session: sessionSchema.optional(),
  after: z.number().int().nonnegative().optional(),
});
const queueSchema = chatSchema.pick({ message: true });
/** Titles stand on one line. */
const titleSchema = z.object({
  title: z.string().transform((title) => title.replace(/[\s\p{Cc}]+/gu, " ").trim()).pipe(
    z.string().min(1, "Expected some text").max(200, "Expected at most 200 characters"),
  ),
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

/** The message of `POST /sessions/:id/queue`. */
export async function queueBody(request: Request, limits: BodyLimits): Promise<string> {
  return parseBody(queueSchema, await readBody(request, limits)).message;
}

/** The title of `PATCH /sessions/:id`. */
export async function titleBody(request: Request, limits: BodyLimits): Promise<string> {
  return parseBody(titleSchema, await readBody(request, limits)).title;
}

/** Whether a text is allowed as the name of a session. */
export function isSessionName(name: string): boolean {
  return sessionSchema.safeParse(name).success;
}
