import assert from "node:assert/strict";
import { ask, coderChat, eventsOf, PlayedTurns } from "../chat/_fixtures_test.ts";
import type { SecurityOptions } from "./security.ts";

const body = { message: "rm -rf", session: "s" };

/** A chat, and whether a request as it is made by a hostile page has begun a turn there. */
function victim(options: Partial<SecurityOptions> = {}) {
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start, ...options });
  const attack = async (headers: Record<string, string>, path = "/chat", given: unknown = body) => {
    const response = await ask(app, "POST", path, given, headers);
    if (response.status === 200 && path === "/chat") {
      await new Promise((resolve) => setTimeout(resolve, 5));
      turns.turns.at(-1)?.end();
      await eventsOf(response);
    }
    assert.equal(response.headers.get("access-control-allow-origin"), null);
    return response.status;
  };
  return { app, attack, turns };
}

/** The key that the page is given. */
function keyIn(page: string): string {
  return /<meta name="key" content="([0-9a-f]{64})">/.exec(page)?.[1] ?? "none";
}

Deno.test("a hostile page can't begin a turn by a form or another simple request", async () => {
  const { attack, turns } = victim();
  for (
    const type of [
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain",
      "text/plain; application/json",
      "application/jsonp",
      "",
    ]
  ) {
    assert.equal(await attack({ "content-type": type }), 415, type);
  }
  assert.equal(turns.turns.length, 0);
});

Deno.test("a hostile page can't begin, stop or clear anything from another origin", async () => {
  const { attack, app, turns } = victim();
  for (
    const origin of [
      "http://evil.example",
      "null",
      "http://localhost:3000",
      "http://localhost",
      "http://127.0.0.1:8765",
      "http://localhost:8765.evil.example",
      "file://",
    ]
  ) {
    for (const path of ["/chat", "/clear", "/sessions", "/runs/x/stop"]) {
      assert.equal(await attack({ origin }, path), 403, `${origin} ${path}`);
    }
  }
  for (const site of ["cross-site", "same-site"]) {
    const headers = { "sec-fetch-site": site, "sec-fetch-mode": "no-cors" };
    assert.equal(await attack(headers), 403, site);
    const read = await ask(app, "GET", "/sessions", undefined, headers);
    assert.equal(read.status, 403);
  }
  assert.equal(turns.turns.length, 0);
  const preflight = await app.fetch(
    new Request("http://localhost:8765/chat", {
      method: "OPTIONS",
      headers: {
        host: "localhost:8765",
        origin: "http://evil.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    }),
  );
  assert.equal(preflight.status, 403);
  assert.equal(preflight.headers.get("access-control-allow-origin"), null);
  assert.equal(await attack({ origin: "http://localhost:8765" }), 200);
  assert.equal(await attack({ "sec-fetch-site": "same-origin" }), 200);
  assert.equal(turns.turns.length, 2);
});

Deno.test("a hostile page can't make its own name point to this server (DNS rebinding)", async () => {
  const { attack, app, turns } = victim();
  for (const host of ["evil.example", "evil.example:8765", "localhost.evil.example:8765", ""]) {
    const origin = `http://${host}`;
    assert.equal(await attack({ host, origin, "sec-fetch-site": "same-origin" }), 421, host);
  }
  assert.equal((await ask(app, "GET", "/", undefined, { host: "evil.example" })).status, 421);
  assert.equal(turns.turns.length, 0);
  for (const host of ["localhost:8765", "127.0.0.1:1", "[::1]:8765", "LOCALHOST", "localhost."]) {
    assert.equal(await attack({ host }), 200, host);
  }
  const named = victim({ hosts: ["Box.local"] });
  assert.equal(await named.attack({ host: "box.local:8765" }), 200);
  assert.equal(await named.attack({ host: "other.local:8765" }), 421);
});

Deno.test("with a token, only who has it may do anything", async () => {
  const { attack, app, turns } = victim({ token: "open sesame", hosts: "any" });
  assert.equal(await attack({}), 401);
  assert.equal(await attack({ authorization: "Bearer wrong" }), 401);
  assert.equal(await attack({ cookie: "llmcmd_token_8765=open sesame" }), 401);
  assert.equal(await attack({}, "/chat?token=open+sesame"), 401);
  assert.equal((await ask(app, "GET", "/")).status, 401);
  assert.equal((await ask(app, "GET", "/?token=wrong")).status, 401);
  assert.equal((await ask(app, "GET", "/sessions")).status, 401);
  assert.equal((await ask(app, "GET", "/chat/page/main.js")).status, 401);
  assert.equal((await ask(app, "GET", "/chat/page/main.js?token=open+sesame")).status, 401);
  assert.equal(turns.turns.length, 0);
  const page = await ask(app, "GET", "/?token=open+sesame");
  assert.equal(page.status, 200);
  const cookies = page.headers.getSetCookie();
  assert.equal(cookies.length, 2);
  for (const cookie of cookies) assert.match(cookie, /; HttpOnly; SameSite=Strict$/);
  const cookie = cookies.map((line) => line.split(";")[0]).join("; ");
  assert.equal(cookie.includes("sesame"), false);
  const key = keyIn(await page.text());
  assert.equal(cookie.includes(key), false);
  // What the page loads then comes with the cookie, as the page does at the next visit.
  for (const path of ["/", "/chat/page/main.js", "/chat/page/style.css"]) {
    assert.equal((await ask(app, "GET", path, undefined, { cookie })).status, 200, path);
  }
  assert.doesNotMatch(await (await ask(app, "GET", "/", undefined, { cookie })).text(), /"key"/);
  // Other ports of the host are shown the cookie, so that it is not enough for more.
  assert.equal(await attack({ cookie }), 401);
  for (const path of ["/sessions", "/health", "/runs/x/events", "/none"]) {
    assert.equal((await ask(app, "GET", path, undefined, { cookie })).status, 401, path);
  }
  for (const path of ["/", "/chat/page/main.js"]) {
    assert.equal((await ask(app, "POST", path, {}, { cookie })).status, 401, path);
  }
  const authorization = `Bearer ${key}`;
  assert.equal(await attack({ cookie, authorization }), 200);
  assert.equal(await attack({ authorization: "Bearer open-sesame" }), 401);
  // The name does not matter then: a name made to point here has no key.
  const headers = { host: "box:8765", origin: "http://box:8765" };
  assert.equal(await attack({ ...headers, authorization }), 200);
  assert.equal(await attack({ authorization, origin: "http://evil.example" }), 403);
});

Deno.test("browsers keep the tokens of two servers on different ports apart", async () => {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const servers = ["localhost:8765", "localhost:8766", "localhost"].map((host) => ({
    host,
    app: victim({ token: `for ${host}` }).app,
  }));
  for (const { host, app } of servers) {
    const page = await ask(app, "GET", `/?token=for+${host}`, undefined, { host });
    assert.equal(page.status, 200);
    for (const line of page.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^(\w+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
  }
  assert.deepEqual([...jar.keys()].filter((name) => name.includes("token")), [
    "llmcmd_token_8765",
    "llmcmd_token_8766",
    "llmcmd_token_80",
  ]);
  for (const { host, app } of servers) {
    const { status } = await ask(app, "GET", "/chat/page/main.js", undefined, {
      ...{ host, cookie: cookie() },
    });
    assert.equal(status, 200, host);
  }
});

Deno.test("whoever has the token is told how a foreign host name is allowed, others are not", async () => {
  const howToAllow = (host: string) => `start it with --allow-host ${host}`;
  const { app, turns } = victim({ token: "open-sesame", howToAllow });
  const message = async (path: string, headers: Record<string, string>) => {
    const response = await ask(app, "GET", path, undefined, headers);
    assert.equal(response.status, 421);
    return (await response.json()).error.message;
  };
  const host = "Box.example:8765";
  const authorization = "Bearer open-sesame";
  const plain = "This server does not answer to that host name";
  const hint = `${plain}: start it with --allow-host box.example`;
  assert.equal(await message("/", { host }), plain);
  assert.equal(await message("/?token=wrong", { host }), plain);
  assert.equal(await message("/", { host, authorization: "Bearer wrong" }), plain);
  assert.equal(await message("/?token=open-sesame", { host }), hint);
  assert.equal(await message("/sessions", { host, authorization }), hint);
  assert.equal(await message("/", { host: "a b;rm -rf", authorization }), plain);
  const allowed = victim({ token: "open-sesame", hosts: ["box.example"], howToAllow });
  assert.equal(
    (await ask(allowed.app, "GET", "/?token=open-sesame", undefined, { host })).status,
    200,
  );
  assert.equal((await ask(allowed.app, "GET", "/", undefined, { host })).status, 401);
  assert.equal(turns.turns.length, 0);
});

Deno.test("every response forbids to guess, frame, embed and keep it", async () => {
  const { app } = victim();
  const page = await ask(app, "GET", "/");
  const policy = page.headers.get("content-security-policy") ?? "";
  assert.match(
    policy,
    /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/,
  );
  assert.match(
    policy,
    /; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'/,
  );
  assert.equal(policy.includes("unsafe"), false);
  assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/);
  for (
    const response of [
      page,
      await ask(app, "GET", "/none"),
      await ask(app, "GET", "/", undefined, { host: "evil" }),
      await ask(app, "GET", "/health"),
      await ask(app, "POST", "/chat", "{"),
    ]
  ) {
    const { headers } = response;
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("cache-control"), "no-store");
    await response.body?.cancel();
  }
});

Deno.test("only the page's own files can be its scripts and style sheets", async () => {
  const { app } = victim();
  const site = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
  const script = await ask(app, "GET", "/chat/page/main.js", undefined, site);
  assert.equal(script.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.match(script.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
  for (const path of ["/", "/health", "/sessions", "/sessions/x", "/none", "/chat/page/none.js"]) {
    const response = await ask(app, "GET", path, undefined, site);
    assert.doesNotMatch(response.headers.get("content-type") ?? "", /script|css|octet/, path);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff", path);
    await response.body?.cancel();
  }
  for (const elsewhere of ["cross-site", "same-site"]) {
    const headers = { "sec-fetch-site": elsewhere, "sec-fetch-mode": "no-cors" };
    assert.equal((await ask(app, "GET", "/chat/page/main.js", undefined, headers)).status, 403);
  }
});

Deno.test("opening the page from elsewhere works, framing and other uses don't", async () => {
  const { app } = victim();
  const get = async (mode: string, dest: string) => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": mode };
    const all = { ...headers, "sec-fetch-dest": dest };
    return (await ask(app, "GET", "/", undefined, all)).status;
  };
  assert.equal(await get("navigate", "document"), 200);
  assert.equal(await get("navigate", "iframe"), 403);
  assert.equal(await get("no-cors", "script"), 403);
});
