import { fromBase64 } from "./base64.ts";
import { ProxyError } from "./errors.ts";
import { isParams, NO_ID, type Params } from "./protocol.ts";

/** A parsed request. */
export interface Request {
  readonly id: string;
  readonly op: string;
  readonly params: Params;
}

/** An invalid request: the id for the answer, and the error. */
export interface BadRequest {
  readonly id: string;
  readonly error: ProxyError;
}

const decoder = new TextDecoder();
const strict = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes a document. The tolerant decoder is five times as fast as the strict one, and marks
 * invalid places with U+FFFD.
 *
 * @throws {TypeError} If the document is not UTF-8.
 */
export function decodeStrictUtf8(document: Uint8Array): string {
  const text = decoder.decode(document);
  return text.includes("\ufffd") ? strict.decode(document) : text;
}

/** Parses the document of a frame. */
export function parseRequest(document: Uint8Array): Request | BadRequest {
  let value: unknown;
  try {
    value = JSON.parse(decodeStrictUtf8(document));
  } catch {
    return { id: NO_ID, error: new ProxyError("E_ARG", "the frame is not JSON in UTF-8") };
  }
  const bad = (id: string, message: string) => ({ id, error: new ProxyError("E_ARG", message) });
  if (!isParams(value)) return bad(NO_ID, "the request is not an object");
  const { id, op, params = {} } = value;
  if (typeof id !== "string") return bad(NO_ID, "missing id: it is a string");
  if (typeof op !== "string") return bad(id, "missing op");
  if (!isParams(params)) return bad(id, "params is not an object");
  return { id, op, params };
}

/** Reads a path or another name. */
export function pathOf(params: Params, name = "path"): string {
  const value = params[name];
  if (value === undefined || value === "") throw new ProxyError("E_ARG", `missing ${name}`);
  if (typeof value !== "string") throw new ProxyError("E_ARG", `${name} is not a string`);
  if (value.includes("\0")) throw new ProxyError("E_ARG", `${name} contains a NUL`);
  return value;
}

/** Reads an integer of at least 0. */
export function numberOf(params: Params, name: string): number {
  const value = params[name];
  if (value === undefined) throw new ProxyError("E_ARG", `missing ${name}`);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new ProxyError("E_ARG", `${name} is not a whole number of at least 0`);
  }
  return value;
}

/** Reads a boolean; false if absent. */
export function flagOf(params: Params, name: string): boolean {
  const value = params[name] ?? false;
  if (typeof value !== "boolean") {
    throw new ProxyError("E_ARG", `${name} is neither true nor false`);
  }
  return value;
}

/** Reads bytes in base64. */
export function bytesOf(params: Params, name: string): Uint8Array<ArrayBuffer> {
  const value = params[name];
  if (value === undefined) throw new ProxyError("E_ARG", `missing ${name}`);
  const bytes = typeof value === "string" ? fromBase64(value) : undefined;
  if (bytes === undefined) throw new ProxyError("E_ARG", `${name} is not base64`);
  return bytes;
}
