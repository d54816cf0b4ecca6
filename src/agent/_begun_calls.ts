import type { ToolCall } from "../llm/mod.ts";
import type { BegunCall, Registry } from "../tool/mod.ts";

/**
 * The calls of one answer that begin while their arguments are still arriving: the first one, and
 * each one whose predecessors are done.
 */
export class BegunCalls {
  readonly #tools: Registry;
  readonly #signal: AbortSignal;
  readonly #begun: (BegunCall | undefined)[] = [];

  /** Begins with no call. `signal` stops what the calls do. */
  constructor(tools: Registry, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
  }

  /**
   * Passes a piece of the arguments on. `call` is what arrived of its call so far, the piece
   * included; `position` is its place in the message. Rejects with what ends the run.
   */
  async push(piece: string, position: number, call: () => ToolCall | undefined): Promise<void> {
    if (piece === "") return;
    const isNext = position === this.#begun.length;
    if (isNext && this.#begun.every((begun) => begun?.done === true)) {
      this.#begun.push(await this.#begin(call(), piece));
    }
    await this.#begun[position]?.push(piece);
  }

  async #begin(call: ToolCall | undefined, piece: string): Promise<BegunCall | undefined> {
    // The pieces of several calls may be mixed: this one may have missed its first ones.
    if (call?.function.arguments.length !== piece.length) return undefined;
    const tool = this.#tools.get(call.function.name);
    try {
      await tool?.load?.();
    } catch {
      // The call reports the failure when it runs.
      return undefined;
    }
    return tool?.begin?.({ signal: this.#signal });
  }

  /** The call at that place in the message, if it has begun. */
  at(position: number): BegunCall | undefined {
    return this.#begun[position];
  }
}
