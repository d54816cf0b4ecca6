import assert from "node:assert/strict";
import { Place, type Program, say, shows } from "./_desktop.ts";
import { type Missing, missing, optional } from "./_optional.ts";
import { processes } from "./_processes.ts";
import { PROGRAM } from "./_program.ts";

const MAIN = new URL("../desktop/main.js", import.meta.url).pathname;
const DOUBLE = new URL("./_electron.cjs", import.meta.url).pathname;
/** Requirements of the tests: Chromium, and a Node of at least the version in Electron. */
const NEEDS = [missing("chromium"), missing("node") ?? await oldNode()];

async function oldNode(): Promise<Missing | undefined> {
  const { stdout } = await new Deno.Command("node", { args: ["--version"] }).output();
  const version = new TextDecoder().decode(stdout).trim();
  if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20) return undefined;
  return { reason: `node is ${version}: it takes version 20` };
}

/** A port without a listener. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** The app, run by Node with a double of Electron and driven by a test. */
class ElectronApp {
  readonly program: Program;
  readonly origin: string;
  #id = 0;

  constructor(place: Place, port: number, env: Record<string, string> = {}) {
    this.origin = `http://127.0.0.1:${port}`;
    this.program = place.start("node", ["--require", DOUBLE, MAIN], {
      LLMCMD_DESKTOP_PORT: String(port),
      LLMCMD_DESKTOP_FOLDER: place.folder,
      LLMCMD_SERVE_TOKEN: "",
      PATH: `${place.root}:${Deno.env.get("PATH")}`,
      ...env,
    });
  }

  /** Actions of the app, by kind of event. */
  events(kind: string): Record<string, unknown>[] {
    return this.program.lines.map((line) => JSON.parse(line)).filter(({ event }) => event === kind);
  }

  async ask<Result>(method: string, value?: unknown): Promise<Result> {
    const id = ++this.#id;
    await this.program.write(JSON.stringify({ id, method, value }));
    const line = await this.program.until(() =>
      this.program.lines.find((line) => JSON.parse(line).id === id)
    );
    const { result, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(error);
    return result;
  }

  evaluate<Result>(expression: string): Promise<Result> {
    return this.ask("evaluate", expression);
  }

  async type(text: string): Promise<void> {
    await this.ask("type", text);
  }

  async press(key: string): Promise<void> {
    await this.ask("press", key);
  }

  /** Waits until an expression is true in the page, also across navigations. */
  async shows(expression: string): Promise<void> {
    await this.program.until(async () => {
      try {
        return await this.evaluate(`!!(${expression})`) ? true : undefined;
      } catch (error) {
        // The page changed meanwhile.
        if (/context|crashed|navigated/.test(String(error))) return undefined;
        throw error;
      }
    });
  }

  /** Waits for the notice with this title; resolves to its text. */
  async notice(title: string): Promise<string> {
    const has = `document.querySelector("h1")?.textContent === ${JSON.stringify(title)}`;
    await this.shows(has);
    return await this.evaluate("document.querySelector('pre')?.textContent");
  }
}

/** An expression that is true once the chat is shown. */
const CHAT = "document.querySelector('.empty')";

async function answers(origin: string): Promise<boolean> {
  try {
    await (await fetch(`${origin}/health`)).body?.cancel();
    return true;
  } catch {
    return false;
  }
}

Deno.test({
  ...optional(
    "the Electron app shows the chat of a server that it starts, and ends it when it is closed",
    ...NEEDS,
  ),
  async fn() {
    await using place = await Place.open();
    const app = new ElectronApp(place, freePort());
    await app.shows(CHAT);
    assert.equal(await app.evaluate("location.href"), `${app.origin}/`);
    const [window] = app.events("window");
    assert.partialDeepStrictEqual(window, {
      options: {
        width: 900,
        height: 700,
        webPreferences: { nodeIntegration: false, contextIsolation: true, sandbox: true },
      },
    });
    // Other users of this machine have no access.
    const refused = await fetch(`${app.origin}/sessions`);
    assert.equal(refused.status, 401);
    await refused.body?.cancel();
    await say(app, "Please do a hello world");
    await app.shows(shows("outputs 'Hello, World!'"));
    assert.equal(await Deno.readTextFile(`${place.folder}/hello.py`), "print('Hello, World!')");
    await say(app, "hang");
    await place.untilProcesses(3, /^sleep 98765/);
    await app.ask("secondInstance");
    assert.equal(app.events("focus").length, 1);
    await app.ask("close");
    const { code } = await app.program.status;
    assert.deepEqual([code, app.program.said], [0, ""]);
    assert.deepEqual(await place.processes(), []);
    assert.deepEqual(place.temporary(), []);
    assert.equal(await answers(app.origin), false);
  },
});

Deno.test({
  ...optional(
    "the Electron app keeps its page within the server, and gives it one permission",
    ...NEEDS,
  ),
  async fn() {
    await using place = await Place.open();
    const app = new ElectronApp(place, freePort());
    await app.shows(CHAT);
    const outside = "https://example.com/a?b";
    for (
      const url of [
        outside,
        "http://127.0.0.1:9/",
        `${app.origin.replace("127.0.0.1", "localhost")}/`,
      ]
    ) {
      const seen = app.events("navigate").length;
      await app.evaluate(`location.href = ${JSON.stringify(url)}; 0`);
      await app.program.until(() => app.events("navigate")[seen]);
      assert.deepEqual(app.events("navigate")[seen], { event: "navigate", url, prevented: true });
      assert.equal(await app.evaluate("location.href"), `${app.origin}/`);
      assert.deepEqual(app.events("outside")[seen], { event: "outside", url });
    }
    await app.evaluate(`window.open(${JSON.stringify(outside)}, "", "noopener"); 0`);
    await app.evaluate("window.open('file:///etc/passwd'); window.open('about:blank'); 0");
    await app.program.until(() => app.events("window-open")[1]);
    assert.ok(app.events("window-open").every(({ action }) => action === "deny"));
    assert.deepEqual(app.events("outside").slice(3), [{ event: "outside", url: outside }]);
    // Within the server's origin the page works as in a browser.
    await app.evaluate("location.href = '/?x'; 0");
    await app.program.until(() => app.events("navigate").at(-1)?.prevented === false || undefined);
    await app.shows(CHAT);
    assert.deepEqual(await app.ask("permission", "clipboard-sanitized-write"), [true, true]);
    for (
      const name of ["media", "geolocation", "notifications", "openExternal", "clipboard-read"]
    ) {
      assert.deepEqual(await app.ask("permission", name), [false, false], name);
    }
    await app.ask("crash");
    assert.equal(await app.notice("The page has ended"), "Reason: crashed");
    await app.evaluate("document.querySelector('a').click(); 0");
    await app.shows(CHAT);
    await app.program.end("SIGINT");
    await place.untilProcesses(0);
  },
});

Deno.test({
  ...optional(
    "the Electron app takes a server that runs, with its token, and leaves it running",
    ...NEEDS,
  ),
  async fn() {
    await using place = await Place.open();
    const port = freePort();
    const env = { LLMCMD_SERVE_TOKEN: "open-sesame" };
    const run = ["run", "--quiet", "--no-prompt", "--allow-all", PROGRAM, "serve"];
    const server = place.start(
      Deno.execPath(),
      [...run, `--port=${port}`, "--sandbox=none"],
      env,
    );
    await server.until(() => server.said.includes("http://") || undefined);
    const stranger = new ElectronApp(place, port);
    assert.equal(
      await stranger.notice("The server could not be started"),
      `The server at ${stranger.origin} asks for another token: set LLMCMD_SERVE_TOKEN`,
    );
    await stranger.ask("close");
    assert.equal((await stranger.program.status).code, 0);
    const app = new ElectronApp(place, port, env);
    await app.shows(CHAT);
    assert.equal((await place.processes(/serve --port/)).length, 1);
    await app.ask("close");
    assert.equal((await app.program.status).code, 0);
    assert.equal(await answers(app.origin), true);

    // When that server ends, the app starts a new one.
    const other = new ElectronApp(place, port, env);
    await other.shows(CHAT);
    assert.equal((await server.end("SIGTERM")).signal, "SIGTERM");
    await other.evaluate("location.reload(); 0");
    assert.equal(await other.notice("The server does not answer"), "ERR_CONNECTION_REFUSED");
    await other.evaluate("document.querySelector('a').click(); 0");
    await other.shows(CHAT);
    assert.equal((await place.processes(/serve --port/)).length, 1);
    await other.ask("close");
    assert.equal((await other.program.status).code, 0);
    assert.equal(await answers(app.origin), false);
  },
});

Deno.test({
  ...optional("the Electron app has the token that this user's server keeps", ...NEEDS),
  async fn() {
    await using place = await Place.open();
    const port = freePort();
    const run = ["run", "--quiet", "--no-prompt", "--allow-all", PROGRAM, "serve"];
    const server = place.start(Deno.execPath(), [...run, `--port=${port}`, "--sandbox=none"]);
    await server.until(() => server.said.includes("http://") || undefined);
    const app = new ElectronApp(place, port);
    await app.shows(CHAT);
    assert.equal((await place.processes(/serve --port/)).length, 1);
    await say(app, "how are you");
    await app.shows(shows("thank you for asking!"));
    await app.ask("close");
    assert.deepEqual([(await app.program.status).code, app.program.said], [0, ""]);
    assert.equal(await answers(app.origin), true);
  },
});

Deno.test({
  ...optional("the Electron app says why there is no server, and tries again", ...NEEDS),
  async fn() {
    await using place = await Place.open();
    const title = "The server could not be started";
    const app = new ElectronApp(place, freePort(), { LLM_AUTH_TOKEN: "", OPENAI_API_KEY: "" });
    const missing = /^llmcmd serve: The API key is missing: set LLM_AUTH_TOKEN/;
    assert.match(await app.notice(title), missing);
    // A second attempt has the same result, as the environment is the same.
    await app.evaluate("document.querySelector('h1').textContent = 'Old'; 0");
    await app.evaluate("document.querySelector('a').click(); 0");
    assert.match(await app.notice(title), missing);
    await app.ask("close");
    assert.equal((await app.program.status).code, 0);

    const other = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      () => new Response("<p>Something else</p>"),
    );
    const late = new ElectronApp(place, other.addr.port);
    assert.equal(
      await late.notice(title),
      `Another program is listening at ${late.origin}: end it, or set LLMCMD_DESKTOP_PORT`,
    );
    await other.shutdown();
    await late.evaluate("document.querySelector('a').click(); 0");
    await late.shows(CHAT);
    // When the server ends, the app reports it, and can start it again.
    const [pid] = await pidsOf(place, /serve --port/);
    Deno.kill(pid ?? 0, "SIGKILL");
    assert.match(await late.notice("The server has ended"), /http:\/\/127.*\/\?token=TOKEN$/);
    await late.evaluate("document.querySelector('a').click(); 0");
    await late.shows(CHAT);
    await late.program.end("SIGTERM");
    await place.untilProcesses(0);
  },
});

Deno.test({
  ...optional(
    "the Electron app gives up on a server that does not answer, or can't be started",
    ...NEEDS,
  ),
  async fn() {
    await using place = await Place.open();
    const title = "The server could not be started";
    const silent = await place.script(
      "silent",
      "#!/bin/sh\necho 'not yet' >&2\nexec sleep 98765\n",
    );
    const app = new ElectronApp(place, freePort(), {
      LLMCMD_DESKTOP_COMMAND: silent,
      LLMCMD_DESKTOP_TIMEOUT: "1",
    });
    // The server does not end with its standard input either, so the app kills it.
    const text = app.notice(title);
    await place.untilProcesses(1, /^sleep 98765/);
    assert.equal(await text, "The server did not answer within 1 s: not yet");
    assert.deepEqual(await place.processes(/^sleep 98765/), []);
    await app.ask("close");
    assert.equal((await app.program.status).code, 0);

    const none = new ElectronApp(place, freePort(), { LLMCMD_DESKTOP_COMMAND: "no-such-program" });
    assert.equal(
      await none.notice(title),
      `Cannot start no-such-program in ${place.folder}: it is not installed, or there is no such ` +
        "folder",
    );
    await none.ask("close");
    assert.equal((await none.program.status).code, 0);

    const wrong = new ElectronApp(place, 1, { LLMCMD_DESKTOP_PORT: "http" });
    assert.equal((await wrong.program.status).code, 2);
    assert.equal(
      wrong.program.said,
      "llmcmd: LLMCMD_DESKTOP_PORT is 'http': set it to a number from 1 to 65535\n",
    );
  },
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  Deno.test({
    ...optional(`the Electron app ends everything by ${signal}`, ...NEEDS),
    async fn() {
      await using place = await Place.open();
      const app = new ElectronApp(place, freePort());
      await app.shows(CHAT);
      await say(app, "hang");
      await place.untilProcesses(3, /^sleep 98765/);
      const status = await app.program.end(signal);
      if (signal === "SIGKILL") assert.equal(status.signal, signal);
      else assert.deepEqual([status.code, app.program.said], [0, ""]);
      await place.untilProcesses(0);
      assert.equal(await answers(app.origin), false);
    },
  });
}

async function pidsOf(place: Place, pattern: RegExp): Promise<number[]> {
  return (await processes()).filter(({ command, cwd }) =>
    cwd === place.folder && pattern.test(command.replaceAll("\0", " "))
  ).map(({ pid }) => pid);
}
