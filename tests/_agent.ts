/** Runs `llmcmd agent` in a folder with a mock endpoint: in a pipe, and on a terminal of tmux. */
import assert from "node:assert/strict";
import { parseScenarios } from "../src/mock/mod.ts";
import { type SessionStore, sqliteSessionStore } from "../src/store/mod.ts";
import { openDatabase } from "../src/sys/mod.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import spec from "../scenarios/spec.json" with { type: "json" };
import { processes } from "./_processes.ts";
import { runAll, type RunOutcome } from "./_runs.ts";
import { Tmux } from "./_tmux.ts";
import { PROGRAM } from "./_program.ts";

/** Arguments of deno for `llmcmd agent`. */
export const COMMAND = ["run", "--quiet", "--no-prompt", "--allow-all", PROGRAM, "agent"];

const call = (...commands: string[]) => ({
  response: {
    tool_calls: commands.map((command) => ({ function: { name: "bash", arguments: { command } } })),
  },
});
const small = (name: string, system_contains: string, content: string) => ({
  ...{ name, trigger: "", match: { model: "small", system_contains } },
  steps: [{ response: { content } }],
});
const scenarios = (more: readonly unknown[]) =>
  parseScenarios({
    ...spec,
    scenarios: [
      ...more,
      small("title", "Give the conversation a title", "A short title"),
      small("summary", "You summarise the work", "Goal: to say it all shorter"),
      ...spec.scenarios,
      {
        name: "background",
        trigger: "leave something",
        steps: [
          call("sleep 87654 & setsid sleep 87654 & echo started"),
          { response: { content: "It runs." } },
        ],
      },
      { name: "hang", trigger: "hang", steps: [call("sleep 87654; echo never")] },
      { name: "two", trigger: "two commands", steps: [call("echo first", "sleep 87654")] },
      {
        name: "long",
        trigger: "tell a lot",
        steps: [{ response: { content: "word ".repeat(2500) } }],
      },
      {
        name: "work",
        trigger: "work on and on",
        steps: Array.from({ length: 20 }, (_, at) => call(`echo ${at}`)),
      },
      {
        name: "files",
        trigger: "edit the files",
        steps: [
          {
            response: {
              tool_calls: [
                ["read_file", { path: "~/latin.txt", limit: "1" }],
                ["edit_file", {
                  path: "~/latin.txt",
                  old_string: "\u00e4\n",
                  new_string: "\u00fc\n",
                }],
                ["edit_file", { path: "a.txt", old_string: "x = 1", new_string: "x = 2" }],
                ["edit_file", { path: "a.txt", old_string: "x\u00a0= 1", new_string: "x = 2" }],
              ].map(([name, input]) => ({ function: { name, arguments: input } })),
            },
          },
          { response: { content: "Changed." } },
        ],
      },
      {
        name: "keep",
        trigger: "keep my key",
        steps: [
          {
            response: {
              tool_calls: [
                { function: { name: "write_file", arguments: { path: ".ssh/key", content: "k" } } },
              ],
            },
          },
          { response: { content: "That is it." } },
        ],
      },
      { name: "other", trigger: "again", steps: [{ response: { content: "Still here." } }] },
    ],
  }, "agent.json");

/** The end of a process. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** The fields of a request that tests use. */
export interface Asked {
  messages: { role: string; content: string }[];
  model: string;
}

/** A folder with a mock endpoint, in which `llmcmd agent` runs. */
export class Place implements AsyncDisposable {
  readonly folder = Deno.makeTempDirSync({ prefix: "agent-" });
  /** A folder for temporary files, as an agent that is killed leaves its own. */
  readonly #temporary = Deno.makeTempDirSync({ prefix: "agent-tmp-" });
  /** Requests of turns, and below those without tools: for titles and summaries. */
  readonly requests: Asked[] = [];
  readonly asked: Asked[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  /** Answers wait for this promise. */
  gate: Promise<void> = Promise.resolve();

  /** `more` are scenarios that come before the usual ones. */
  constructor(more: readonly unknown[] = []) {
    // Strict, so that it refuses a call without a result in a conversation, as endpoints do.
    const mock = mockApp({ scenarios: scenarios(more), strict: true });
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async (request) => {
        const body = await request.clone().json();
        // Titles are requested while the conversation goes on.
        if (body.tools !== undefined) this.requests.push(body);
        else this.asked.push(body);
        if (body.tools !== undefined) await this.gate;
        return await mock.fetch(request);
      },
    );
  }

  /** The folder of the sessions. */
  get state(): string {
    return `${this.folder}/.state/llmcmd`;
  }

  get env(): Record<string, string> {
    return {
      // The tests must not use a developer's own configuration.
      HOME: this.folder,
      TMPDIR: this.#temporary,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      XDG_CONFIG_HOME: `${this.folder}/.config`,
      XDG_STATE_HOME: `${this.folder}/.state`,
      LLM_BASE_URL: `http://127.0.0.1:${this.#server.addr.port}/v1`,
      LLM_AUTH_TOKEN: "sk-secret",
      LLM_SMALL_FAST_MODEL: "small",
    };
  }

  spawn(env: Record<string, string>, ...args: string[]): Deno.ChildProcess {
    return new Deno.Command(Deno.execPath(), {
      args: [...COMMAND, ...args],
      cwd: this.folder,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  /** Runs the agent to its end. The first of the remaining arguments may be an environment. */
  async run(input: string, ...rest: (string | Record<string, string>)[]): Promise<Outcome> {
    const args = rest.filter((it) => typeof it === "string");
    const env = rest.find((it) => typeof it === "object") ?? this.env;
    const child = this.spawn(env, "--sandbox=none", ...args);
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  }

  /**
   * Runs the agent several times, one after the other, in one process, which is much faster.
   * Standard input is empty. Sessions are stored in `.state` of the folder unless a variable says
   * otherwise.
   */
  runAll(
    runs: readonly { args: readonly string[]; env?: Record<string, string> }[],
  ): Promise<RunOutcome[]> {
    return runAll(
      this.folder,
      runs.map(({ args, env }) => ({
        args: ["agent", "--sandbox=none", ...args],
        env: { ...this.env, ...env },
      })),
    );
  }

  /** Calls `use` with the store of the sessions. */
  async withStore<Result>(
    use: (store: SessionStore) => Promise<Result>,
    state = this.state,
  ): Promise<Result> {
    const store = sqliteSessionStore(await openDatabase(`${state}/web.sqlite`));
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  }

  /** The session that was changed last: its id, its title, and its lines without line breaks. */
  session(): Promise<{ id: string; title: string; lines: string[] }> {
    return this.withStore(async (store) => {
      const [{ id, title } = { id: "", title: "" }] = await store.list({}, 1);
      return { id, title, lines: (await store.lines(id)).map((line) => line.trimEnd()) };
    });
  }

  /** Stores a session with these lines, given without line breaks. */
  store(
    { id, root = this.folder, title, lines: [first = "", ...rest], state }: {
      id: string;
      root?: string;
      title: string;
      lines: readonly string[];
      state?: string;
    },
  ): Promise<void> {
    return this.withStore(async (store) => {
      const time = Date.now();
      await store.create({ id, owner: "", root, time, first: { line: `${first}\n`, title } });
      for (const line of rest) await store.append(id, `${line}\n`, time);
    }, state);
  }

  /** The user's message of the last request. */
  last(): string {
    return this.requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.content ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
    await Deno.remove(this.folder, { recursive: true });
    await Deno.remove(this.#temporary, { recursive: true });
  }
}

/** The number of processes in a folder that the scenarios started. */
export async function survivors(folder: string): Promise<number> {
  return (await processes()).filter(({ command, cwd }) =>
    command.startsWith("sleep\u000087654") && cwd === folder
  ).length;
}

/** Waits until `count` of them run. */
export async function untilCount(folder: string, count: number): Promise<void> {
  for (let attempt = 0; attempt < 4_800; attempt++) {
    if (await survivors(folder) === count) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.equal(await survivors(folder), count);
}

/** A terminal of tmux with the agent in it. */
export class Terminal extends Tmux {
  static async open(place: Place, term?: string, ...args: string[]): Promise<Terminal> {
    // A tmux server that is about to end still holds its socket.
    const terminal = new Terminal(`${place.folder}/tmux-${crypto.randomUUID().slice(0, 8)}`);
    const env = { ...place.env, ...term === undefined ? {} : { TERM: term } };
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const command = [Deno.execPath(), ...COMMAND, "--sandbox=none", ...args];
    // A terminal shows colours, even if the tests run without them.
    const line = ["env", "-u", "NO_COLOR", ...variables, ...command].join(" ");
    await terminal.start(place.folder, 80, 40, `${line}; echo "status $?"; stty -a; exec cat`);
    await terminal.until(/^You:$/m);
    return terminal;
  }
}
