/** Drives the command's window, and that of the Electron app, as a user does. */
import assert from "node:assert/strict";
import spec from "../scenarios/spec.json" with { type: "json" };
import { mergeScenarios, parseScenarios } from "../src/mock/mod.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import type { ChromiumPage } from "./_chromium.ts";
import { processes } from "./_processes.ts";

const call = (command: string) => ({
  response: { tool_calls: [{ function: { name: "bash", arguments: { command } } }] },
});

const SCENARIOS = mergeScenarios([
  parseScenarios({
    scenarios: [
      {
        name: "hang",
        trigger: "hang",
        steps: [call("sleep 98765 & setsid sleep 98765 & echo started; sleep 98765")],
      },
    ],
  }, "desktop.json"),
  parseScenarios(spec, "spec.json"),
]);

/**
 * A working folder, a folder for temporary files, and a mock endpoint that the environment names.
 */
export class Place implements AsyncDisposable {
  /** The folder with everything that the programs under test may use. */
  readonly root: string;
  readonly #endpoint: Deno.HttpServer<Deno.NetAddr>;
  readonly #started: Program[] = [];

  static async open(): Promise<Place> {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "desktop-" }));
    for (const name of ["work", "tmp"]) await Deno.mkdir(`${root}/${name}`);
    return new Place(root);
  }

  private constructor(root: string) {
    this.root = root;
    const mock = mockApp({ scenarios: SCENARIOS });
    this.#endpoint = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => mock.fetch(request),
    );
  }

  get folder(): string {
    return `${this.root}/work`;
  }

  /** The environment of programs. */
  get env(): Record<string, string> {
    return {
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      HOME: this.root,
      TMPDIR: `${this.root}/tmp`,
      XDG_STATE_HOME: `${this.root}/state`,
      LLM_BASE_URL: `http://127.0.0.1:${this.#endpoint.addr.port}/v1`,
      LLM_AUTH_TOKEN: "sk-secret",
    };
  }

  /** Writes an executable script. */
  async script(name: string, text: string): Promise<string> {
    const path = `${this.root}/${name}`;
    await Deno.writeTextFile(path, text, { mode: 0o755 });
    return path;
  }

  /** Starts a program in the folder. */
  start(program: string, args: readonly string[], env: Record<string, string> = {}): Program {
    const started = new Program(
      new Deno.Command(program, {
        args: [...args],
        cwd: this.folder,
        env: { ...this.env, ...env },
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    );
    this.#started.push(started);
    return started;
  }

  /** Command lines of the processes that work in the folder or name it in their arguments. */
  async processes(pattern = /./): Promise<string[]> {
    return (await processes())
      .filter(({ command, cwd }) =>
        command !== "" && (cwd.startsWith(this.root) || command.includes(this.root))
      )
      .map(({ command }) => command.replaceAll("\0", " "))
      .filter((line) => pattern.test(line));
  }

  /** Waits for a number of processes. */
  async untilProcesses(count: number, pattern = /./): Promise<void> {
    let found: string[] = [];
    for (let attempt = 0; attempt < 4_800; attempt++) {
      found = await this.processes(pattern);
      if (found.length === count) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    assert.fail(`${count} processes were wanted, not these:\n${found.join("\n")}`);
  }

  /** Names in the folder for temporary files. */
  temporary(): string[] {
    return [...Deno.readDirSync(`${this.root}/tmp`)].map(({ name }) => name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of this.#started) await program.end("SIGKILL");
    await this.#endpoint.shutdown();
    await this.untilProcesses(0);
    await Deno.remove(this.root, { recursive: true });
  }
}

/** A started program and its output. */
export class Program {
  /** Its output on standard error. */
  said = "";
  /** Its lines on standard output. */
  readonly lines: string[] = [];
  readonly status: Promise<Deno.CommandStatus>;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  #ended = false;

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
    const input = child.stdin.getWriter();
    this.#input = input;
    const reading = [
      (async () => {
        for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
          this.said += text;
        }
      })(),
      (async () => {
        let rest = "";
        for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
          const parts = (rest + text).split("\n");
          rest = parts.pop() ?? "";
          this.lines.push(...parts);
        }
      })(),
    ];
    this.status = (async () => {
      const status = await child.status;
      this.#ended = true;
      await Promise.all(reading);
      await input.close().catch(() => {});
      return status;
    })();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Writes a line to standard input. */
  async write(line: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
  }

  /** Sends a signal and waits for the end. */
  async end(signal: Deno.Signal): Promise<Deno.CommandStatus> {
    if (!this.#ended) this.#child.kill(signal);
    return await this.status;
  }

  /** Waits until `look` returns a value; rejects if the program ends before. */
  async until<Value>(look: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
    for (let attempt = 0; attempt < 4_800; attempt++) {
      const value = await look();
      if (value !== undefined) return value;
      if (this.#ended || attempt === 4_799) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    assert.fail(`It did not come${this.#ended ? ", and the program has ended" : ""}: ${this.said}`);
  }
}

/** Sends a message in the chat. */
export async function say(
  page: Pick<ChromiumPage, "evaluate" | "type" | "press">,
  text: string,
): Promise<void> {
  await page.evaluate("document.getElementById('input').focus()");
  await page.type(text);
  await page.press("Enter");
}

/** An expression that is true in the page if no turn runs and the log has a text. */
export function shows(text: string): string {
  return `document.getElementById("log").innerText.includes(${JSON.stringify(text)}) && ` +
    `!document.getElementById("send").hidden`;
}
