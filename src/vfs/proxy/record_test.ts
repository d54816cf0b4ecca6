import assert from "node:assert/strict";
import { memoryVfs } from "../memory_vfs.ts";
import type { Params } from "./protocol.ts";
import { type ProxyEvent, serve } from "./server.ts";
import { duplexPair, RawClient } from "./_testing.ts";

Deno.test("serve records what a request was about, also of one that is refused", async () => {
  const events: ProxyEvent[] = [];
  const requests: [string, Params][] = [
    ["open", { path: "a.txt", mode: "r" }],
    ["open", { path: "none", mode: "r" }],
    ["rename", { from: "a.txt", to: "b.txt" }],
    ["rename", { from: "a.txt", to: "c.txt" }],
    ["write", { h: 3, data: "" }],
    ["close", { h: 9 }],
    ["LLMCMD", { prompt: "x", files: ["b.txt", 3] }],
    ["close", { h: 3 }],
  ];
  const [near, far] = duplexPair();
  const vfs = memoryVfs({ files: { "a.txt": "hello" } });
  const served = serve(vfs, far, { record: (event) => events.push(event) });
  const client = new RawClient(near);
  await client.ask({ id: "h", op: "hello", params: { extensions: ["rename"] } });
  for (const [op, params] of requests) await client.ask({ id: "1", op, params });
  await client.end();
  await served;
  assert.deepEqual(events.slice(1).map((event) => JSON.parse(JSON.stringify(event))), [
    { client: "child", op: "open", path: "a.txt", mode: "r", h: 3 },
    { client: "child", op: "open", path: "none", mode: "r", code: "E_NOENT" },
    { client: "child", op: "rename", path: "a.txt", to: "b.txt" },
    { client: "child", op: "rename", path: "a.txt", to: "c.txt", code: "E_NOENT" },
    { client: "child", op: "write", h: 3, code: "E_PERM" },
    { client: "child", op: "close", h: 9, code: "E_NOENT" },
    { client: "child", op: "LLMCMD", files: ["b.txt", "3"], code: "E_UNSUPPORTED" },
    { client: "child", op: "close", path: "a.txt", mode: "r", h: 3, read: 0, written: 0 },
  ]);
});
