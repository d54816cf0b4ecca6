import * as z from "zod";
import { isSessionName, SESSION_NAME } from "../../chat/mod.ts";
import type { ApprovalAnswer } from "../../coder/mod.ts";
import { type BodyLimits, parseBody, readBody } from "../http/mod.ts";

/** The body of `POST /chat`. */
export interface ChatBody {
  /** The user's message. */
  readonly message: string;
  /** The session. Default: the browser's own. */
  readonly session?: string | undefined;
  /** The number of turns to keep, if the message replaces those after them. */
  readonly after?: number | undefined;
}

const sessionSchema = z.string().refine(isSessionName, SESSION_NAME);
const chatSchema = z.object({
  message: z.string().refine((text) => text.trim() !== "", "Expected some text"),
  session: sessionSchema.optional(),
  after: z.number().int().nonnegative().optional(),
});
const queueSchema = chatSchema.pick({ message: true });
/** Titles are one line. */
const titleSchema = z.object({
  title: z.string().transform((title) => title.replace(/[\s\p{Cc}]+/gu, " ").trim()).pipe(
    z.string().min(1, "Expected some text").max(200, "Expected at most 200 characters"),
  ),
});
const clearSchema = z.object({ session: sessionSchema.optional() });
const answerSchema = z.object({ answer: z.enum(["once", "session", "no"]) });

/** Reads the body of `POST /chat`. */
export async function chatBody(request: Request, limits: BodyLimits): Promise<ChatBody> {
  return parseBody(chatSchema, await readBody(request, limits));
}

/** Reads the body of `POST /clear`, which may be empty: the name of a session. */
export async function clearBody(
  request: Request,
  limits: BodyLimits,
): Promise<string | undefined> {
  return parseBody(clearSchema, await readBody(request, limits) || "{}").session;
}

/** Reads the message of `POST /sessions/:id/queue`. */
export async function queueBody(request: Request, limits: BodyLimits): Promise<string> {
  return parseBody(queueSchema, await readBody(request, limits)).message;
}

/** Reads the title of `PATCH /sessions/:id`. */
export async function titleBody(request: Request, limits: BodyLimits): Promise<string> {
  return parseBody(titleSchema, await readBody(request, limits)).title;
}

/** Reads the answer of `POST /runs/:id/asks/:ask`. */
export async function answerBody(request: Request, limits: BodyLimits): Promise<ApprovalAnswer> {
  return parseBody(answerSchema, await readBody(request, limits)).answer;
}
