/** A mock, a folder, and the command run in that folder as users run it: as a process. */
import { variablesOf } from "../src/cli/settings/mod.ts";
import { parseScenarios, type ScenarioStep, type ScenarioToolCall } from "../src/mock/mod.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import { runAll, type RunOutcome } from "./_runs.ts";
import { PROGRAM } from "./_program.ts";

/** The end of a process. */
export interface Outcome {
  code: number;
  signal: Deno.Signal | null;
  stdout: string;
  stderr: string;
  bytes: Uint8Array;
}

/** The variables that the command reads. */
export const VARIABLES = ["HOME", "XDG_CONFIG_HOME", ...variablesOf("llmcmd")];

/** A tool call for a scenario. */
export function call(name: string, input: Record<string, unknown> = {}): ScenarioToolCall {
  return { function: { name, arguments: input } };
}

/** A step of a scenario: tool calls. */
export function step(...calls: ScenarioToolCall[]): ScenarioStep {
  return { response: { tool_calls: calls } };
}

/** A folder and a mock endpoint, with methods that run the command. */
export class Bench implements AsyncDisposable {
  readonly folder: string;
  /** A folder for temporary files, as a command that is killed leaves its own. */
  readonly temporary: string;
  readonly address: string;
  readonly key = "sk-very-secret-key";
  readonly #root: string;
  #seen = 0;
  readonly #app: ReturnType<typeof mockApp>;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #end: AbortController;

  static async open(scenarios: unknown[]): Promise<Bench> {
    const end = new AbortController();
    const app = mockApp({
      scenarios: parseScenarios({ scenarios }, "test"),
      strict: true,
      signal: end.signal,
    });
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => app.fetch(request),
    );
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-test-" }));
    const bench = new Bench(root, app, server, end);
    await Deno.mkdir(bench.folder);
    await Deno.mkdir(bench.temporary);
    await bench.#writeProgram("llmcmd", `exec ${bench.commandLine()} "$@"`);
    await bench.#writeProgram(
      "llmcmd_with",
      `flags=()
while [[ $1 != -- ]]; do flags+=("$1"); shift; done
shift
exec ${bench.commandLine(['"${flags[@]}"'])} "$@"`,
    );
    return bench;
  }

  private constructor(
    root: string,
    app: ReturnType<typeof mockApp>,
    server: Deno.HttpServer<Deno.NetAddr>,
    end: AbortController,
  ) {
    this.#root = root;
    this.folder = `${root}/work`;
    this.temporary = `${root}/tmp`;
    this.address = `127.0.0.1:${server.addr.port}`;
    this.#app = app;
    this.#server = server;
    this.#end = end;
  }

  async #writeProgram(name: string, script: string): Promise<void> {
    await Deno.mkdir(`${this.#root}/bin`, { recursive: true });
    await Deno.writeTextFile(`${this.#root}/bin/${name}`, `#!/bin/bash\n${script}\n`, {
      mode: 0o755,
    });
  }

  /** The number of requests to the mock since the last call of this method. */
  requests(): number {
    const { total } = this.#app.mock.journal;
    const fresh = total - this.#seen;
    this.#seen = total;
    return fresh;
  }

  /** The flags that the manual names for work inside the folder. */
  flags(): string[] {
    return [
      `--allow-read=${this.folder}`,
      `--allow-write=${this.folder}`,
      `--allow-net=${this.address}`,
      `--allow-env=${VARIABLES.join(",")}`,
    ];
  }

  /** The environment of a run; a value of `undefined` unsets. */
  environment(more: Record<string, string | undefined> = {}): Record<string, string> {
    const all: Record<string, string | undefined> = {
      HOME: this.folder,
      TMPDIR: this.temporary,
      PATH: `${this.#root}/bin:${Deno.env.get("PATH")}`,
      LC_ALL: "C.UTF-8",
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      OPENAI_API_KEY: this.key,
      OPENAI_BASE_URL: `http://${this.address}/v1`,
      ...more,
    };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
    );
  }

  /** A `deno run` of the command, ready for a shell line. */
  commandLine(flags: readonly string[] = this.flags()): string {
    return [Deno.execPath(), "run", "--quiet", "--no-prompt", "--no-check", ...flags, PROGRAM].join(
      " ",
    );
  }

  /** Starts the command itself, without a shell. */
  start(
    args: string[],
    more: { env?: Record<string, string | undefined> } = {},
  ): Deno.ChildProcess {
    const [program = "", ...first] = this.commandLine().split(" ");
    return new Deno.Command(program, {
      args: [...first, ...args],
      cwd: this.folder,
      clearEnv: true,
      env: this.environment(more.env),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  /**
   * Runs a bash script in the folder. In the script, `llmcmd` is the command with the flags of the
   * manual; `llmcmd_with FLAGS... -- ARGUMENTS...` has only the given flags.
   */
  async sh(
    script: string,
    more: { env?: Record<string, string | undefined> } = {},
  ): Promise<Outcome> {
    const output = await new Deno.Command("bash", {
      args: ["--norc", "-c", script],
      cwd: this.folder,
      clearEnv: true,
      env: this.environment(more.env),
      stdin: "null",
    }).output();
    return outcomeOf(output);
  }

  /**
   * Runs the command in the folder once for each list of arguments, all in one process, which is
   * much faster; with all permissions and an empty standard input.
   */
  async runAll(
    runs: readonly { args: readonly string[]; env?: Record<string, string | undefined> }[],
  ): Promise<RunOutcome[]> {
    return await runAll(
      this.#root,
      runs.map(({ args, env }) => ({ args, env: this.environment(env), cwd: this.folder })),
    );
  }

  /** Writes a file in the folder. */
  async write(name: string, contents: string | Uint8Array): Promise<void> {
    if (typeof contents === "string") await Deno.writeTextFile(`${this.folder}/${name}`, contents);
    else await Deno.writeFile(`${this.folder}/${name}`, contents);
  }

  /** The text of a file in the folder. */
  read(name: string): Promise<string> {
    return Deno.readTextFile(`${this.folder}/${name}`);
  }

  /** Names of the files in the folder. */
  names(): string[] {
    return [...Deno.readDirSync(this.folder)].map(({ name }) => name).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#server.shutdown();
    await Deno.remove(this.#root, { recursive: true });
  }
}

/** The output and the status of a process. */
export function outcomeOf({ code, signal, stdout, stderr }: Deno.CommandOutput): Outcome {
  const decoder = new TextDecoder();
  return {
    code,
    signal,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
    bytes: stdout,
  };
}
