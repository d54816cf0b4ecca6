/** Runs `llmcmd serve` as a process, with a mock endpoint. */
import assert from "node:assert/strict";
import type { ScenarioFile } from "../src/mock/mod.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import { PROGRAM } from "./_program.ts";

/** Options of a server. */
export interface ServingOptions {
  /** Arguments besides the port. */
  readonly args: string[];
  /** The answers of the mock. */
  readonly scenarios: ScenarioFile;
  /** Arguments of deno, if not those for `llmcmd serve`. */
  readonly command?: string[];
  /** More variables. */
  readonly env?: Record<string, string>;
}

/** Runs `llmcmd serve` in a temporary folder, with a mock endpoint. */
export async function serving(
  { args, scenarios, command, env }: ServingOptions,
  use: (host: { start(): Promise<Served>; folder: string }) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "serve-" });
  // A server that is killed leaves its temporary files.
  const temporary = await Deno.makeTempDir({ prefix: "serve-tmp-" });
  const mock = mockApp({ scenarios });
  const endpoint = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => mock.fetch(request),
  );
  const started: Served[] = [];
  try {
    await use({
      folder,
      start: async () => {
        const served = await Served.start(folder, endpoint.addr.port, args, command, {
          TMPDIR: temporary,
          ...env,
        });
        started.push(served);
        return served;
      },
    });
  } finally {
    for (const served of started) await served.end("SIGKILL");
    await endpoint.shutdown();
    await Deno.remove(folder, { recursive: true });
    await Deno.remove(temporary, { recursive: true });
  }
}

/** A running server. */
export class Served {
  said = "";
  readonly #child: Deno.ChildProcess;
  #reading: Promise<void> = Promise.resolve();
  #status: Promise<Deno.CommandStatus> | undefined;
  url = "";
  /** Headers of its requests. */
  headers: Record<string, string> = {};

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
  }

  static async start(
    folder: string,
    endpoint: number,
    args: string[],
    command = ["run", "--quiet", "--no-prompt", "--allow-all", PROGRAM, "serve"],
    env: Record<string, string> = {},
  ): Promise<Served> {
    const served = new Served(
      new Deno.Command(Deno.execPath(), {
        args: [...command, "--port=0", ...args],
        cwd: folder,
        env: {
          ...env,
          XDG_STATE_HOME: `${folder}/.state`,
          LLM_BASE_URL: `http://127.0.0.1:${endpoint}/v1`,
          LLM_AUTH_TOKEN: "sk-secret",
        },
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).spawn(),
    );
    await new Promise<void>((resolve) => {
      served.#reading = (async () => {
        for await (const text of served.#child.stderr.pipeThrough(new TextDecoderStream())) {
          served.said += text;
          served.url = /http:\/\/127\.0\.0\.1:\d+/.exec(served.said)?.[0] ?? "";
          if (served.url !== "") resolve();
        }
        resolve();
      })();
    });
    if (served.url === "") await served.#child.status;
    assert.notEqual(served.url, "", served.said);
    const token = env["LLMCMD_SERVE_TOKEN"] ??
      await Deno.readTextFile(`${folder}/.state/llmcmd/key`).catch(() => "");
    served.headers = { authorization: `Bearer ${token.trim()}` };
    return served;
  }

  get pid(): number {
    return this.#child.pid;
  }

  async end(signal: Deno.Signal): Promise<Deno.CommandStatus> {
    if (this.#status === undefined) {
      this.#child.kill(signal);
      this.#status = this.#child.status;
    }
    await this.#reading;
    return await this.#status;
  }

  get(path: string, headers: Record<string, string> = this.headers): Promise<Response> {
    return fetch(this.url + path, { headers });
  }

  post(path: string, body: unknown, headers = this.headers): Promise<Response> {
    return fetch(this.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }
}
