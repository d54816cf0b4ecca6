import type * as z from "zod";
import { Alarm } from "../../streams/mod.ts";

/** Limits of a request's body. */
export interface BodyLimits {
  /** Most bytes. */
  readonly bodyBytes: number;
  /** Most milliseconds until it has arrived. */
  readonly bodyTime: number;
}

/** The body of a request is too long, too slow or not of the expected form. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly status: 400 | 408 | 413;

  constructor(status: 400 | 408 | 413, message: string) {
    super(message);
    this.status = status;
  }

  /**
   * Headers that the refusal needs: the rest of a body that is too long or too slow is not read, so
   * no other request can follow on its connection.
   */
  get headers(): Record<string, string> {
    return this.status === 400 ? {} : { connection: "close" };
  }
}

/**
 * The text of a body, read within the limits of size and time, whatever its headers say.
 *
 * @throws {BodyError} It is too long or too slow, breaks off, or is not UTF-8.
 */
export async function readBody(
  request: Request,
  { bodyBytes, bodyTime }: BodyLimits,
): Promise<string> {
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

/**
 * The JSON value of a body, checked.
 *
 * @throws {BodyError} It is not JSON, or does not fit: the message names the field.
 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> {
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

function decoded(decoder: TextDecoder, bytes?: Uint8Array<ArrayBuffer>): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new BodyError(400, "The body is not UTF-8 text");
  }
}
