/**
 * Prints how soon the chat's page shows a chat of 500 messages, and its longest tasks while an
 * answer of 60 kB streams: `deno task bench:page`. Needs Chromium.
 */
import { run } from "../src/coder/mod.ts";
import { openaiClient } from "../src/llm/mod.ts";
import { parseScenarios } from "../src/mock/mod.ts";
import { memorySessionStore } from "../src/store/mod.ts";
import { hostFs } from "../src/sys/mod.ts";
import { CommandSession } from "../src/terminal/mod.ts";
import { hostVfs } from "../src/vfs/mod.ts";
import { chatApp } from "../src/web/chat/mod.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import { startChromium } from "../tests/_chromium.ts";

const TURNS = 250;
const ANSWER = `Here is **what** I found in \`src/main.ts\`:

1. It reads the file, line by line
2. It counts [the errors](https://example.com/)

\`\`\`ts
${
  'export function count(lines: string[]): number {\n  return lines.filter((it) => it.includes("error")).length;\n}\n'
    .repeat(4)
}\`\`\`

| file | lines |
|---|--:|
| a.ts | 12 |

${"More words that explain what was done, and why. ".repeat(8)}`;

const say = (content: string) => ({ response: { content } });
const root = await Deno.makeTempDir({ prefix: "bench-page-" });
const mock = mockApp({
  scenarios: parseScenarios({
    scenarios: [
      { name: "short", trigger: "short", steps: [say(ANSWER)] },
      {
        name: "long",
        trigger: "long",
        steps: [{ ...say(`${ANSWER}\n\n`.repeat(40)), fault: { chunk_delay: 2 } }],
      },
    ],
  }, "bench"),
});
const client = openaiClient({
  apiKey: "sk-bench",
  baseUrl: "http://mock/v1",
  fetch: async (url, init) => await mock.fetch(new Request(url, init)),
});
const vfs = hostVfs(hostFs(), { root });
await using runner = new CommandSession({ cwd: root });
const app = chatApp({
  store: memorySessionStore(),
  about: { root, model: "mock" },
  startTurn: ({ message, messages, log, signal }) =>
    run({
      input: message,
      messages: messages.slice(-4),
      log,
      signal,
      client,
      model: "mock",
      vfs,
      runner,
    }),
});
const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, app.fetch);
const url = `http://127.0.0.1:${server.addr.port}`;
try {
  for (let turn = 0; turn < TURNS; turn++) {
    const response = await fetch(`${url}/chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: `A short question, number ${turn}`, session: "bench" }),
    });
    if (!response.ok) throw new Error(await response.text());
    await response.text();
  }
  await using chromium = await startChromium();
  await using page = await chromium.open();
  await page.open(url);
  await page.evaluate("localStorage.setItem('session', 'bench')");
  const shown: number[] = [];
  for (let i = 0; i < 5; i++) {
    const begin = performance.now();
    await page.open(url);
    await page.until("document.querySelectorAll('.agent').length > 200");
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
    shown.push(performance.now() - begin);
  }
  const messages = await page.evaluate("document.querySelectorAll('.user, .agent').length");
  await page.evaluate(`(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(Math.round(duration));
    }).observe({ type: "longtask" });
    document.getElementById("input").focus();
  })()`);
  await page.type("A long question");
  await page.press("Enter");
  await page.until("document.getElementById('send').hidden");
  await page.until("!document.getElementById('send').hidden");
  const tasks = await page.evaluate<number[]>("tasks");
  shown.sort((a, b) => a - b);
  console.log(`${messages} messages on screen after ${shown[2]?.toFixed()} ms (median of 5)`);
  console.log(
    `Tasks over 50 ms while ${ANSWER.length * 40} characters stream: ${tasks.length}` +
      (tasks.length === 0 ? "" : `, the longest ${Math.max(...tasks)} ms`),
  );
} finally {
  await app.stop();
  await server.shutdown();
  await Deno.remove(root, { recursive: true });
}
