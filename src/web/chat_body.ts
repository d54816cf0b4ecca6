import * as z from "zod";

/** The body of a request is not what it should be. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly status: 400 | 413;

  constructor(status: 400 | 413, message: string) {
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
export async function chatBody(request: Request, most: number): Promise<ChatBody> {
  return parsed(chatSchema, await readText(request, most));
}

/** The body of `POST /clear`, which may be empty. */
export async function clearBody(request: Request, most: number): Promise<{ session?: string }> {
  const { session } = parsed(clearSchema, await readText(request, most) || "{}");
  return session === undefined ? {} : { session };
}

/** Whether a session may be called that. */
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

/** The text of a body, no longer than allowed, whatever its headers say. */
async function readText(request: Request, most: number): Promise<string> {
  const tooLong = () => new BodyError(413, `The body is larger than ${most} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLong();
  if (request.body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.length;
      if (size > most) throw tooLong();
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new BodyError(400, "The body is not UTF-8 text");
    throw error;
  }
}
