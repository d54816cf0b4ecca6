import { Alarm } from "../streams/mod.ts";
import type { ShowEvent } from "./runs.ts";

/** Pauses between two events, by the characters that were sent before. */
const PAUSES: readonly (readonly [sent: number, milliseconds: number])[] = [
  [1, 100],
  [128 * 1024, 500],
  [512 * 1024, 2000],
  [Infinity, 10_000],
];

/**
 * Shows the end of a running command's output as events `tool_output`, each of which replaces the one
 * before. They are few, because all events of a turn are kept for later readers.
 */
export class LiveOutput {
  readonly #most: number;
  readonly #show: ShowEvent;
  readonly #alarm: Alarm = new Alarm();
  #decoder: TextDecoder = new TextDecoder();
  #tail = "";
  #pending = false;
  #sent = 0;

  /** @param most The characters that are shown. */
  constructor(most: number, show: ShowEvent) {
    this.#most = most;
    this.#show = show;
  }

  /** Takes what the command has written; the bytes are not kept. */
  add(chunk: Uint8Array<ArrayBuffer>): void {
    // A chunk may be much longer than what is shown of it: four bytes a character at most.
    const skipped = Math.max(0, chunk.length - 4 * this.#most);
    if (skipped > 0) this.#decoder = new TextDecoder();
    const text = this.#decoder.decode(chunk.subarray(skipped), { stream: true });
    this.#tail = lastOf(this.#tail + text, this.#most);
    if (this.#pending) return;
    this.#pending = true;
    const [, pause = 0] = PAUSES.find(([sent]) => this.#sent < sent) ?? [];
    this.#alarm.set(pause, () => this.#send());
  }

  /** The command has ended: its result has all that there is to show. */
  end(): void {
    this.#alarm.clear();
    this.#pending = false;
    this.#decoder = new TextDecoder();
    this.#tail = "";
  }

  #send(): void {
    this.#pending = false;
    this.#sent += this.#tail.length;
    this.#show({ type: "tool_output", data: { content: this.#tail } });
  }
}

/** The end of a text, from the beginning of a line if it has one there. */
function lastOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  const line = end.indexOf("\n");
  const cut = line >= 0 && line < end.length - 1 ? end.slice(line + 1) : end;
  return cut.replace(/^[\udc00-\udfff]/, "");
}
