import { encodeSse } from "../streams/mod.ts";
import type { Fault } from "./scenario.ts";
import type {
  EncodeOptions,
  MockAnswer,
  MockError,
  MockRequest,
  WireApi,
  WireEvent,
} from "./wire_api.ts";

/**
 * A response and when to send it: plain data that a server plays. The body is a complete text, or
 * pieces that are made one by one as the server asks for them.
 */
export interface HttpScript {
  /** 0 when the response never begins. */
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Milliseconds before the response begins; `Infinity`: it never does. */
  wait: number;
  /** Complete text, or pieces for one reader. */
  body: string | Iterable<BodyPiece>;
}

/** A part of a body. After the last piece the body ends cleanly. */
export type BodyPiece =
  /** Bytes to send, after a wait of so many milliseconds. */
  | { type: "data"; wait: number; data: Uint8Array<ArrayBuffer> }
  /** The connection breaks. */
  | { type: "cut" }
  /** Nothing more comes, and the connection stays open until the client leaves. */
  | { type: "stall" };

const PAGE = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head>" +
  "<body><h1>Sign in to continue</h1></body></html>\n";

/** An error of the wire API. */
export function errorScript(
  api: WireApi,
  status: number,
  error: MockError,
  fault: Fault = {},
): HttpScript {
  return jsonScript(api.error(error, status), status, fault);
}

/** A value as JSON. */
export function jsonScript(value: unknown, status = 200, fault: Fault = {}): HttpScript {
  return {
    status,
    headers: { "content-type": "application/json", ...faultHeaders(fault) },
    wait: fault.latency ?? 0,
    body: JSON.stringify(value),
  };
}

/**
 * The response of a fault that replaces the answer; `undefined` if it only changes how one is sent.
 */
export function replacingScript(api: WireApi, fault: Fault): HttpScript | undefined {
  const { status, html, redirect, hang, latency: wait = 0 } = fault;
  if (hang === true) return { status: 0, headers: {}, wait: Infinity, body: "" };
  if (redirect !== undefined) {
    const headers = { location: redirect, ...faultHeaders(fault) };
    return { status: status ?? 307, headers, wait, body: "" };
  }
  if (html !== undefined && html !== false) {
    const headers = { "content-type": "text/html; charset=utf-8", ...faultHeaders(fault) };
    return { status: status ?? 200, headers, wait, body: html === true ? PAGE : html };
  }
  return status === undefined
    ? undefined
    : errorScript(api, status, faultError(fault, status), fault);
}

/** An answer, streamed or not, with what a fault does to it. */
export function answerScript(
  api: WireApi,
  request: MockRequest,
  answer: MockAnswer,
  fault: Fault = {},
): HttpScript {
  const headers = {
    ...(request.stream
      ? { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" }
      : { "content-type": "application/json" }),
    [api.idHeader]: answer.id,
    ...faultHeaders(fault),
  };
  const wait = fault.latency ?? 0;
  if (!request.stream) {
    const pieces = wholePieces(api, request, answer, fault);
    return { status: 200, headers, wait, body: pieces };
  }
  let pieces: Iterable<BodyPiece> = streamPieces(api, request, answer, fault);
  if (fault.cut_after_bytes !== undefined) pieces = cutBytes(pieces, fault.cut_after_bytes);
  if (fault.chunk_bytes !== undefined) pieces = splitBytes(pieces, fault.chunk_bytes);
  return { status: 200, headers, wait, body: pieces };
}

/** The answer in one piece: text, or pieces when a fault needs them. */
function wholePieces(
  api: WireApi,
  { includeUsage }: MockRequest,
  answer: MockAnswer,
  fault: Fault,
): string | Iterable<BodyPiece> {
  const options = encodeOptions(includeUsage, fault);
  let text = JSON.stringify(
    fault.error_after === undefined
      ? api.json(answer, options)
      : api.error(faultError(fault, 500), 500),
  );
  const breaks = fault.cut_after !== undefined || fault.stall_after !== undefined;
  if (breaks || fault.end_after !== undefined || fault.malformed === true) text = half(text);
  const bytes = new TextEncoder().encode(text);
  let pieces: Iterable<BodyPiece> = [{ type: "data", wait: fault.first_token ?? 0, data: bytes }];
  if (breaks) pieces = [...pieces, { type: fault.cut_after === undefined ? "stall" : "cut" }];
  if (fault.cut_after_bytes !== undefined) pieces = cutBytes(pieces, fault.cut_after_bytes);
  if (fault.chunk_bytes !== undefined) return splitBytes(pieces, fault.chunk_bytes);
  return breaks || fault.cut_after_bytes !== undefined || fault.first_token ? pieces : text;
}

/** The events of a streamed answer. */
function* streamPieces(
  api: WireApi,
  { includeUsage }: MockRequest,
  answer: MockAnswer,
  fault: Fault,
): Generator<BodyPiece, void, void> {
  const encoder = new TextEncoder();
  let sent = 0;
  const piece = ({ event, data }: WireEvent, malformed = false): BodyPiece => {
    const wait = (sent === 0 ? fault.first_token : fault.chunk_delay) ?? 0;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    const sse = encodeSse({
      ...(event === undefined ? {} : { event }),
      data: malformed ? half(text) : text,
    });
    return { type: "data", wait, data: encoder.encode(sse) };
  };
  for (const event of api.events(answer, encodeOptions(includeUsage, fault))) {
    if (fault.end_after === sent) return;
    if (fault.cut_after === sent) return yield { type: "cut" };
    if (fault.stall_after === sent) return yield { type: "stall" };
    if (fault.error_after === sent) {
      return yield piece(api.errorEvent(faultError(fault, 500), answer, sent));
    }
    yield piece(event, fault.malformed === true && sent === 1);
    sent++;
  }
  if (fault.cut_after === sent) yield { type: "cut" };
  if (fault.stall_after === sent) yield { type: "stall" };
}

function encodeOptions(includeUsage: boolean, fault: Fault): EncodeOptions {
  return {
    includeUsage,
    finishReason: fault.no_finish_reason !== true,
    done: fault.no_done !== true,
  };
}

/** Breaks the connection after so many bytes. */
function* cutBytes(pieces: Iterable<BodyPiece>, limit: number): Generator<BodyPiece, void, void> {
  let left = limit;
  for (const piece of pieces) {
    if (piece.type !== "data" || piece.data.length < left) {
      if (piece.type === "data") left -= piece.data.length;
      yield piece;
      continue;
    }
    if (left > 0) yield { ...piece, data: piece.data.subarray(0, left) };
    return yield { type: "cut" };
  }
}

/** Sends the bytes in pieces of one size, across the borders of events. */
function* splitBytes(pieces: Iterable<BodyPiece>, size: number): Generator<BodyPiece, void, void> {
  for (const piece of pieces) {
    if (piece.type !== "data") {
      yield piece;
      continue;
    }
    for (let at = 0; at < piece.data.length; at += size) {
      const wait = at === 0 ? piece.wait : 0;
      yield { type: "data", wait, data: piece.data.subarray(at, at + size) };
    }
  }
}

function half(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

function faultHeaders({ retry_after, headers = {} }: Fault): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...(retry_after === undefined ? {} : { "retry-after": String(retry_after) }),
    ...Object.fromEntries(lower),
  };
}

function faultError({ error = {} }: Fault, status: number): MockError {
  return { message: `The scenario asks for status ${status}`, ...error };
}
