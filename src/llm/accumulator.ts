import type { ChatDelta } from "./client.ts";
import { type Extra, type Extras, type Fields, joinFields } from "./extras.ts";
import { withoutOpenThought } from "./thought.ts";
import type { FinishReason, Message, ToolCall, Usage } from "./wire.ts";

/** Options of a {@linkcode DeltaAccumulator}. */
export interface DeltaAccumulatorOptions {
  /** The number in the first generated id, `call_N`. Default 1. */
  firstCall?: number;
}

/** A call that is still arriving. */
interface Slot {
  index: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  extra: Fields | undefined;
}

/** An assistant's message, as a {@linkcode DeltaAccumulator} makes it. */
export type AssistantMessage = Extract<Message, { role: "assistant" }>;

/**
 * Joins the pieces of one streamed answer to a message.
 *
 * Takes what endpoints really send: several calls at once, their pieces mixed; whole calls in one
 * piece; no `index`, the same `index` for different calls, no `id`, an `id` repeated in every piece
 * or shared by two calls. Every call of the message has an id of its own, generated where needed.
 *
 * @example
 * ```ts
 * import { DeltaAccumulator } from "@llmcmd/llmcmd/llm";
 * import assert from "node:assert/strict";
 *
 * const answer = new DeltaAccumulator();
 * answer.add({ type: "text", content: "Let me " });
 * answer.add({ type: "text", content: "look." });
 * answer.add({ type: "tool_call", index: 0, id: "a1", name: "read", arguments: '{"fd"' });
 * answer.add({ type: "tool_call", index: 0, arguments: ":3}" });
 * assert.deepEqual(answer.message(), {
 *   role: "assistant",
 *   content: "Let me look.",
 *   tool_calls: [
 *     { id: "a1", type: "function", function: { name: "read", arguments: '{"fd":3}' } },
 *   ],
 * });
 * ```
 */
export class DeltaAccumulator {
  #text = "";
  #thought = "";
  #origin = "";
  #extra: Fields | undefined;
  #refusal = "";
  #slots: Slot[] = [];
  #usage: Usage | undefined;
  #finish: FinishReason | undefined;
  #firstCall: number;

  /** Begins with nothing. */
  constructor(options: DeltaAccumulatorOptions = {}) {
    this.#firstCall = options.firstCall ?? 1;
  }

  /** Takes the next piece. Gives the position of the call in `toolCalls()` that it belongs to, if any. */
  add(delta: ChatDelta): number | undefined {
    switch (delta.type) {
      case "text":
        this.#text += delta.content;
        break;
      case "thought":
        this.#thought += delta.content;
        break;
      case "extra":
        this.#extra = this.#joined(this.#extra, delta.extra);
        break;
      case "refusal":
        this.#refusal += delta.content;
        break;
      case "tool_call":
        return this.#addCall(delta);
      case "usage":
        this.#usage = delta.usage;
        break;
      case "finish":
        this.#finish = delta.reason;
        break;
      case "retry":
        this.#thought = "";
        this.#extra = undefined;
        break;
    }
    return undefined;
  }

  #joined(fields: Fields | undefined, extra: Extra): Fields {
    this.#origin = extra.origin;
    return joinFields(fields, extra.fields);
  }

  #addCall(delta: Extract<ChatDelta, { type: "tool_call" }>): number {
    let slot = this.#slotOf(delta);
    if (slot === undefined) {
      slot = { index: delta.index, id: undefined, name: "", arguments: "", extra: undefined };
      this.#slots.push(slot);
    }
    // Some endpoints make up another id for every piece.
    if (delta.id) slot.id ??= delta.id;
    if (delta.name) slot.name = delta.name;
    slot.arguments += delta.arguments ?? "";
    if (delta.extra !== undefined) slot.extra = this.#joined(slot.extra, delta.extra);
    return this.#slots.indexOf(slot);
  }

  /** The call that this piece continues, or `undefined` when it begins a new one. */
  #slotOf(delta: Extract<ChatDelta, { type: "tool_call" }>): Slot | undefined {
    const slot = this.#candidate(delta);
    if (slot === undefined || !delta.name) return slot;
    if (delta.id && slot.id && delta.id !== slot.id) return undefined;
    // A name begins a call, unless the endpoint repeats it in every piece of the same call.
    const repeated = delta.name === slot.name && !delta.arguments;
    return repeated || !isObjectJson(slot.arguments) ? slot : undefined;
  }

  #candidate({ index, id, name }: Extract<ChatDelta, { type: "tool_call" }>): Slot | undefined {
    if (index !== undefined) return this.#slots.findLast((slot) => slot.index === index);
    const same = id ? this.#slots.findLast((slot) => slot.id === id) : undefined;
    return same ?? (id && name ? undefined : this.#slots.at(-1));
  }

  /** The model's text so far, without a `<think>` block at its start, or the rest of one. */
  get text(): string {
    return this.#thought === "" ? withoutOpenThought(this.#text) : this.#text;
  }

  /** The model's reason to refuse, so far; empty when it does not. */
  get refusal(): string {
    return this.#refusal;
  }

  /** The tokens of this answer, once the endpoint has reported them. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** The reason that the model stopped, once it did. */
  get finishReason(): FinishReason | undefined {
    return this.#finish;
  }

  /** The calls so far, with ids of their own, in the order they began. */
  toolCalls(): ToolCall[] {
    const used = new Set<string>();
    return this.#slots.map((slot, position) => {
      let id = slot.id;
      if (id === undefined || used.has(id)) id = `call_${this.#firstCall + position}`;
      for (let next = 2; used.has(id); next++) id = `call_${this.#firstCall + position}_${next}`;
      used.add(id);
      return { id, type: "function", function: { name: slot.name, arguments: slot.arguments } };
    });
  }

  /**
   * The message so far. `content` has the `<think>` block, too, and is null without text;
   * `tool_calls` is absent without calls.
   */
  message(): AssistantMessage {
    const calls = this.toolCalls();
    const content = this.#thought + this.#text;
    const extras = this.#extras(calls);
    return {
      role: "assistant",
      content: content === "" ? null : content,
      ...(this.#refusal === "" ? {} : { refusal: this.#refusal }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(extras === undefined ? {} : { extras }),
    };
  }

  #extras(calls: readonly ToolCall[]): Extras | undefined {
    const ofCalls = calls.flatMap(({ id }, position) => {
      const fields = this.#slots[position]?.extra;
      return fields === undefined ? [] : [[id, fields] as const];
    });
    if (this.#extra === undefined && ofCalls.length === 0) return undefined;
    return {
      origin: this.#origin,
      ...(this.#extra === undefined ? {} : { message: this.#extra }),
      ...(ofCalls.length === 0 ? {} : { calls: Object.fromEntries(ofCalls) }),
    };
  }
}

/** True where `text` is the JSON of an object, so that nothing can follow it. */
function isObjectJson(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
