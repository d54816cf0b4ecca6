/** A chat with a mock endpoint, its page in Chromium, and helpers for tests. */
import spec from "../scenarios/spec.json" with { type: "json" };
import {
  approvedTools,
  coderTools,
  type Conversation,
  Conversations,
  run,
} from "../src/coder/mod.ts";
import { type Message, openaiClient } from "../src/llm/mod.ts";
import { mergeScenarios, parseScenarios } from "../src/mock/mod.ts";
import { memorySessionStore, type SessionStore } from "../src/store/mod.ts";
import { hostFs } from "../src/sys/mod.ts";
import { CommandSession } from "../src/terminal/mod.ts";
import { hostVfs } from "../src/vfs/mod.ts";
import { type ChatApp, chatApp } from "../src/web/chat/mod.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import { type ChromiumPage, sharedChromium } from "./_chromium.ts";
import { optional } from "./_optional.ts";

const MARKDOWN = `Here is **bold**, \`code\` and a [link](https://example.com/).

\`\`\`ts
const fish = "\u{1f41f}"; // <script>alert(1)</script>
\`\`\`

1. One
2. [Not a link](javascript:alert(1))

<img src=x onerror="document.title='hacked'">`;

const LONG_CODE = `This is the whole module:

\`\`\`ts
${
  Array.from({ length: 80 }, (_, n) =>
    `export const value${n} = ${"compute(".repeat(n % 12)}${n}${")".repeat(n % 12)};`).join("\n")
}
\`\`\`

| file | lines | what it is for and why it is so long that a phone has no room for it |
|---|---|---|
| src/very/deep/folder/with_a_long_name.ts | 1,234 | ${"words ".repeat(12)}|

And_one_word_without_any_space_${"x".repeat(120)}.`;

const REPORT = `The first paragraph.

A [link][later] and more.

\`\`\`js
const a = 1;
let b;
\`\`\`

- [x] done
- [ ] to do

| n | text |
|--:|------|
| 12 | a<br>b |

${"More words follow. ".repeat(10)}

[later]: https://example.com/later`;

const call = (name: string, input: unknown) => ({
  response: { tool_calls: [{ function: { name, arguments: JSON.stringify(input) } }] },
});
const say = (content: string) => ({ response: { content } });

const SCENARIOS = mergeScenarios([
  parseScenarios({
    scenarios: [
      { name: "markdown", trigger: "markdown", steps: [say(MARKDOWN)] },
      { name: "long", trigger: "long code", steps: [say(LONG_CODE)] },
      {
        name: "report",
        trigger: "Stream a report",
        steps: [{ ...say(REPORT), fault: { chunk_delay: 30 } }],
      },
      {
        name: "slow",
        trigger: "slowly",
        steps: [{ ...say("word ".repeat(200)), fault: { chunk_delay: 50 } }],
      },
      {
        name: "mend",
        trigger: "Mend",
        steps: [
          call("write_file", { path: "fish.py", content: "def fish():\n    return 'shark'\n" }),
          call("edit_file", { path: "fish.py", old_string: "'shark'", new_string: "'carp'" }),
          call("edit_file", { old_string: "'whale'", new_string: "'carp'", path: "fish.py" }),
          call("bash", { command: "seq 1 400; ls missing" }),
          say("Two of four went well."),
        ],
      },
      {
        name: "live",
        trigger: "live",
        steps: [
          call("bash", {
            command: "echo building; echo still building; until [ -e go ]; do sleep 0.05; done",
          }),
          say("It is built."),
        ],
      },
      {
        name: "asks",
        trigger: "Read my keys",
        steps: [
          {
            response: {
              tool_calls: [
                { function: { name: "read_file", arguments: { path: "keys/a" } } },
                { function: { name: "write_file", arguments: { path: "keys/b", content: "b" } } },
                { function: { name: "read_file", arguments: { path: "keys/a" } } },
              ],
            },
          },
          { ...say("That is all."), fault: { chunk_delay: 200 } },
        ],
      },
      { name: "broken", trigger: "broken", steps: [{ fault: { status: 400 }, ...say("") }] },
    ],
  }, "page.json"),
  parseScenarios(spec, "spec.json"),
]);

/** Cuts bytes into single ones, so that chunks end inside characters, too. */
function torn(response: Response): Response {
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at++) controller.enqueue(chunk.subarray(at, at + 1));
    },
  });
  return new Response(response.body?.pipeThrough(cut) ?? null, response);
}

/** An expression for the texts of all matching elements in the page. */
export const texts = (selector: string): string =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].map((it) => it.textContent)`;

/** Expressions that tests use. */
export const LOG = "document.getElementById('log').innerText";
export const DONE = "!document.getElementById('send').hidden";

/** The folder that the page shows. */
const ROOT = "/home/ada/projects/fish";

/** A chat that is open on a page. */
export class ChatOnPage {
  readonly page: ChromiumPage;
  /** The working folder of the agent. */
  readonly root: string;
  readonly #runner: CommandSession;
  /** The number of changes that other programs have made. */
  #changes = 0;
  /** The conversation that another program has open. */
  #beside: Conversation | undefined;
  readonly #store: SessionStore = {
    ...memorySessionStore(),
    changes: () => Promise.resolve(this.#changes),
  };
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  #port = 0;
  #open: ChatApp | undefined;

  constructor(page: ChromiumPage, root: string) {
    this.page = page;
    this.root = root;
    this.#runner = new CommandSession({ cwd: root });
  }

  get app(): ChatApp {
    if (this.#open === undefined) throw new Error("The server is stopped");
    return this.#open;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the server, on its former port if it had one. */
  start(): void {
    const mock = mockApp({ scenarios: SCENARIOS });
    const client = openaiClient({
      apiKey: "sk-secret",
      baseUrl: "http://mock/v1",
      fetch: async (url, init) => await mock.fetch(new Request(url, init)),
    });
    const vfs = hostVfs(hostFs(), { root: this.root, hidden: [`${this.root}/keys`] });
    const runner = this.#runner;
    const like = coderTools({ vfs, runner });
    const app = this.#open = chatApp({
      store: this.#store,
      writers: {
        own: () => Promise.resolve({ program: "llmcmd serve", pid: 1, lock: "serve" }),
        isAlive: ({ lock }) => Promise.resolve(lock === "agent" && this.#beside !== undefined),
      },
      limits: { others: 20 },
      about: {
        root: ROOT,
        model: "mock",
        sandbox: { kind: "none", reason: "a test" },
      },
      startTurn: ({ message, messages, log, signal, onOutput, ask, grants }) =>
        run({
          ...{
            input: message,
            messages,
            log,
            signal,
            onOutput,
            client,
            model: "mock",
            vfs,
            runner,
          },
          tools: approvedTools({ vfs, runner, like, approvals: { ask, grants } }),
        }),
    });
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: this.#port, onListen() {} },
      async (request) => {
        const response = await app.fetch(request);
        return request.url.endsWith("/chat") ? torn(response) : response;
      },
    );
    this.#port = this.#server.addr.port;
  }

  async stop(): Promise<void> {
    await this.#open?.stop();
    await this.#server?.shutdown();
    this.#open = this.#server = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#runner[Symbol.asyncDispose]();
  }

  /** Acts as another program that has a session open, and adds messages to it. */
  async beside(session: string, ...messages: Message[]): Promise<void> {
    if (this.#beside === undefined) {
      const own = { program: "llmcmd agent", pid: 7, lock: "agent" };
      const all = new Conversations({
        ...{ store: this.#store, root: ROOT, model: "mock" },
        writers: { own: () => Promise.resolve(own), isAlive: () => Promise.resolve(false) },
      });
      this.#beside = await all.open(session);
    }
    const { log } = this.#beside;
    const time = new Date().toISOString();
    for (const message of messages) await log.append({ type: "message", time, message });
    this.#changes++;
  }

  /** Kills that program. */
  killBeside(): void {
    this.#beside = undefined;
  }

  /** Writes a message and sends it. */
  async say(text: string): Promise<void> {
    await this.page.evaluate("document.getElementById('input').focus()");
    await this.page.type(text);
    await this.page.press("Enter");
  }

  /** Sends a message and waits for the end of its turn. */
  async turn(text: string): Promise<void> {
    const users = "document.querySelectorAll('.user').length";
    const before = await this.page.evaluate<number>(users);
    await this.say(text);
    await this.page.until(`${users} > ${before} && ${DONE}`);
  }
}

const openPage = sharedChromium();

/** A test with a chat on a page; problems that the page reports fail it. */
export function pageTest(name: string, test: (chat: ChatOnPage) => Promise<void>): void {
  Deno.test({
    ...optional(name, "chromium"),
    async fn() {
      const root = await Deno.makeTempDir({ prefix: "web-page-" });
      try {
        await using page = await openPage();
        const chat = new ChatOnPage(page, root);
        try {
          chat.start();
          await page.open(chat.url);
          await test(chat);
        } finally {
          await chat.close();
        }
      } finally {
        await Deno.remove(root, { recursive: true });
      }
    },
  });
}

/** Takes a screenshot, and stores it in the folder of `LLMCMD_PICTURES`, if that is set. */
export async function picture(
  { page }: ChatOnPage,
  name: string,
  width: number,
  height: number,
): Promise<void> {
  const image = await page.picture(width, height);
  const folder = Deno.env.get("LLMCMD_PICTURES");
  if (folder !== undefined) await Deno.writeFile(`${folder}/${name}.png`, image);
}
