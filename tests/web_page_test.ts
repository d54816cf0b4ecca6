import assert from "node:assert/strict";
import { type ChatOnPage, DONE, LOG, pageTest, picture, texts } from "./_web_page.ts";

const focused = (chat: ChatOnPage) =>
  chat.page.evaluate<string>(
    "document.activeElement.id || document.activeElement.className",
  );
/** An expression that is true if no element is wider than the window. */
const FITS = "document.documentElement.scrollWidth <= innerWidth && " +
  "document.getElementById('log').scrollWidth <= document.getElementById('log').clientWidth";

pageTest(
  "the page works in Chromium: chat, tools, Markdown, stop, reload, phone width",
  async (chat) => {
    const { page } = chat;
    await picture(chat, "chat-empty-1280", 1280, 800);
    await chat.say("Please do a hello world");
    await page.until(`${LOG}.includes("outputs 'Hello, World!'") && ${DONE}`);
    const cards = await page.evaluate<string[]>(texts("details.tool"));
    assert.equal(cards.length, 2);
    assert.match(
      cards[0] ?? "",
      /^\u2713done write_file\("hello\.py", \u2026\).*\+print\('Hello, World!'\)/s,
    );
    assert.match(
      cards[1] ?? "",
      /^. ?\w+ bash\("python hello\.py"\).*\[Exit code \d+, no sandbox\]/s,
    );
    assert.match(await page.evaluate("document.getElementById('usage').textContent"), /tokens$/);
    assert.equal(
      await page.until("document.querySelector('#sessions [aria-current] span')?.textContent"),
      "Please do a hello world",
    );
    assert.equal(
      await page.evaluate("document.querySelector('#sessions [aria-current] small').textContent"),
      "just now \u00b7 1 turn",
    );
    await chat.say("Show markdown");
    await page.until(`document.querySelector('.agent strong') && ${DONE}`);
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
        buttons: ["Copy", "Copy"],
      },
    );
    await page.evaluate("document.querySelector('details.tool').open = true");
    await page.evaluate("document.getElementById('log').scrollTop = 0");
    await picture(chat, "chat-1280", 1280, 800);
    await picture(chat, "chat-390", 390, 844);
    await page.picture(1280, 800);
    // After a reload in the middle of a turn, the turn is shown again, and can be stopped.
    await chat.say("Answer slowly");
    await page.until(`${LOG}.includes("word word word")`);
    await page.open(chat.url);
    await page.until(`${LOG}.includes("word word word word") && !(${DONE})`);
    assert.equal(chat.app.running, 1);
    assert.match(await page.evaluate(LOG), /hello world[^]*Answer slowly/);
    assert.match(
      await page.evaluate("document.getElementById('work').textContent"),
      /^The agent works \u00b7 \d+ s$/,
    );
    await picture(chat, "chat-streaming-1280", 1280, 800);
    await page.press("Escape");
    await page.until(`${LOG}.includes("The turn was stopped") && ${DONE}`);
    assert.equal(chat.app.running, 0);
    await page.evaluate("document.getElementById('new').click()");
    await page.until("document.querySelector('.empty')");
    await page.picture(390, 844);
    assert.equal(await page.evaluate(FITS), true);
    assert.deepEqual(page.problems, []);
  },
);

pageTest("the page shows diffs and failures after a reload as it did before", async (chat) => {
  const { page } = chat;
  await chat.say("Mend the fish");
  await page.until(`${LOG}.includes("Two of four went well") && ${DONE}`);
  await chat.turn("It is broken");
  const shown = () =>
    page.evaluate<unknown>(`(() => {
      for (const card of document.querySelectorAll("details.tool")) card.open = true;
      return {
        cards: ${texts("details.tool")},
        failed: ${texts("details.tool.failed summary")},
        added: ${texts(".add")}, deleted: ${texts(".del")},
        notes: ${texts(".note.bad")},
      };
    })()`);
  const before = await shown() as Record<string, string[]>;
  assert.deepEqual(before.added, ["+def fish():", "+    return 'shark'", "+    return 'carp'"]);
  assert.deepEqual(before.deleted, ["-    return 'shark'"]);
  assert.equal(before.failed?.length, 2);
  assert.match(before.failed?.[0] ?? "", /^\u2717 failed edit_file\("fish\.py", \u2026\)/);
  assert.match(before.cards?.[3] ?? "", /output, 40\d lines/);
  assert.equal(before.notes?.length, 1);
  await picture(chat, "chat-tools-1280", 1280, 800);
  await page.open(chat.url);
  await page.until(`document.querySelector('.note.bad') && ${DONE}`);
  assert.deepEqual(await shown(), before);
  await page.picture(390, 844);
  assert.equal(await page.evaluate(FITS), true);
  assert.deepEqual(page.problems, []);
});

pageTest("the page has room for long code, tables and words at 1280 and 390 px", async (chat) => {
  const { page } = chat;
  await chat.turn("Show long code");
  for (const [width, height] of [[1280, 800], [390, 844]] as const) {
    await page.evaluate("document.querySelector('.agent').scrollIntoView()");
    await picture(chat, `chat-long-${width}`, width, height);
    assert.equal(await page.evaluate(FITS), true, `${width} px`);
  }
  // If the reader has scrolled up, new text does not move the view, and a button leads to it.
  await page.evaluate("document.getElementById('log').scrollTop = 0");
  await chat.say("Answer slowly");
  await page.until(`${LOG}.includes("word word word")`);
  await page.evaluate("document.getElementById('log').scrollTop = 0");
  await page.until("!document.getElementById('down').hidden");
  assert.equal(await page.evaluate("document.getElementById('log').scrollTop"), 0);
  await page.evaluate("document.getElementById('down').click()");
  await page.until("document.getElementById('down').hidden");
  assert.ok(await page.evaluate<number>("document.getElementById('log').scrollTop") > 100);
  await page.press("Escape");
  await page.until(DONE);
  assert.deepEqual(page.problems, []);
});

pageTest("the page deletes a chat by keyboard, after it has asked", async (chat) => {
  const { page } = chat;
  const names = texts("#sessions .open span");
  for (const text of ["How are you, one", "How are you, two"]) {
    await page.evaluate("document.getElementById('new').click()");
    await chat.turn(text);
  }
  await page.until(`${names}.length === 2`);
  await page.evaluate("document.getElementById('new').focus()");
  await page.press("ArrowDown");
  await page.press("ArrowDown");
  assert.equal(
    await page.evaluate("document.activeElement.textContent.slice(0, 16)"),
    "How are you, one",
  );
  await page.press("Delete");
  await page.until("document.getElementById('confirm').open");
  assert.equal(await focused(chat), "confirm-no");
  assert.equal(
    await page.evaluate("document.getElementById('confirm-text').textContent"),
    "\u201cHow are you, one\u201d with 1 turn will be gone.",
  );
  await picture(chat, "chat-delete-390", 390, 844);
  await page.picture(1280, 800);
  await page.press("Escape");
  await page.until("!document.getElementById('confirm').open");
  assert.equal((await page.evaluate<string[]>(names)).length, 2);
  // The focus returns, so that the next key works.
  await page.until("document.activeElement.textContent.startsWith('How are you, one')");
  await page.press("Delete");
  await page.until("document.getElementById('confirm').open");
  await page.press("Tab");
  assert.equal(await focused(chat), "confirm-yes");
  await page.press("Enter");
  await page.until(`${names}.length === 1`);
  assert.deepEqual(await page.evaluate(names), ["How are you, two"]);
  assert.equal(await focused(chat), "open");
  // The chat that is shown, while its turn runs.
  await chat.say("Answer slowly");
  await page.until(`${LOG}.includes("word word")`);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  assert.equal(chat.app.running, 1);
  await page.evaluate("document.querySelector('#sessions .delete').click()");
  await page.until("document.getElementById('confirm').open");
  await page.evaluate("document.getElementById('confirm-yes').click()");
  await page.until(`document.querySelector('.empty') && ${names}.length === 0`);
  assert.equal(chat.app.running, 0);
  assert.equal(await page.evaluate("document.getElementById('none').hidden"), false);
  assert.deepEqual(page.problems, []);
});

pageTest("the page says when the server is gone, loses no message, and goes on", async (chat) => {
  const { page } = chat;
  const offline = "!document.getElementById('offline').hidden";
  await chat.turn("So how are you?");
  await chat.stop();
  await chat.say("Are you there?");
  await page.until(`document.querySelector('.note.bad') && ${offline}`);
  assert.equal(await page.evaluate("document.getElementById('input').value"), "Are you there?");
  assert.match(
    await page.evaluate("document.querySelector('.note.bad').textContent"),
    /^The server can't be reached\. Your message is back in the box$/,
  );
  assert.equal(
    await page.evaluate("document.getElementById('offline-text').textContent"),
    "The server can't be reached",
  );
  await picture(chat, "chat-offline-390", 390, 844);
  await page.picture(1280, 800);
  chat.start();
  await page.evaluate("document.getElementById('retry').click()");
  await page.until(`!(${offline})`);
  await page.press("Enter");
  await page.until(`${LOG}.includes("I only understand") && ${DONE}`);
  // A server that ends in the middle of a turn, and is started again.
  await chat.say("Answer slowly");
  await page.until(`${LOG}.includes("word word word")`);
  await chat.stop();
  await page.until(`${LOG}.includes("The turn was stopped") && ${DONE}`);
  chat.start();
  await page.evaluate("document.getElementById('retry').click()");
  await page.until(`!(${offline})`);
  await chat.turn("And how are you now?");
  const [, after = ""] = (await page.evaluate<string>(LOG)).split("Answer slowly");
  assert.match(
    after,
    /^\n(Retry\n)?Edit\n\n(word )+word\n\nCopy\n\nThe turn was stopped\n\nAnd how are you now\?\nRetry\nEdit\n\nI'm/,
  );
});

pageTest("the page gives assistive technology a name for everything one can use", async (chat) => {
  const { page } = chat;
  await chat.say("Mend the fish");
  await page.until(`${LOG}.includes("Two of four went well") && ${DONE}`);
  await page.evaluate(
    "for (const card of document.querySelectorAll('details.tool')) card.open = true",
  );
  await page.until("document.querySelector('#sessions .delete')");
  await page.call("Accessibility.enable");
  const { nodes } = await page.call("Accessibility.getFullAXTree") as {
    nodes: { ignored: boolean; role?: { value: string }; name?: { value: string } }[];
  };
  const named = nodes.filter(({ ignored }) => !ignored)
    .map(({ role, name }) => [role?.value ?? "", name?.value ?? ""] as const)
    .filter(([role]) =>
      /^(button|textbox|link|navigation|main|region|article|list|dialog|log)$/.test(role)
    );
  const without = named.filter(([role, name]) => name === "" && role !== "list");
  assert.deepEqual(without, []);
  const has = (role: string, name: string | RegExp) =>
    assert.ok(
      named.some((it) =>
        it[0] === role && (name instanceof RegExp ? name.test(it[1]) : it[1] === name)
      ),
      `${role} ${name}`,
    );
  has("textbox", "Message to the agent");
  has("button", "Delete the chat Mend the fish");
  has("button", "Copy changes");
  has("region", /^output, 40\d lines$/);
  has("article", "You");
  has("article", "Agent");
  has("log", "What happens");
  // Screen readers got a message about each step, in order.
  const said = await page.evaluate<string[]>(texts("#status p"));
  assert.deepEqual(said.map((text) => text.replace(/\(.*/, "")), [
    "The agent works",
    ...["Tool write_file", "done", "Tool edit_file", "done"],
    ...["Tool edit_file", "failed", "Tool bash", "failed"],
    ...["Two of four went well.", "The agent is done"],
  ]);
  // Everything can be reached by Tab, in the order of the page.
  await page.evaluate("document.activeElement.blur()");
  const stops: string[] = [];
  for (let n = 0; n < 8; n++) {
    await page.press("Tab");
    stops.push(await focused(chat));
  }
  for (const stop of ["new", "open", "delete", "help"]) assert.ok(stops.includes(stop), `${stops}`);
  await page.evaluate("document.body.focus(); document.activeElement.blur()");
  await page.call("Input.dispatchKeyEvent", { type: "keyDown", key: "?", text: "?" });
  await page.until("document.getElementById('keys').open");
  await picture(chat, "chat-keys-1280", 1280, 800);
  await page.press("Escape");
  await page.until("!document.getElementById('keys').open");
  // The list on a phone: opens, takes the focus, closes and gives it back.
  await page.picture(390, 844);
  await page.evaluate("document.getElementById('menu').focus()");
  await page.press("Enter");
  await page.until("document.getElementById('list').classList.contains('open')");
  assert.equal(await focused(chat), "new");
  assert.equal(await page.evaluate("document.getElementById('log').inert"), true);
  await picture(chat, "chat-list-390", 390, 844);
  await page.press("Escape");
  assert.equal(await focused(chat), "menu");
  assert.equal(await page.evaluate("document.getElementById('log').inert"), false);
  assert.deepEqual(page.problems, []);
});

pageTest("the page scrolls its regions and nothing else, wherever the wheel is", async (chat) => {
  const { page } = chat;
  for (let n = 0; n < 3; n++) await chat.turn("Show long code");
  await chat.turn("Mend the fish");
  for (const [width, height] of [[1280, 800], [390, 844]] as const) {
    await page.picture(width, height);
    for (const open of [false, true]) {
      if (open && width < 700) await page.evaluate("document.getElementById('menu').click()");
      for (
        const [x, y] of [[60, 400], [width - 20, 30], [width - 40, 400], [width / 2, height - 30]]
      ) {
        for (const deltaY of [-9000, 9000, 9000, -9000]) {
          await page.call("Input.dispatchMouseEvent", {
            type: "mouseWheel",
            x,
            y,
            deltaX: 0,
            deltaY,
          });
          const place = await page.evaluate<number[]>(`(() => {
            const { top, bottom } = document.getElementById("form").getBoundingClientRect();
            return [scrollY, document.body.scrollTop, document.documentElement.scrollTop,
              Math.min(0, top), Math.max(innerHeight, bottom) - innerHeight];
          })()`);
          assert.deepEqual(place, [0, 0, 0, 0, 0], `${width} px, wheel at ${x}, ${y}`);
        }
      }
    }
  }
});

pageTest(
  "the page builds a finished block once, and keeps what is selected in it",
  async (chat) => {
    const { page } = chat;
    await chat.say("Stream a report");
    await page.until("document.querySelector('.agent p')?.textContent === 'The first paragraph.'");
    await page.until("document.querySelector('.agent pre')");
    await page.evaluate(`(() => {
    const paragraph = document.querySelector(".agent p");
    globalThis.first = paragraph;
    getSelection().selectAllChildren(paragraph);
  })()`);
    await page.until(DONE);
    assert.equal(await page.evaluate("getSelection().toString()"), "The first paragraph.");
    assert.equal(await page.evaluate("first === document.querySelector('.agent p')"), true);
    assert.deepEqual(await page.evaluate(texts(".agent pre")), ["const a = 1;\nlet b;"]);
    await page.until("document.querySelector('.agent pre .hljs-keyword')");
    assert.deepEqual(
      await page.evaluate(`[...document.querySelectorAll(".agent input")].map((it) => it.checked)`),
      [true, false],
    );
    // The definition of this link came after its use.
    assert.equal(
      await page.evaluate("document.querySelector('.agent a').href"),
      "https://example.com/later",
    );
    assert.deepEqual(await page.evaluate(texts(".agent td.align-right")), ["12"]);
  },
);

pageTest("the page keeps a message that was not sent over a reload", async (chat) => {
  const { page } = chat;
  await page.evaluate("document.getElementById('input').focus()");
  await page.type("Not yet sent");
  await page.open(chat.url);
  assert.equal(await page.until("document.getElementById('input').value"), "Not yet sent");
  await chat.say(" at all");
  await page.until(`${LOG}.includes("Not yet sent at all") && ${DONE}`);
  await page.open(chat.url);
  await page.until(`${LOG}.includes("Not yet sent at all")`);
  assert.equal(await page.evaluate("document.getElementById('input').value"), "");
});
