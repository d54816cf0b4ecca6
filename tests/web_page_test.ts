import assert from "node:assert/strict";
import spec from "../scenarios/spec.json" with { type: "json" };
import { run } from "../src/coder/mod.ts";
import { openaiClient } from "../src/llm/mod.ts";
import { mergeScenarios, parseScenarios } from "../src/mock/mod.ts";
import { memorySessionStore } from "../src/store/mod.ts";
import { hostFs } from "../src/sys/mod.ts";
import { CommandSession } from "../src/terminal/mod.ts";
import { hostVfs } from "../src/vfs/mod.ts";
import { chatApp, mockApp } from "../src/web/mod.ts";
import { hasChromium, startChromium } from "./_chromium.ts";

const ANSWER = `Here is **bold**, \`code\` and a [link](https://example.com/).

\`\`\`ts
const fish = "\u{1f41f}"; // <script>alert(1)</script>
\`\`\`

1. One
2. [Not a link](javascript:alert(1))

<img src=x onerror="document.title='hacked'">`;

const SCENARIOS = mergeScenarios([
  parseScenarios({
    scenarios: [
      { name: "markdown", trigger: "markdown", steps: [{ response: { content: ANSWER } }] },
      {
        name: "slow",
        trigger: "slowly",
        steps: [{
          response: { content: "word ".repeat(200) },
          fault: { chunk_delay: 50 },
        }],
      },
    ],
  }, "page.json"),
  parseScenarios(spec, "spec.json"),
]);

/** Cuts bytes into single ones, so that every border of chunks and characters is met. */
function torn(response: Response): Response {
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at++) controller.enqueue(chunk.subarray(at, at + 1));
    },
  });
  return new Response(response.body?.pipeThrough(cut) ?? null, response);
}

const ignore = !await hasChromium();
if (ignore) console.warn("The page is not tested: Chromium is not installed");

Deno.test({
  name: "the page works in Chromium: chat, tools, Markdown, stop, reload, phone width",
  ignore,
  async fn() {
    const root = await Deno.makeTempDir({ prefix: "web-page-" });
    const pictures = Deno.env.get("LLMCMD_PICTURES");
    const mock = mockApp({ scenarios: SCENARIOS });
    const client = openaiClient({
      apiKey: "sk-secret",
      baseUrl: "http://mock/v1",
      fetch: async (url, init) => await mock.fetch(new Request(url, init)),
    });
    await using runner = new CommandSession({ cwd: root });
    const vfs = hostVfs(hostFs(), { root });
    const app = chatApp({
      store: memorySessionStore(),
      about: { root, model: "mock" },
      startTurn: ({ message, messages, log, signal }) =>
        run({ input: message, messages, log, signal, client, model: "mock", vfs, runner }),
    });
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async (request) => {
        const response = await app.fetch(request);
        return request.url.endsWith("/chat") ? torn(response) : response;
      },
    );
    try {
      await using page = await startChromium();
      const done = "!document.getElementById('send').hidden";
      const logText = "document.getElementById('log').innerText";
      const say = async (text: string) => {
        await page.evaluate("document.getElementById('input').focus()");
        await page.type(text);
        await page.press("Enter");
      };
      await page.open(`http://127.0.0.1:${server.addr.port}/`);
      await say("Please do a hello world");
      await page.until(`${logText}.includes("outputs 'Hello, World!'") && ${done}`);
      const cards = await page.evaluate<string[]>(
        "[...document.querySelectorAll('details.tool')].map((it) => it.textContent)",
      );
      assert.equal(cards.length, 2);
      assert.match(
        cards[0] ?? "",
        /^write_file\("hello\.py", \u2026\) \u2713.*\+print\('Hello, World!'\)/s,
      );
      assert.match(cards[1] ?? "", /^bash\("python hello\.py"\) .*\[Exit code \d+, no sandbox\]/s);
      assert.match(
        await page.evaluate("document.getElementById('usage').textContent"),
        /tokens$/,
      );
      assert.equal(
        await page.until("document.querySelector('#sessions button[aria-current]')?.textContent"),
        "Please do a hello world",
      );
      await say("Show markdown");
      await page.until(`document.querySelector('.agent strong') && ${done}`);
      assert.deepEqual(
        await page.evaluate(`(() => {
          const it = [...document.querySelectorAll('.agent')].at(-1);
          const all = (selector) => [...it.querySelectorAll(selector)].map((e) => e.textContent);
          return {
            strong: all("strong"), code: all("p code"), pre: all("pre"), li: all("ol > li"),
            links: [...it.querySelectorAll("a")].map((e) => e.href),
            images: it.querySelectorAll("img, script").length, buttons: all("button"),
          };
        })()`),
        {
          strong: ["bold"],
          code: ["code"],
          pre: ['const fish = "\u{1f41f}"; // <script>alert(1)</script>'],
          li: ["One", "[Not a link](javascript:alert(1))"],
          links: ["https://example.com/"],
          images: 0,
          buttons: ["Copy"],
        },
      );
      if (pictures !== undefined) {
        await page.evaluate("document.querySelector('details.tool').open = true");
        await page.evaluate("document.getElementById('log').scrollTop = 0");
        await Deno.writeFile(`${pictures}/chat-1280.png`, await page.picture(1280, 800));
        await Deno.writeFile(`${pictures}/chat-390.png`, await page.picture(390, 844));
        await page.picture(1280, 800);
      }
      // Reload in the middle of a turn: it comes again, and can be stopped.
      await say("Answer slowly");
      await page.until(`${logText}.includes("word word word")`);
      await page.open(`http://127.0.0.1:${server.addr.port}/`);
      await page.until(`${logText}.includes("word word word word") && !(${done})`);
      assert.equal(app.running, 1);
      assert.match(await page.evaluate(logText), /hello world[^]*Answer slowly/);
      await page.press("Escape");
      await page.until(`${logText}.includes("The turn was stopped") && ${done}`);
      assert.equal(app.running, 0);
      await page.evaluate("document.getElementById('new').click()");
      await page.until("document.querySelector('.empty')");
      await page.picture(390, 844);
      assert.equal(
        await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
        true,
      );
      assert.deepEqual(page.problems, []);
    } finally {
      await app.stop();
      await server.shutdown();
      await Deno.remove(root, { recursive: true });
    }
  },
});
