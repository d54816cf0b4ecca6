import assert from "node:assert/strict";
import { memorySessionStore } from "../../store/mod.ts";
import { chatApp } from "../../web/chat/mod.ts";
import { DesktopDoor } from "./door.ts";

const URL_OF_DOOR = "http://127.0.0.1:4567";
const TOKEN = "the token/of the chat";
const OWNER = "0123456789abcdef";

async function withDoor(
  use: (door: DesktopDoor, store: ReturnType<typeof memorySessionStore>) => Promise<void>,
): Promise<void> {
  const store = memorySessionStore();
  const app = chatApp({
    store,
    about: { root: "/work", model: "any" },
    token: TOKEN,
    startTurn: () => assert.fail("no turn is begun"),
  });
  try {
    await use(new DesktopDoor(app, { token: TOKEN, owner: OWNER }), store);
  } finally {
    await app.stop();
  }
}

/** The key in the address of the page. */
const keyIn = (page: string) => /<meta name="key" content="(\w+)">/.exec(page)?.[1] ?? "none";

const get = (url: string, headers: Record<string, string> = {}) => new Request(url, { headers });

Deno.test("DesktopDoor lets one visitor in by an address, who then has cookie and key", async () => {
  await withDoor(async (door) => {
    const { address, accepted } = door.invite(URL_OF_DOOR);
    assert.equal(address.includes(encodeURIComponent(TOKEN)), false);
    const page = await door.fetch(get(address));
    assert.equal(page.status, 200);
    await accepted;
    const authorization = `Bearer ${keyIn(await page.text())}`;
    const cookies = page.headers.getSetCookie();
    assert.equal(cookies.length, 1);
    const [cookie = ""] = cookies[0]?.split(";") ?? [];
    assert.match(cookie, /^llmcmd_token_\d+=[0-9a-f]{64}$/);
    assert.match(cookies[0] ?? "", /; HttpOnly; SameSite=Strict/);
    // A reload, with and without the key in the address.
    for (const url of [address, `${URL_OF_DOOR}/`, `${URL_OF_DOOR}/chat/page/main.js`]) {
      const again = await door.fetch(get(url, { cookie }));
      assert.equal(again.status, 200, url);
      await again.body?.cancel();
    }
    const sessions = `${URL_OF_DOOR}/sessions`;
    assert.equal((await door.fetch(get(sessions, { cookie }))).status, 401);
    assert.equal((await door.fetch(get(sessions, { cookie, authorization }))).status, 200);
    // A user who has read the address in the list of processes.
    const thief = await door.fetch(get(address));
    assert.equal(thief.status, 401);
    assert.equal(thief.headers.get("set-cookie"), null);
  });
});

Deno.test("DesktopDoor refuses all who have neither a key nor the token", async () => {
  await withDoor(async (door) => {
    const { address } = door.invite(URL_OF_DOOR);
    const { address: newer } = door.invite(URL_OF_DOOR);
    assert.equal((await door.fetch(get(address))).status, 401);
    for (const path of ["/", "/?key=", "/?key=undefined", "/health", "/sessions?key=x"]) {
      assert.equal((await door.fetch(get(URL_OF_DOOR + path))).status, 401, path);
    }
    // The key only opens the page, under this server's own name.
    const { search } = new URL(newer);
    assert.equal((await door.fetch(get(`${URL_OF_DOOR}/sessions${search}`))).status, 401);
    assert.equal((await door.fetch(new Request(newer, { method: "POST" }))).status, 401);
    assert.equal((await door.fetch(get(newer, { host: "evil.example" }))).status, 421);
    const page = await door.fetch(get(newer));
    assert.equal(page.status, 200);
    await page.body?.cancel();
  });
});

Deno.test("DesktopDoor makes all visitors the same owner of sessions", async () => {
  await withDoor(async (door, store) => {
    await store.create({ id: "s", owner: OWNER, time: 1 });
    const page = await door.fetch(get(door.invite(URL_OF_DOOR).address));
    const authorization = `Bearer ${keyIn(await page.text())}`;
    for (const cookie of ["other=1", "llmcmd_browser=ffffffffffffffff; other=1"]) {
      const headers = { authorization, cookie };
      const list = await (await door.fetch(get(`${URL_OF_DOOR}/sessions`, headers))).json();
      assert.deepEqual(list.sessions.map(({ id }: { id: string }) => id), ["s"]);
    }
  });
});
