/** A real `llmcmd proxy` with small scripts in place of CLI agents. */
import assert from "node:assert/strict";
import OpenAI from "openai";
import { PROGRAM } from "./_program.ts";

const CONFIG = new URL("../deno.json", import.meta.url).pathname;
/** The seconds that the sleeping script sleeps; they identify its process. */
export const SLEEP = "98761.5";

/** The scripts of the models, by name. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  // It prints the text of AGENTS.md, with which the prompt begins.
  obey: "head -n 1",
  blocks: 'echo "reading files"; echo; echo "The answer."; echo "On two lines."; cat >/dev/null',
  fails: 'cat >/dev/null; echo "cannot log in" >&2; exit 3',
  sleeps: `cat >/dev/null; sleep ${SLEEP} & sleep ${SLEEP}`,
  edits: "cat >/dev/null; echo changed >>file.txt; echo new >made.txt; echo Edited.",
};

/** A proxy in a temporary folder. */
export class Proxy implements AsyncDisposable {
  readonly folder: string;
  url = "";
  key = "";
  #child: Deno.ChildProcess | undefined;
  #said = "";
  #reading: Promise<void> | undefined;

  private constructor(folder: string, readonly env: Record<string, string>) {
    this.folder = folder;
  }

  /** Starts a proxy with these entries and variables besides the usual ones. */
  static async start(
    more: Record<string, unknown> = {},
    env: Record<string, string> = {},
  ): Promise<Proxy> {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "proxy-" }));
    const proxy = new Proxy(folder, env);
    await Deno.mkdir(`${proxy.folder}/repo`);
    await Deno.writeTextFile(`${proxy.folder}/repo/AGENTS.md`, "Say PINEAPPLE.\n");
    const models: Record<string, unknown> = { ...more };
    for (const [name, script] of Object.entries(SCRIPTS)) {
      await Deno.writeTextFile(`${proxy.folder}/${name}`, `#!/bin/sh\n${script}\n`);
      await Deno.chmod(`${proxy.folder}/${name}`, 0o755);
      models[name] ??= { driver: "generic", command: `./${name}`, repoPath: "repo" };
    }
    await Deno.writeTextFile(`${proxy.folder}/models.json`, JSON.stringify(models));
    await proxy.open();
    return proxy;
  }

  async open(): Promise<void> {
    const child = this.#child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--no-check", "--allow-all"],
        ...[`--config=${CONFIG}`, PROGRAM, "proxy", "--port", "0"],
      ],
      cwd: this.folder,
      env: {
        HOME: this.folder,
        XDG_STATE_HOME: `${this.folder}/state`,
        // Deno's own cache, which another HOME would make an empty one.
        DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
        NO_COLOR: "1",
        ...this.env,
      },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    this.#said = "";
    let ready = () => {};
    const isReady = new Promise<void>((resolve) => ready = resolve);
    this.#reading = (async () => {
      for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
        this.#said += text;
        if (this.#said.includes("export OPENAI_BASE_URL=")) ready();
      }
      ready();
    })();
    await isReady;
    this.url = /export OPENAI_BASE_URL=(\S+)/.exec(this.#said)?.[1] ?? assert.fail(this.#said);
    this.key = (await Deno.readTextFile(`${this.folder}/state/llmcmd/key`)).trim();
  }

  get client(): OpenAI {
    return new OpenAI({ baseURL: this.url, apiKey: this.key });
  }

  async ask(
    model: string,
    more: Record<string, unknown> = {},
    key = this.key,
  ): Promise<{ response: Response; body: ReturnType<typeof JSON.parse> }> {
    const response = await fetch(`${this.url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }], ...more }),
    });
    return { response, body: JSON.parse(await response.text()) };
  }

  async get(path: string): Promise<Response> {
    return await fetch(`${this.url}${path}`, { headers: { authorization: `Bearer ${this.key}` } });
  }

  /** Runs git in the models' repository. */
  async git(...args: string[]): Promise<string> {
    const { stdout } = await new Deno.Command("git", {
      args: ["-C", `${this.folder}/repo`, "-c", "user.name=a", "-c", "user.email=a@b", ...args],
    }).output();
    return new TextDecoder().decode(stdout);
  }

  /** Makes the models' folder a repository, with `file.txt` in its first commit. */
  async initRepo(): Promise<void> {
    await this.git("init", "-q");
    await Deno.writeTextFile(`${this.folder}/repo/file.txt`, "first\n");
    await this.git("add", ".");
    await this.git("commit", "-qm", "first");
  }

  /** Ends the proxy; resolves to its standard error. */
  async end(signal: Deno.Signal): Promise<string> {
    this.#child?.kill(signal);
    await this.#child?.status;
    await this.#reading;
    this.#child = undefined;
    return this.#said;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child !== undefined) await this.end("SIGTERM");
    await Deno.remove(this.folder, { recursive: true });
  }
}
