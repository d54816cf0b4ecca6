import type { AgentEvent } from "../../agent/mod.ts";
import { describeCall } from "./describe_call.ts";

const SPINNER = ["|", "/", "-", "\\"];

/** The current activity of a run, as a line on the terminal. */
export class Progress {
  readonly #started: number;
  #turn = 0;
  #doing = "starting";
  #tick = 0;

  /** `started` and the `now` of {@linkcode line} are milliseconds of the same clock. */
  constructor(started: number) {
    this.#started = started;
  }

  /** Updates the state with an event. */
  update(event: AgentEvent): void {
    switch (event.type) {
      case "turn_start":
        this.#turn = event.turn;
        this.#doing = "waiting for the model";
        break;
      case "text":
        this.#doing = "the model is answering";
        break;
      case "retry":
        this.#doing = `waiting ${formatSeconds(event.delay)} to try again: ${event.error}`;
        break;
      case "tool_start":
        this.#doing = describeCall(event.name, event.input);
        break;
      case "tool_end":
        this.#doing = "waiting for the model";
        break;
    }
  }

  /** Returns the line, with the bytes written so far. */
  line(now: number, outputBytes: number): string {
    const parts = [
      `${SPINNER[this.#tick++ % SPINNER.length]} ${formatSeconds(now - this.#started)}`,
      ...(this.#turn > 0 ? [`turn ${this.#turn}`] : []),
      ...(outputBytes > 0 ? [`${formatBytes(outputBytes)} out`] : []),
      this.#doing,
    ];
    return parts.join("  ");
  }
}

function formatSeconds(milliseconds: number): string {
  return `${(Math.max(0, milliseconds) / 1000).toFixed(milliseconds < 9950 ? 1 : 0)} s`;
}

/** Formats a number of bytes, such as `12.3 KiB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
