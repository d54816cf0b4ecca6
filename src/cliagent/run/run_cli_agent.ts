import { clipEnd, messageOf, redactor, withoutSecrets } from "../../base/mod.ts";
import { AbortRace, Alarm, linkAbort } from "../../streams/mod.ts";
import {
  type AgentCommand,
  type AgentUsage,
  type CliEvent,
  type Driver,
  LineSplitter,
} from "../drivers/mod.ts";
import { AgentError } from "../errors.ts";
import type { ModelEntry } from "../registry/mod.ts";
import { environmentOf, type LookUpVariable, secretsOf } from "./environment.ts";
import { type AgentLimits, defaultAgentLimits } from "./limits.ts";
import { Tail, writePrompt } from "./pipes.ts";
import { ProgramNotFoundError, type SpawnAgent, type SpawnedAgent } from "./spawn.ts";

/** One run of a CLI. */
export interface RunRequest {
  /** Names the run; the CLI has it as `LLMCMD_RUN_ID`. */
  readonly id: string;
  /** The entry of the model. */
  readonly entry: ModelEntry;
  /** The driver, which reads the output. */
  readonly driver: Driver;
  /** What to start. */
  readonly command: AgentCommand;
  /** Folders besides the command's that a sandbox must leave writable. */
  readonly writable?: readonly string[] | undefined;
}

/** What a run needs of the world. */
export interface RunPorts {
  /** Starts the CLI. */
  readonly spawn: SpawnAgent;
  /** Looks up a variable of the environment. */
  readonly variable: LookUpVariable;
  /** Texts besides the values of the CLI's keys that errors must not show. */
  readonly secrets?: readonly string[] | undefined;
  /** Limits; the defaults if absent. */
  readonly limits?: Partial<AgentLimits> | undefined;
}

/** How a run ended. */
export interface RunOutcome {
  /** The last message; empty after an error. */
  readonly answer: string;
  /** What went wrong, if anything did. */
  readonly error: AgentError | undefined;
  /** The exit code, 128 + n for signal n; `undefined` if it was killed or never started. */
  readonly exitCode: number | undefined;
  /** The tokens, as the CLI counts them. */
  readonly usage: AgentUsage | undefined;
  /** The id of the CLI's session. */
  readonly session: string | undefined;
}

/** What {@linkcode runCliAgent} yields: `started`, what the CLI says, and `ended`, which is the last. */
export type RunEvent =
  | { readonly type: "started" }
  | CliEvent
  | { readonly type: "ended"; readonly outcome: RunOutcome };

/**
 * Runs a CLI and yields what it says. The last event tells how it ended; failures are in it and are
 * not thrown.
 *
 * The CLI goes on as fast as its events are read. When the signal fires, the entry's `timeout` is
 * over, or the iteration is left, it is killed with everything it started; also after a normal end,
 * for what it has left in the background. Its outputs are capped, see {@linkcode AgentLimits}.
 */
export async function* runCliAgent(
  request: RunRequest,
  ports: RunPorts,
  signal?: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  const limits = { ...defaultAgentLimits, ...ports.limits };
  const { command, entry } = request;
  const env = environmentOf(ports.variable, command.passEnv, {
    ...command.env,
    NO_COLOR: "1",
    LLMCMD_RUN_ID: request.id,
  });
  const known = redactor([...secretsOf(env), ...ports.secrets ?? []]);
  // A CLI that is logged in has a key of its own, which is in no variable.
  const redact = (text: string) => withoutSecrets(known(text));
  const failed = (error: AgentError): RunEvent => ({
    type: "ended",
    outcome: { answer: "", error, exitCode: undefined, usage: undefined, session: undefined },
  });
  if (signal?.aborted === true) return yield failed(cancelled(signal));
  let agent: SpawnedAgent;
  try {
    agent = await ports.spawn({
      program: command.program,
      args: command.args,
      cwd: command.cwd,
      env,
      sandbox: entry.sandbox,
      cli: entry.driver,
      writable: request.writable ?? [],
    });
  } catch (error) {
    return yield failed(notStarted(request, error, redact));
  }
  const run = new Running(request, agent, limits, redact, signal);
  try {
    yield { type: "started" };
    yield* run.events();
  } finally {
    await run.end();
  }
}

/** A CLI that runs, and what must be put away after it. */
class Running {
  readonly #request: RunRequest;
  readonly #agent: SpawnedAgent;
  readonly #limits: AgentLimits;
  readonly #redact: (text: string) => string;
  readonly #stop = new AbortController();
  readonly #unlink: () => void;
  readonly #timeout = new Alarm();
  readonly #drain = new Alarm();
  readonly #stderr: Tail;
  readonly #errors: Promise<void>;
  #exited = false;
  #waiting = false;

  constructor(
    request: RunRequest,
    agent: SpawnedAgent,
    limits: AgentLimits,
    redact: (text: string) => string,
    signal: AbortSignal | undefined,
  ) {
    this.#request = request;
    this.#agent = agent;
    this.#limits = limits;
    this.#redact = redact;
    // The kill does not wait for the reader, who may be slow.
    this.#stop.signal.addEventListener("abort", () => void this.#kill());
    this.#unlink = linkAbort(signal, this.#stop);
    const { timeout } = request.entry;
    this.#timeout.set(timeout * 1000, () => {
      this.#stop.abort(
        new AgentError("timeout", `${command(request)} took longer than timeout (${timeout} s)`),
      );
    });
    this.#stderr = new Tail(limits.detailCharacters * 4);
    this.#errors = this.#stderr.readAll(agent.stderr);
    void writePrompt(agent.stdin, request.command.stdin);
    void agent.exit.then(() => {
      this.#exited = true;
      this.#watch();
    });
  }

  async *events(): AsyncGenerator<RunEvent, void, void> {
    const { driver } = this.#request;
    const { lineBytes, outputBytes } = this.#limits;
    const parser = driver.parser();
    const splitter = new LineSplitter(lineBytes);
    const race = new AbortRace(this.#stop.signal);
    let size = 0;
    let exitCode: number | undefined;
    let failure: AgentError | undefined;
    try {
      for (;;) {
        const { done, value } = await race.run(this.#wait(this.#agent.stdout.next()));
        if (done === true) break;
        size += value.length;
        if (size > outputBytes) throw this.#tooLong();
        for (const line of splitter.push(value)) yield* parser.line(line);
      }
      for (const line of splitter.end()) yield* parser.line(line);
      exitCode = await race.run(this.#agent.exit);
      await race.run(this.#wait(this.#errors));
    } catch (error) {
      failure = this.#whyStopped(error);
    } finally {
      race.end();
    }
    const { events, outcome } = parser.end();
    if (failure === undefined) {
      failure = this.#judge(outcome, exitCode ?? 0, splitter.dropped);
      if (failure === undefined) yield* events;
    }
    // The run is over when nothing of it is left.
    await this.end();
    yield {
      type: "ended",
      outcome: {
        answer: failure === undefined ? outcome.answer : "",
        error: failure,
        exitCode,
        usage: outcome.usage,
        session: outcome.session,
      },
    };
  }

  /** Waits for an output. */
  async #wait<T>(output: Promise<T>): Promise<T> {
    this.#waiting = true;
    this.#watch();
    try {
      return await output;
    } finally {
      this.#waiting = false;
      this.#drain.clear();
    }
  }

  /**
   * Ends the wait for outputs of a CLI that has ended: what it left in the background may hold them
   * open for ever. While nobody waits, the reader is slow, and nothing may be lost.
   */
  #watch(): void {
    if (!this.#exited || !this.#waiting) return;
    const { drainTime } = this.#limits;
    this.#drain.set(drainTime, () => {
      void this.#kill();
      // What a survivor holds open does not end.
      this.#drain.set(drainTime, () => void this.#agent.release());
    });
  }

  /** What was wrong with a run that ended by itself. */
  #judge(
    outcome: ReturnType<ReturnType<Driver["parser"]>["end"]>["outcome"],
    exitCode: number,
    dropped: number,
  ): AgentError | undefined {
    const stderr = this.#stderr.text();
    const detail = (...parts: string[]) => {
      const said = parts.map((part) => part.trim()).filter((part) => part !== "").join("\n");
      return clipEnd(this.#redact(said), this.#limits.detailCharacters) || undefined;
    };
    const why = outcome.error;
    if (exitCode !== 0 || why !== undefined) {
      const said = detail(why ?? "", stderr || (why === undefined ? outcome.noise : ""));
      return new AgentError("failed", "CLI failed", {
        detail: said ?? `${command(this.#request)} ended with status ${exitCode}`,
      });
    }
    const lost = dropped === 0
      ? ""
      : `lines longer than lineBytes (${this.#limits.lineBytes} bytes) were left out: ${dropped}`;
    if (outcome.plain && lost !== "") {
      return new AgentError("failed", "CLI failed", { detail: detail(lost, stderr) });
    }
    if (!outcome.complete) {
      const end = `${command(this.#request)} ended before it said that it was done`;
      return new AgentError("failed", "CLI failed", {
        detail: detail(end, lost, stderr || outcome.noise),
      });
    }
    if (outcome.answer === "" && this.#request.driver.mustAnswer) {
      return new AgentError("empty", `${command(this.#request)} gave an empty answer`, {
        detail: detail(stderr || outcome.noise),
      });
    }
    return undefined;
  }

  #tooLong(): AgentError {
    const { outputBytes } = this.#limits;
    return new AgentError("failed", "CLI failed", {
      detail: `${command(this.#request)} printed more than ${outputBytes} bytes, and was ended`,
    });
  }

  #whyStopped(error: unknown): AgentError {
    if (error instanceof AgentError) return error;
    if (this.#stop.signal.aborted) return cancelled(this.#stop.signal);
    return new AgentError("failed", "CLI failed", {
      detail: this.#redact(messageOf(error)),
      cause: error,
    });
  }

  async #kill(): Promise<void> {
    await this.#agent.kill();
  }

  /** Kills what is left and closes what is open. Idempotent. */
  async end(): Promise<void> {
    this.#timeout.clear();
    this.#unlink();
    await this.#kill();
    await this.#agent.exit;
    this.#drain.clear();
    await this.#agent.release();
    await Promise.allSettled([this.#agent.stdout.return(), this.#agent.stderr.return()]);
    await this.#errors;
  }
}

/** The program as the user knows it. */
function command({ command }: RunRequest): string {
  return command.program;
}

function cancelled(signal: AbortSignal): AgentError {
  const { reason } = signal;
  if (reason instanceof AgentError) return reason;
  return new AgentError("cancelled", "The call was cancelled", { cause: reason });
}

function notStarted(
  { command, driver }: RunRequest,
  error: unknown,
  redact: (text: string) => string,
): AgentError {
  if (error instanceof AgentError) return error;
  if (!(error instanceof ProgramNotFoundError)) {
    return new AgentError("failed", "CLI failed", {
      detail: redact(messageOf(error)),
      cause: error,
    });
  }
  const way = driver.npmPackage === undefined
    ? "set command in models.json to its path"
    : `install it with \`npm install -g ${driver.npmPackage}\`, or set command in models.json`;
  return new AgentError("not_installed", `Cannot find the command ${command.program}: ${way}`, {
    cause: error,
  });
}
