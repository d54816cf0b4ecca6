/**
 * Tests the chat's page beside other tabs: running turns, queued messages, and actions on chats.
 */
import assert from "node:assert/strict";
import { eventually } from "../src/web/http/_testing.ts";
import { type ChatOnPage, DONE, LOG, pageTest, picture, texts } from "./_web_page.ts";

/** The text of a file; `undefined` if it is missing or empty. */
function fileText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path) || undefined;
  } catch {
    return undefined;
  }
}

/** Acts as another tab of the browser: sends a request with the same cookie. */
const otherTab = (chat: ChatOnPage, method: string, path: string, body: unknown) =>
  chat.page.evaluate(
    `fetch(${JSON.stringify(path)}, {
      method: ${JSON.stringify(method)},
      headers: { "content-type": "application/json" },
      body: ${JSON.stringify(JSON.stringify(body))},
    }).then((response) => response.body.cancel())`,
  );

pageTest("the page shows what other tabs do, and lets messages wait for a turn", async (chat) => {
  const { page } = chat;
  const states = `[...document.querySelectorAll("#sessions small")].map((it) => it.textContent)`;
  const queued = texts("#queued span");
  const box = "document.getElementById('input').value";
  await chat.turn("How are you?");
  const session = await page.evaluate<string>("localStorage.getItem('session')");
  assert.match(
    await page.until("document.getElementById('about').textContent"),
    /^mock.*projects\/fish.*no sandbox$/,
  );
  // Another tab begins a turn in this chat.
  await otherTab(chat, "POST", "/chat", { message: "Answer slowly", session });
  await page.until(`${LOG}.includes("word word word") && !(${DONE})`);
  await page.until(`${states}[0].startsWith("running")`);
  // Messages sent meanwhile are queued, and can be taken back.
  for (const text of ["Show long code", "So how are you now?"]) await chat.say(text);
  await page.until(`${queued}.length === 2`);
  assert.deepEqual(await page.evaluate(queued), ["Show long code", "So how are you now?"]);
  assert.equal(await page.evaluate(box), "");
  await page.evaluate("document.querySelector('#queued .back').click()");
  await page.until(`${box} === "Show long code" && ${queued}.length === 1`);
  await page.until(`${states}[0].endsWith("1 queued")`);
  await picture(chat, "chat-queue-1280", 1280, 800);
  await picture(chat, "chat-queue-390", 390, 844);
  await page.picture(1280, 800);
  await page.evaluate(`(() => {
    const input = document.getElementById("input");
    input.value = "";
    input.dispatchEvent(new Event("input"));
  })()`);
  // After a stop the message stays queued, also over a reload, until it is sent.
  await page.evaluate("document.getElementById('stop').click()");
  await page.until(DONE);
  await page.open(chat.url);
  await page.until(`${queued}.length === 1`);
  assert.match(
    await page.evaluate("document.getElementById('queue-hint').textContent"),
    /^The turn did not end well/,
  );
  await page.evaluate("document.querySelector('#queued .now').click()");
  await page.until(`${LOG}.includes("So how are you now?") && ${DONE} && ${queued}.length === 0`);
  // It is sent when the turn has ended, and shown without a note.
  await chat.say("Stream a report");
  await page.until(`!(${DONE})`);
  await chat.say("Show markdown");
  await page.until(`document.querySelectorAll(".agent strong").length === 1 && ${DONE}`);
  // A message that is sent again there cuts the conversation here, too.
  await otherTab(chat, "POST", "/chat", { message: "Show long code", session, after: 1 });
  await page.until(`document.querySelectorAll(".user").length === 2 && ${DONE}`);
  await page.until(`${LOG}.includes("This is the whole module")`);
  const before = await page.evaluate<number>("document.querySelectorAll('.user').length");
  // Another tab renames the chat, fails in it, clears and deletes it.
  await otherTab(chat, "PATCH", `/sessions/${session}`, { title: "By another tab" });
  await page.until("document.title.startsWith('By another tab')");
  await otherTab(chat, "POST", "/chat", { message: "It is broken", session });
  await page.until(`${states}[0].startsWith("failed") && ${DONE}`);
  await page.until(`document.querySelectorAll(".user").length === ${before + 1}`);
  await otherTab(chat, "POST", "/clear", { session });
  await page.until("document.querySelector('.empty') && !document.querySelector('.user')");
  await otherTab(chat, "DELETE", `/sessions/${session}`, {});
  await page.until(`${LOG}.includes("deleted in another window") && ${states}.length === 0`);
  // A turn that has ended before it is requested is no problem: the chat is shown again.
  assert.deepEqual(page.problems.filter((it) => !/status of 404.*\/runs\//.test(it)), []);
});

pageTest("the page shows what another program adds to the chat, as it comes", async (chat) => {
  const { page } = chat;
  await chat.turn("How are you?");
  const session = await page.evaluate<string>("localStorage.getItem('session')");
  const users = texts(".user .said");
  await chat.beside(session, { role: "user", content: "From the terminal" });
  await page.until(`${users}.length === 2 && document.querySelector(".writer") !== null`);
  assert.match(await page.evaluate("document.querySelector('.writer').textContent"), /pid 7/);
  // From now on the shown messages stay in place.
  await page.evaluate("document.querySelectorAll('.user')[1].id = 'same'");
  const call = { name: "bash", arguments: '{"command":"make"}' };
  await chat.beside(session, {
    ...{ role: "assistant", content: "I make it." },
    tool_calls: [{ id: "c", type: "function", function: call }],
  });
  await page.until(`${texts(".tool .state")}.join() === "\u2026"`);
  await chat.beside(session, { role: "tool", tool_call_id: "c", content: "made" });
  await page.until(`${texts(".tool .state")}.join().startsWith("\u2713")`);
  await chat.beside(session, { role: "assistant", content: "It is made." });
  await page.until(`${LOG}.includes("It is made.")`);
  assert.deepEqual(await page.evaluate(users), ["How are you?", "From the terminal"]);
  assert.equal(await page.evaluate("document.getElementById('same') !== null"), true);
  assert.equal(
    await page.evaluate("document.getElementById('log').lastChild.className"),
    "note writer",
  );
  chat.killBeside();
  await page.until("document.querySelector('.writer') === null");
  await chat.turn("So how are you now?");
  assert.equal((await page.evaluate<string[]>(users)).length, 3);
  assert.deepEqual(page.problems, []);
});

pageTest(
  "the page edits and sends again, retries, renames, finds, exports, attaches",
  async (chat) => {
    const { page } = chat;
    const users = texts(".user .said");
    const click = (selector: string) =>
      page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
    await chat.turn("How are you, one");
    await chat.turn("How are you, two");
    await chat.turn("How are you, three");
    // Only the last message can be sent again unchanged.
    assert.equal(await page.evaluate("document.querySelectorAll('.user .retry').length"), 1);
    await click(".user .retry");
    await page.until(`document.querySelectorAll(".agent").length === 3 && ${DONE}`);
    assert.equal((await page.evaluate<string[]>(users)).length, 3);
    // From the second message on; everything after it is removed.
    await click(".user[data-turn='1'] .change");
    await page.until("document.activeElement.closest('.edit')");
    assert.match(
      await page.evaluate("document.querySelector('.edit p').textContent"),
      /files stay$/,
    );
    await picture(chat, "chat-edit-1280", 1280, 800);
    await picture(chat, "chat-edit-390", 390, 844);
    await page.picture(1280, 800);
    await page.evaluate("document.activeElement.select()");
    await page.type("Run it live");
    await click(".edit .again");
    // The command's output is shown while it runs.
    await page.until(
      "document.querySelector('.live')?.textContent === 'building\\nstill building'",
    );
    await picture(chat, "chat-live-1280", 1280, 800);
    await Deno.writeTextFile(`${chat.root}/go`, "");
    await page.until(`${LOG}.includes("It is built") && ${DONE}`);
    assert.equal(await page.evaluate("document.querySelectorAll('.live').length"), 0);
    const expected = ["How are you, one", "Run it live"];
    assert.deepEqual(await page.evaluate(users), expected);
    await page.open(chat.url);
    await page.until(`${users}.length === 2`);
    assert.deepEqual(await page.evaluate(users), expected);
    // Commands in the message box.
    await chat.say("/nothing");
    await page.until(`${LOG}.includes("There is no command /nothing: /help lists them")`);
    await page.evaluate("document.getElementById('input').select()");
    await chat.say("/help");
    await page.until("document.getElementById('keys').open");
    await page.press("Escape");
    await chat.say("/rename Fish and more");
    await page.until(
      "document.querySelector('#sessions .open span').textContent === 'Fish and more'",
    );
    assert.equal(
      await page.evaluate("document.getElementById('title').textContent"),
      "Fish and more",
    );
    // Renames by the menu.
    await click("#more summary");
    await picture(chat, "chat-menu-390", 390, 844);
    await page.picture(1280, 800);
    await click("#rename");
    await page.until("document.activeElement.id === 'rename-title'");
    await page.type("Only fish");
    await page.press("Enter");
    await page.until("document.getElementById('title').textContent === 'Only fish'");
    // Finds a chat by a word of a message.
    await click("#new");
    await chat.turn("How are you, other");
    await page.evaluate("document.getElementById('search').focus()");
    await page.type("LIVE");
    await page.until(`${texts("#sessions small")}.join() === "Run it live"`);
    await picture(chat, "chat-search-1280", 1280, 800);
    await click("#sessions .open");
    await page.until("document.getElementById('title').textContent === 'Only fish'");
    await page.evaluate("document.getElementById('search').focus()");
    await page.press("Escape");
    await page.until("document.querySelectorAll('#sessions .open').length === 2");
    // The saved file.
    await page.call("Browser.setDownloadBehavior", {
      ...{ behavior: "allow", downloadPath: chat.root },
    });
    await chat.say("/export");
    const saved = await eventually(() => fileText(`${chat.root}/Only fish.md`));
    assert.match(saved, /^# Only fish\n\n## You\n\nHow are you, one\n\n## Agent\n\n/);
    // Files: text is attached, other files are refused.
    await page.evaluate(`(() => {
    const files = new DataTransfer();
    files.items.add(new File(["one\\ntwo\\n"], "notes.txt"));
    files.items.add(new File([new Uint8Array([0, 159, 146, 150])], "image.bin"));
    files.items.add(new File(["x".repeat(300000)], "long.txt"));
    const box = document.getElementById("files");
    box.files = files.files;
    box.dispatchEvent(new Event("change"));
  })()`);
    await page.until(`${LOG}.includes("image.bin can't be attached: it is not text in UTF-8")`);
    await page.until(`${LOG}.includes("long.txt can't be attached: it has 293 KiB")`);
    assert.deepEqual(await page.evaluate(texts("#attached span")), ["notes.txt"]);
    await picture(chat, "chat-attached-390", 390, 844);
    await page.picture(1280, 800);
    await chat.say("How are you, with a file");
    await page.until("document.querySelector('.user .file')");
    await page.until(DONE);
    assert.deepEqual(await page.evaluate(texts(".file summary")), ["notes.txt, 2 lines"]);
    assert.deepEqual(await page.evaluate(texts(".file pre")), ["one\ntwo\n"]);
    await page.open(chat.url);
    await page.until("document.querySelector('.user .file')");
    assert.equal(
      await page.evaluate("[...document.querySelectorAll('.said')].at(-1).firstChild.textContent"),
      "How are you, with a file",
    );
    // Permanent deletion needs a confirmation.
    await chat.say("/clear");
    await page.until("document.getElementById('confirm').open");
    assert.match(
      await page.evaluate("document.getElementById('confirm').innerText"),
      /^Clear this chat\?\s+The conversation \u201c.+\u201d will be gone; files stay\.\s+Keep\s+Clear$/,
    );
    await click("#confirm-no");
    await page.until("!document.getElementById('confirm').open");
    assert.ok(await page.evaluate<number>("document.querySelectorAll('.user').length") > 0);
    await chat.say("/clear");
    await page.until("document.getElementById('confirm').open");
    await click("#confirm-yes");
    await page.until(
      `document.querySelector('.empty') ?? ${LOG}.includes("files stay as they are")`,
    );
    assert.deepEqual(page.problems, []);
  },
);
