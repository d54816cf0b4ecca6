import type { AgentEvent } from "../../agent/mod.ts";
import { printable } from "../../base/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";
import type { AgentConsole } from "./console/mod.ts";
import { type Front, toldOf } from "./front.ts";
import { type Style, wrapped } from "./screen/mod.ts";
import { TurnView } from "./turn_view.ts";

/** A talk on a terminal; {@linkcode TurnView} makes the text of its turns. */
export class ScreenFront implements Front {
  readonly #console: AgentConsole;
  readonly #style: Style;
  readonly #view: TurnView;

  constructor(terminal: AgentConsole, style: Style, now: () => number = () => performance.now()) {
    this.#console = terminal;
    this.#style = style;
    this.#view = new TurnView({ style, now, columns: () => terminal.columns });
  }

  get columns(): number {
    return this.#console.columns;
  }

  typed(): void {
    this.#view.typed();
  }

  async event(event: AgentEvent): Promise<void> {
    const text = this.#view.event(event);
    if (event.type === "run_start") this.#console.status(() => this.#view.rows());
    if (event.type === "run_end") this.#console.status(undefined);
    if (text !== "") await this.#console.print(text);
    const told = event.type === "retry" ? undefined : toldOf(event);
    if (told === undefined) this.#console.update();
    else await this.#tell(told, event.type === "notice" ? "faint" : "warning");
  }

  waits(waiting: boolean): void {
    this.#view.waits(waiting);
  }

  output(callId: string, chunk: Uint8Array): void {
    this.#view.output(callId, chunk);
    this.#console.update();
  }

  async note(text: string): Promise<void> {
    await this.#console.print(`${this.#view.note()}${this.#wrap(text)}\n`);
  }

  async stopped(): Promise<void> {
    await this.#tell("[Stopped]", "faint");
  }

  async fail(message: string): Promise<void> {
    await this.#tell(message, "bad");
  }

  async command(runner: CommandSession, command: string, signal: AbortSignal): Promise<void> {
    const { exitCode } = await this.#console.lend(() => runner.runAtTerminal(command, { signal }));
    if (exitCode !== 0 && exitCode !== null) await this.note(`[Exit code ${exitCode}]`);
  }

  async #tell(text: string, mark: "faint" | "warning" | "bad"): Promise<void> {
    const lines = this.#wrap(text).split("\n").map((line) => this.#style(mark, line));
    await this.#console.print(`${this.#view.note()}${lines.join("\n")}\n`);
  }

  #wrap(text: string): string {
    return wrapped(printable(text.replace(/\n+$/, "")), this.#console.columns);
  }
}
