import { isRecord, joinBytes } from "../../base/mod.ts";
import type { LocalConnection } from "../../sys/mod.ts";

/** A frame between a session and a person's terminal. */
export type AttachFrame =
  /** Bytes: from the keyboard one way, for the screen the other way. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Everything else. */
  | { readonly kind: "message"; readonly message: Record<string, unknown> };

/** Most bytes of a frame's content. */
const LONGEST = 256 * 1024;
const HEAD = 5;
const KINDS = { bytes: 1, message: 2 } as const;

/** Sends bytes, in as many frames as needed. */
export async function sendBytes(connection: LocalConnection, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += LONGEST) {
    await connection.write(framed(KINDS.bytes, bytes.subarray(at, at + LONGEST)));
  }
}

/** Sends a message. */
export async function sendMessage(
  connection: LocalConnection,
  message: Record<string, unknown>,
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  if (bytes.length > LONGEST) {
    throw new RangeError(`A message has ${bytes.length} bytes, more than ${LONGEST}`);
  }
  await connection.write(framed(KINDS.message, bytes));
}

/**
 * Makes a frame: its kind, the length of its content in four bytes (big-endian), and the content.
 */
function framed(kind: number, content: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEAD + content.length);
  frame[0] = kind;
  new DataView(frame.buffer).setUint32(1, content.length);
  frame.set(content, HEAD);
  return frame;
}

/**
 * Reads frames to the end of the connection; a broken connection counts as its end. No more than a
 * frame is read ahead.
 *
 * @throws {SyntaxError} The other end does not speak this protocol.
 */
export async function* readFrames(
  connection: LocalConnection,
): AsyncGenerator<AttachFrame, void, void> {
  const reader = connection.readable.getReader();
  let rest = new Uint8Array();
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) return;
      const bytes = joinBytes([rest, value]);
      let at = 0;
      for (let frame = frameAt(bytes, at); frame !== undefined; frame = frameAt(bytes, at)) {
        at = frame.end;
        yield frame.frame;
      }
      rest = bytes.slice(at);
    }
  } finally {
    // Cancelling would close the other direction, too.
    reader.releaseLock();
  }
}

function frameAt(bytes: Uint8Array<ArrayBuffer>, at: number) {
  if (bytes.length - at < HEAD) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(1);
  if (length > LONGEST) throw new SyntaxError(`A frame has ${length} bytes, more than ${LONGEST}`);
  const end = at + HEAD + length;
  if (bytes.length < end) return undefined;
  const content = bytes.slice(at + HEAD, end);
  if (bytes[at] === KINDS.bytes) return { end, frame: { kind: "bytes", bytes: content } as const };
  const message: unknown = JSON.parse(new TextDecoder().decode(content));
  if (bytes[at] !== KINDS.message || !isRecord(message)) {
    throw new SyntaxError("A frame is of an unknown kind");
  }
  return { end, frame: { kind: "message", message } as const };
}
