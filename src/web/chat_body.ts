import * as z from "zod";
import { Alarm } from "../streams/mod.ts";
import type { ChatLimits } from "./chat_limits.ts";

/** How long a body may be, and how long it may take. */
type BodyLimits = Pick<ChatLimits, "bodyBytes" | "bodyTime">;

/** The body of a request is too long, too slow or not of the expected form. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly status: 400 | 408 | 413;

  constructor(status: 400 | 408 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

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
  return parsed(chatSchema, await readText(request, limits));
}

/** The body of `POST /clear`, which may be empty. */
export async function clearBody(
  request: Request,
  limits: BodyLimits,
): Promise<{ session?: string }> {
  const { session } = parsed(clearSchema, await readText(request, limits) || "{}");
  return session === undefined ? {} : { session };
}

/** Whether a text is allowed as the name of a session. */
export function isSessionName(name: string): boolean {
  return sessionSchema.safeParse(name).success;
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BodyError(400, "The body is not JSON");
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join(".") || "body";
  throw new BodyError(400, `The body does not fit: ${where}: ${issue?.message}`);
}

/** The text of a body, read within the limits of size and time, whatever its headers say. */
async function readText(request: Request, { bodyBytes, bodyTime }: BodyLimits): Promise<string> {
  const tooLong = () => new BodyError(413, `The body is larger than ${bodyBytes} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > bodyBytes) throw tooLong();
  if (request.body === null) return "";
  const reader = request.body.getReader();
  const alarm = new Alarm();
  const late = new Promise<never>((_, reject) =>
    alarm.set(bodyTime, () => {
      reject(new BodyError(408, `The body did not come within ${bodyTime / 1000} s`));
    })
  );
  late.catch(() => {});
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return text + decoded(decoder);
      size += value.length;
      if (size > bodyBytes) throw tooLong();
      text += decoded(decoder, value);
    }
  } catch (error) {
    // The rest is not needed. Not awaited, as it could wait for a client that sends nothing.
    reader.cancel(error).catch(() => {});
    if (error instanceof BodyError) throw error;
    throw new BodyError(400, "The body broke off");
  } finally {
    alarm.clear();
  }
}

function decoded(decoder: TextDecoder, bytes?: Uint8Array<ArrayBuffer>): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new BodyError(400, "The body is not UTF-8 text");
  }
}
