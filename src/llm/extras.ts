import { isRecord } from "../base/mod.ts";

/** Fields by name, as an endpoint sent them. */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields that an endpoint sent with a message or a call, besides those of the API. */
export interface Extra {
  /** The endpoint and model that sent them, which alone get them back. */
  origin: string;
  /** The fields, or the pieces of them that one event of a stream has. */
  fields: Fields;
}

/**
 * Fields that an endpoint sent with a message besides those of the API, such as
 * `reasoning_content`, `reasoning_details` or a call's `extra_content`. Thinking models want it
 * back with the message, and refuse the next request without it. The client puts the fields in
 * their places, in requests to the endpoint and the model that they came from, and leaves them out
 * of others.
 */
export interface Extras {
  /** The endpoint and model that sent them. */
  origin: string;
  /** Fields of the message. */
  message?: Fields;
  /** Fields of the message's calls, by the call's id. */
  calls?: Readonly<Record<string, Fields>>;
}

/** Strings of a part of a list that every piece repeats, where others go on. */
const REPEATED = new Set(["type", "id", "format", "name", "role", "signature", "status"]);

/**
 * Joins fields with the next piece of them. Texts are joined (`reasoning_content`), and lists, whose
 * parts with an `index` are pieces of one part (`reasoning_details`). Of what is in objects, and of
 * all else, the later value counts.
 */
export function joinFields(fields: Fields | undefined, piece: Fields): Fields {
  if (fields === undefined) return piece;
  return mapped(fields, piece, joined);
}

function joined(name: string, before: unknown, next: unknown): unknown {
  if (typeof before === "string" && typeof next === "string") {
    return REPEATED.has(name) ? next : before + next;
  }
  if (Array.isArray(before) && Array.isArray(next)) return joinLists(before, next);
  return isRecord(before) && isRecord(next) ? mapped(before, next, later) : next;
}

function later(_name: string, before: unknown, next: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(next)) return joinLists(before, next);
  return isRecord(before) && isRecord(next) ? mapped(before, next, later) : next;
}

function joinLists(before: readonly unknown[], next: readonly unknown[]): unknown[] {
  const list = [...before];
  for (const part of next) {
    const at = isRecord(part) ? list.findLastIndex((it) => isSamePart(it, part)) : -1;
    const old = list[at];
    if (isRecord(old) && isRecord(part)) list[at] = mapped(old, part, joined);
    else list.push(part);
  }
  return list;
}

/** True where a part continues another: OpenRouter counts the parts of each type. */
function isSamePart(before: unknown, next: Record<string, unknown>): boolean {
  return isRecord(before) && next.index !== undefined && before.index === next.index &&
    (next.type === undefined || before.type === next.type);
}

function mapped(
  before: Fields,
  next: Fields,
  join: (name: string, before: unknown, next: unknown) => unknown,
): Fields {
  const result = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined) continue;
    result.set(name, result.has(name) ? join(name, result.get(name), value) : value);
  }
  return Object.fromEntries(result);
}
