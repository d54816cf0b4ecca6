import assert from "node:assert/strict";
import { parseScenarios } from "../../mock/mod.ts";
import { sqliteSessionStore } from "../../store/mod.ts";
import { openDatabase } from "../../sys/mod.ts";
import { coderChat, eventsOf } from "./_fixtures_test.ts";
import { serving } from "../http/_testing.ts";

const CHATS = 100;

Deno.test("100 turns at once over sockets: what was shown is kept, each in its own session", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/web.sqlite`;
    const store = sqliteSessionStore(await openDatabase(path));
    // A line is committed before its text is shown: another connection reads the database as soon
    // as text comes.
    const other = await openDatabase(path);
    const count = other.prepare(
      'SELECT count(*) AS n FROM lines WHERE session = ? AND line LIKE \'%"role":"user"%\'',
    );
    const scenarios = parseScenarios({
      scenarios: Array.from({ length: CHATS }, (_, chat) => ({
        name: `${chat}`,
        trigger: `say ${chat}.`,
        steps: [{ response: { content: `answer ${chat} is here` } }],
      })),
    }, "test");
    const app = coderChat({ scenarios, store });
    await serving(app, async (url) => {
      await Promise.all(Array.from({ length: CHATS }, async (_, chat) => {
        const response = await fetch(`${url}/chat`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ message: `say ${chat}.`, session: `s${chat}` }),
        });
        const [mine, rest] = response.body?.tee() ?? assert.fail();
        const reader = mine.getReader();
        await reader.read();
        assert.equal(count.get(`s${chat}`)?.n, 1);
        reader.releaseLock();
        const [, shown] = await Promise.all([
          mine.pipeTo(new WritableStream()),
          eventsOf(new Response(rest, response)),
        ]);
        const text = shown.flatMap(({ event, data }) => event === "text" ? [data.content] : []);
        assert.equal(text.join(""), `answer ${chat} is here`);
      }));
    });
    for (let chat = 0; chat < CHATS; chat++) {
      const records = (await store.lines(`s${chat}`)).map((line) => JSON.parse(line));
      const messages = records.flatMap(({ message }) => message === undefined ? [] : [message]);
      assert.deepEqual(messages.map(({ role }) => role), ["system", "user", "assistant"]);
      assert.equal(messages[1].content, `say ${chat}.`);
      assert.equal(messages[2].content, `answer ${chat} is here`);
      assert.equal((await store.get(`s${chat}`))?.turns, 1);
    }
    other.close();
    await store.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
