import type {
  BegunCall,
  CutContext,
  ParsedInput,
  ToolContext,
  ToolResult,
} from "../../tool/mod.ts";
import { describeFailure } from "../model_view/mod.ts";
import type { RunState } from "../run_state.ts";
import { CountingSink } from "./counting_sink.ts";
import { JsonEnd } from "./json_end.ts";
import { JsonStringReader } from "./json_string.ts";
import {
  cutWriteResult,
  type Flowed,
  flowNote,
  NOTHING,
  type WriteInput,
  writeResult,
} from "./write_data.ts";

/** Arguments whose data are sure to be for descriptor 1, up to the data. */
const TO_OUTPUT =
  /^\s*\{\s*(?:"eof"\s*:\s*(?:true|false|null)\s*,\s*)?"fd"\s*:\s*1\s*,\s*(?:"eof"\s*:\s*(?:true|false|null)\s*,\s*)?"data"\s*:\s*"/;
/** Characters within which that is decided. */
const LONGEST_HEAD = 256;

/** Options of a {@linkcode StreamedWrite}. */
export interface StreamedWriteOptions {
  /** Checks complete arguments. */
  readonly parse: (input: unknown) => ParsedInput<WriteInput>;
  /** Checks those that were cut. */
  readonly parseCut: (input: Readonly<Record<string, unknown>>) => ParsedInput<WriteInput>;
  /** Stops the writing. */
  readonly signal: AbortSignal;
}

/**
 * A `write` to descriptor 1 whose data flow out while the model still writes them: as they arrive
 * where `fd` stands before them, else once the arguments are complete. Without `fd` it is not known
 * before that whether one follows.
 */
export class StreamedWrite implements BegunCall<WriteInput> {
  readonly #state: RunState;
  readonly #options: StreamedWriteOptions;
  readonly #end = new JsonEnd();
  #reader: JsonStringReader | undefined;
  #arguments = "";
  #complete = false;
  #flowed: Flowed = NOTHING;
  #done = false;

  /** Begins with no arguments. */
  constructor(state: RunState, options: StreamedWriteOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** See `BegunCall`. */
  get done(): boolean {
    return this.#done;
  }

  /** Writes the data that are sure to be for descriptor 1. Rejects when descriptor 1 cannot be written, or its limit is reached. */
  async push(piece: string): Promise<void> {
    const data = this.#dataIn(piece);
    if (data !== "") await this.#flow(data);
    if (this.#complete || !this.#end.push(piece)) return;
    this.#complete = true;
    await this.#flowRest();
  }

  #dataIn(piece: string): string {
    const undecided = this.#reader === undefined && this.#arguments.length < LONGEST_HEAD;
    this.#arguments += piece;
    if (!undecided) return this.#reader?.push(piece) ?? "";
    const head = TO_OUTPUT.exec(this.#arguments)?.[0];
    if (head === undefined) return "";
    this.#reader = new JsonStringReader();
    return this.#reader.push(this.#arguments.slice(head.length));
  }

  /** Writes the rest of the data, as the arguments are complete. */
  async #flowRest(): Promise<void> {
    const parsed = this.#options.parse(parseJson(this.#arguments));
    if (!parsed.ok) return;
    const { fd = 1, data } = parsed.input;
    const text = data?.toWellFormed();
    // The call itself reports the rest, and errors.
    if (fd !== 1 || text?.startsWith(this.#flowed.text) !== true) return;
    await this.#flow(text.slice(this.#flowed.text.length));
    this.#done = true;
  }

  async #flow(data: string): Promise<void> {
    const state = this.#state;
    const { signal } = this.#options;
    await state.inTurn(async () => {
      const sink = new CountingSink(state.descriptors.writable(1, "write to"), state, signal);
      const text = data.toWellFormed();
      try {
        if (text !== "") await sink.write(new TextEncoder().encode(text));
      } catch (error) {
        signal.throwIfAborted();
        state.isFatal(error);
        throw error;
      }
      this.#flowed = { text: this.#flowed.text + text, size: this.#flowed.size + sink.size };
    });
  }

  /** Writes the rest, and reports on all of it. */
  execute(input: WriteInput, context: ToolContext): Promise<ToolResult> {
    return writeResult(this.#state, input, context, this.#flowed);
  }

  /** Writes the rest of what arrived, and reports how far the text came. */
  async executeCut(
    input: Readonly<Record<string, unknown>>,
    context: CutContext,
  ): Promise<ToolResult> {
    const parsed = this.#options.parseCut(input);
    if (!parsed.ok) return this.refuse(parsed.error);
    return await cutWriteResult(this.#state, parsed.input, context, this.#flowed);
  }

  /** Reports the problem, and the bytes written before it. */
  refuse(problem: string): ToolResult {
    const { size } = this.#flowed;
    const content = size === 0
      ? describeFailure(problem, "write")
      : JSON.stringify({ success: false, size, error: `${problem}; ${flowNote(this.#flowed)}` });
    return { content, error: true };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
