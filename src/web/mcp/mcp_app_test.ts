import assert from "node:assert/strict";
import { mcpApp } from "./mcp_app.ts";

const token = "key-of-the-state-folder-0123456789";
const seen: unknown[] = [];
const app = mcpApp({
  token,
  hosts: ["box"],
  handler: {
    fetch(_request, body) {
      seen.push(body);
      return Promise.resolve(Response.json({ ok: true }));
    },
  },
  limits: { bodyBytes: 100, bodyTime: 30_000 },
});

async function ask(
  headers: Record<string, string>,
  init: RequestInit = { method: "POST", body: '{"id":1}' },
  path = "/mcp",
) {
  const all = { "content-type": "application/json", ...headers };
  const response = await app.fetch(
    new Request(`http://localhost${path}`, { ...init, headers: all }),
  );
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const authorization = `Bearer ${token}`;

Deno.test("mcpApp answers at /mcp those who bring the key, and hands the parsed body on", async () => {
  seen.length = 0;
  const { status, body } = await ask({ authorization });
  assert.deepEqual([status, body], [200, { ok: true }]);
  assert.equal((await ask({ authorization }, { method: "GET" })).status, 200);
  assert.equal((await ask({ authorization, host: "box:80" })).status, 200);
  assert.deepEqual(seen, [{ id: 1 }, undefined, { id: 1 }]);
  assert.equal((await ask({ authorization }, undefined, "/")).status, 404);
});

Deno.test("mcpApp refuses a missing key, foreign pages and foreign names, on this machine too", async () => {
  seen.length = 0;
  const without = await ask({});
  assert.equal(without.status, 401);
  assert.equal(without.headers.get("www-authenticate"), "Bearer");
  assert.deepEqual(without.body, {
    jsonrpc: "2.0",
    error: {
      code: -32000,
      message: "The key is missing or wrong: send it as Authorization: Bearer KEY",
    },
    id: null,
  });
  assert.equal((await ask({ authorization: `${authorization}x` })).status, 401);
  assert.equal((await ask({ cookie: `llmcmd_token_80=${token}` })).status, 401);
  const query = await ask({}, { method: "GET" }, `/mcp?token=${token}`);
  assert.equal(query.status, 401);
  assert.equal((await ask({ authorization, origin: "http://evil.example" })).status, 403);
  assert.equal((await ask({ authorization, origin: "null" })).status, 403);
  assert.equal((await ask({ authorization, host: "evil.example" })).status, 421);
  assert.equal((await ask({ authorization, "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await ask({ authorization, "content-type": "text/plain" })).status, 415);
  assert.deepEqual(seen, []);
});

Deno.test("mcpApp answers a body that is no JSON or too long with what is wrong", async () => {
  const bad = await ask({ authorization }, { method: "POST", body: "{" });
  assert.deepEqual([bad.status, bad.body.error.code], [400, -32700]);
  const long = await ask({ authorization }, { method: "POST", body: `"${"x".repeat(100)}"` });
  assert.equal(long.status, 413);
  assert.equal(long.body.error.message, "The body is larger than 100 bytes");
});
