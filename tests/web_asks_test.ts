import assert from "node:assert/strict";
import { DONE, LOG, pageTest, picture } from "./_web_page.ts";

const ASKS = "[...document.querySelectorAll('.ask')].map((it) => it.innerText)";
const press = (answer: string) => `document.querySelector('.ask button.${answer}').click()`;

pageTest("the page asks for what is beyond the boundary, and the turn waits", async (chat) => {
  const { page } = chat;
  await Deno.mkdir(`${chat.root}/keys`);
  await Deno.writeTextFile(`${chat.root}/keys/a`, "the key");
  await chat.say("Read my keys");
  await page.until("document.querySelector('.ask button')");
  const [first] = await page.evaluate<string[]>(ASKS);
  assert.match(first ?? "", /^The agent wants to read this file\n/);
  assert.ok(first?.includes(`${chat.root}/keys/a`), first);
  assert.match(
    first ?? "",
    /\nFor this session means: reading this file\.\n+Allow once\n*Allow for/,
  );
  assert.match(
    await page.evaluate("document.getElementById('work').textContent"),
    /^The agent waits for your answer \u00b7 \d+ s$/,
  );
  assert.match(await page.evaluate("document.title"), /^\? /);
  await picture(chat, "chat-asks-1280", 1280, 800);
  await picture(chat, "chat-asks-390", 390, 844);
  // All of it can be seen, even if it is wider than the card.
  await page.picture(200, 844);
  const [inner, outer] = await page.evaluate<number[]>(
    "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.ask pre'))",
  );
  assert.equal(inner, outer);
  // A reload shows the question again.
  await page.open(chat.url);
  await page.until("document.querySelector('.ask button')");
  await page.evaluate(press("session"));
  await page.until("document.querySelectorAll('.ask').length === 2");
  await page.until(
    `document.querySelector('.ask .answer') && document.querySelector('.ask button')`,
  );
  // The user comes back after half an hour, which does not count as the agent's time.
  await page.evaluate("{ const { now } = Date; Date.now = () => now() + 1_800_000; }");
  await page.evaluate(press("no"));
  const working =
    "/^The agent works \u00b7 (\\d+) s$/.exec(document.getElementById('work').textContent)";
  await page.until(`${working} !== null`);
  assert.ok(await page.evaluate<number>(`Number(${working}[1])`) < 600);
  await page.until(`${LOG}.includes("That is all.") && ${DONE}`);
  const results = "[...document.querySelectorAll('details.tool')].map((it) => it.textContent)";
  const [read, write, again] = await page.evaluate<string[]>(results);
  assert.ok(read?.includes("the key"));
  assert.match(write ?? "", /the user said no/);
  assert.ok(again?.includes("the key"));
  assert.deepEqual(
    await page.evaluate("[...document.querySelectorAll('.ask .answer')].map((it) => it.innerText)"),
    ["Allowed for this session", "Refused"],
  );
  await assert.rejects(Deno.stat(`${chat.root}/keys/b`), Deno.errors.NotFound);
  // A stopped turn needs no answer.
  await page.evaluate("document.getElementById('new').click()");
  await chat.say("Read my keys");
  await page.until("document.querySelector('.ask button')");
  await page.press("Escape");
  await page.until(`${LOG}.includes("Not answered") && ${DONE}`);
  assert.deepEqual(page.problems, []);
});
