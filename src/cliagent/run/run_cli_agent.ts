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
  /** The run's id, which the CLI gets as `LLMCMD_RUN_ID`. */
  readonly id: string;
  /** The entry of the model. */
  readonly entry: ModelEntry;
  /** The driver, which parses the output. */
  readonly driver: Driver;
  /** The command to start. */
  readonly command: AgentCommand;
  /** Folders besides the command's that a sandbox must leave writable. */
  readonly writable?: readonly string[] | undefined;
}

/** Ports of a run: its access to the host. */
export interface RunPorts {
  /** Starts the CLI. */
  readonly spawn: SpawnAgent;
  /** Looks up a variable of the environment. */
  readonly variable: LookUpVariable;
  /** Texts to remove from errors, in addition to the secrets in the CLI's environment. */
  readonly secrets?: readonly string[] | undefined;
  /** Limits, where they differ from the defaults. */
  readonly limits?: Partial<AgentLimits> | undefined;
}

/** The result of a run. */
export interface RunOutcome {
  /** The last message; empty after an error. */
  readonly answer: string;
  /** The error, if any. */
  readonly error: AgentError | undefined;
  /** The exit status, 128 + n for signal n; `undefined` if the CLI was killed or never started. */
  readonly exitCode: number | undefined;
  /** The tokens that the CLI counted. */
  readonly usage: AgentUsage | undefined;
  /** The id of the CLI's session. */
  readonly session: string | undefined;
}

/** Events of {@linkcode runCliAgent}: `started`, the CLI's output, and `ended` as the last one. */
export type RunEvent =
  | { readonly type: "started" }
  | CliEvent
  | { readonly type: "ended"; readonly outcome: RunOutcome };

/**
 * Runs a CLI and yields its output. The last event is the result: failures are in it, nothing is
 * thrown.
 *
 * A slow reader slows the CLI down. The CLI and all its descendants are killed when the signal
 * fires, when the entry's `timeout` is over, when the iteration is left, and after a normal end.
 * Output is limited, see {@linkcode AgentLimits}.
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
  // A logged-in CLI has a key of its own, which is not in a variable.
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

/** A running CLI, and its cleanup. */
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
    // The kill does not wait for a slow reader.
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
    // The run is over only when all its processes are gone.
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

  /** Waits for output. */
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
   * Limits the wait for output after the CLI has exited: processes left in the background may hold
   * the pipes open for ever. It does not count while the reader is busy: no output may be lost
   * then.
   */
  #watch(): void {
    if (!this.#exited || !this.#waiting) return;
    const { drainTime } = this.#limits;
    this.#drain.set(drainTime, () => {
      void this.#kill();
      // A process that survives the kill may still hold the pipes open: gives them up.
      this.#drain.set(drainTime, () => void this.#agent.release());
    });
  }

  /** Returns the error of a run that ended without being stopped. */
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
      const end = `${command(this.#request)} ended before it reported that it was done`;
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
      detail: `${command(this.#request)} was killed: it printed more than ${outputBytes} bytes`,
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

  /** Kills the remaining processes and closes the pipes. Idempotent. */
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

/** The program, as the user wrote it. */
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
