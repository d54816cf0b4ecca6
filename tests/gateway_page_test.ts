/** Tests the page of a real `llmcmd proxy` in Chromium. */
import assert from "node:assert/strict";
import { sharedChromium } from "./_chromium.ts";
import { optional } from "./_optional.ts";
import { Proxy } from "./_proxy.ts";

const cells = (row: string) =>
  `[...document.querySelectorAll(${JSON.stringify(`${row} > *`)})].map((it) => it.textContent)`;
const RUN = "#runs tr:first-child";
const shown = (id: string) => `!document.getElementById("${id}").hidden`;
const text = (id: string) => `document.getElementById("${id}").textContent`;
const click = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).click()`;

const openPage = sharedChromium();

Deno.test({
  ...optional(
    "the gateway's page asks for the key, shows models and runs live, cancels, shows a diff",
    "chromium",
    "git",
  ),
  async fn() {
    const inRepo = { driver: "generic", repoPath: "repo", worktree: true };
    await using proxy = await Proxy.start({
      edits: { ...inRepo, command: "./edits" },
      sleeps: { ...inRepo, command: "./sleeps" },
    });
    await proxy.initRepo();
    const address = new URL("/", proxy.url).href;
    await using page = await openPage();

    await page.open(address);
    await page.until(shown("login"));
    await page.type("wrong");
    await page.press("Enter");
    assert.match(await page.until<string>(text("refused")), /^The key is missing or wrong/);
    assert.equal(await page.evaluate(shown("tables")), false);
    await page.type(proxy.key);
    await page.press("Enter");
    await page.until(`${shown("tables")} && ${text("live")} === "live"`);
    assert.equal(await page.evaluate(shown("login")), false);
    assert.ok((await page.evaluate<string[]>(cells("#models"))).length >= 5);
    assert.equal(await page.evaluate(shown("no-runs")), true);

    const asked = proxy.ask("sleeps");
    await page.until(`document.querySelector('${RUN}')?.dataset.state === "running"`);
    await page.until(`${cells('#models [data-id="sleeps"]')}[2] === "1"`);
    await page.evaluate(click(`${RUN} button:last-child`));
    assert.equal((await asked).response.status, 499);
    await page.until(`document.querySelector('${RUN}').dataset.state === "cancelled"`);
    await page.until(`${cells('#models [data-id="sleeps"]')}[2] === "0"`);

    await proxy.ask("fails");
    await page.until(`${cells(RUN)}[2] === "failed: CLI failed"`);
    await page.evaluate(click(`${RUN} button`));
    assert.match(await page.until<string>(text("facts")), /Exit status3.*Detailcannot log in/);

    await proxy.ask("edits");
    await page.until(`${cells(RUN)}[6] === "2 files +2 \u22120"`);
    await page.evaluate(click(`${RUN} button`));
    await page.until(shown("patch"));
    assert.equal(await page.evaluate(text("details-title")), "edits: done");
    assert.deepEqual(
      await page.evaluate("[...document.querySelectorAll('.added')].map((it) => it.textContent)"),
      ["+changed\n", "+new\n"],
    );
    const folder = Deno.env.get("LLMCMD_PICTURES");
    await page.evaluate("scrollTo(0, 0)");
    const image = await page.picture(1280, 1000);
    if (folder !== undefined) await Deno.writeFile(`${folder}/gateway.png`, image);
    await page.picture(390, 800);
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
    await page.press("Escape");
    await page.until(`!${shown("details")}`);
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Details");

    // A reload keeps the key. A link with the key needs no typing, and the key is removed from the
    // address.
    await page.open(address);
    await page.until(shown("tables"));
    await page.evaluate(click("#forget"));
    await page.until(shown("login"));
    assert.equal(await page.evaluate("document.querySelectorAll('#runs tr').length"), 0);
    assert.equal(await page.evaluate("sessionStorage.length"), 0);
    await page.open(`${address}?token=${proxy.key}`);
    await page.until(shown("tables"));
    assert.equal(await page.evaluate("location.href"), address);
  },
});
