/** The chat at a path of somebody else's Hono app, in Chromium. */
import assert from "node:assert/strict";
import { Hono } from "hono";
import { coderChat } from "../src/web/chat/_fixtures_test.ts";
import { sharedChromium } from "./_chromium.ts";
import { optional } from "./_optional.ts";
import { DONE, LOG } from "./_web_page.ts";

const SHOP = `<title>Shop</title><link rel="icon" href="data:,"><a href="/assistant">Help</a>`;

const openPage = sharedChromium();

Deno.test({
  ...optional("a chat at /assistant of an own Hono app works in Chromium", "chromium"),
  async fn() {
    const chat = coderChat({ base: "/assistant" });
    const app = new Hono();
    app.get("/", (context) => context.html(SHOP));
    app.mount("/assistant", chat.fetch);
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, app.fetch);
    const origin = `http://127.0.0.1:${server.addr.port}`;
    try {
      await using page = await openPage();
      await page.open(origin);
      await page.evaluate("localStorage.setItem('session', 'kept by the shop')");
      await page.evaluate("document.querySelector('a').click()");
      await page.until("document.getElementById('none')?.hidden === false");

      await page.evaluate("document.getElementById('input').focus()");
      await page.type("Say hello world");
      await page.press("Enter");
      await page.until(`document.querySelectorAll('.user').length === 1 && ${DONE}`);
      const log = await page.evaluate<string>(LOG);
      assert.match(log, /^Say hello world/);
      assert.ok(log.length > "Say hello world".length + 5, log);
      await page.until("document.querySelectorAll('#sessions li').length === 1");
      const folder = Deno.env.get("LLMCMD_PICTURES");
      if (folder !== undefined) {
        await Deno.writeFile(`${folder}/web_assistant.png`, await page.picture(1280, 800));
      }

      // The chat's storage keys do not touch those of the host's own pages.
      await page.open(`${origin}/assistant/`);
      await page.until(`document.querySelectorAll('.user').length === 1`);
      assert.equal(await page.evaluate(LOG), log);
      assert.equal(await page.evaluate("localStorage.getItem('session')"), "kept by the shop");
      assert.equal(
        await page.evaluate("Object.keys(localStorage).sort().join()"),
        "/assistant/session,session",
      );
      assert.deepEqual(page.problems, []);
    } finally {
      await chat.stop();
      await server.shutdown();
    }
  },
});
