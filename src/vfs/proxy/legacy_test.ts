import assert from "node:assert/strict";
import { memoryVfs } from "../memory_vfs.ts";
import type { ProxyTables } from "./proxy_server.ts";
import { proxyServer } from "./proxy_server.ts";
import { duplexPair } from "./_testing.ts";

/** Sends bytes to a server of `test.txt`, and returns its replies. */
async function send(
  ...parts: string[]
): Promise<{ answer: string; problem: string | undefined; errors: number; tables: ProxyTables }> {
  const [near, far] = duplexPair();
  const server = proxyServer(memoryVfs({ files: { "test.txt": "hello" } }));
  const served = server.serve(far, { client: "old", pipe: "fd 3" });
  const writer = near.writable.getWriter();
  const writing = (async () => {
    for (const part of parts) {
      await writer.write(Uint8Array.from(part, (character) => character.charCodeAt(0)));
    }
  })().catch(() => {});
  let answer = "";
  let tables: ProxyTables = { clients: [], files: [] };
  const wanted = parts.length;
  let seen = 0;
  for await (const chunk of near.readable) {
    answer += String.fromCharCode(...chunk);
    tables = server.clients();
    if (++seen === wanted) writer.close().catch(() => {});
  }
  await writing;
  const { problem, errors } = await served;
  assert.deepEqual(server.clients(), { clients: [], files: [] });
  return { answer, problem, errors, tables };
}

Deno.test("serve speaks the legacy text protocol to who begins with a letter, and tells what is open", async () => {
  const { answer, errors, tables } = await send(
    "OPEN test.txt r true\n",
    "OPEN new w false\n",
    "READ 3 4\n",
    "READ 3 65536\n",
    "READ 3 1\n",
    "WRITE 4 6\na\nCL\0\n",
    "OPEN new r\n",
    "READ 5 100\n",
    "CLOSE 3\n",
  );
  assert.equal(answer, "OK 3\nOK 4\nOK 4\nhellOK 1\noOK 0\nOK 6\nOK 5\nOK 6\na\nCL\0\nOK\n");
  assert.equal(errors, 0);
  const { clients, files } = tables;
  assert.deepEqual(clients.map(({ connected_at: _at, ...row }) => row), [
    { id: "old", pipe_id: "fd 3", open_files: [4, 5] },
  ]);
  assert.match(clients[0]?.connected_at ?? "", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(files.map(({ opened_at: _at, ...row }) => row), [
    { fileno: 4, filename: "new", mode: "w", client_id: "old", is_top_level: false },
    { fileno: 5, filename: "new", mode: "r", client_id: "old", is_top_level: true },
  ]);
});

/** Commands with an error after which the connection continues. */
const REFUSED: readonly [string, string][] = [
  ["\n", "empty request"],
  ["INVALID\n", "unknown command: INVALID"],
  ["OPEN\n", "OPEN requires filename and mode"],
  ["OPEN test.txt\n", "OPEN requires filename and mode"],
  ["OPEN test.txt x\n", "mode x is not one of r, w, a, rw"],
  ["OPEN test.txt r maybe\n", "invalid is_top_level: maybe"],
  ["OPEN none r\n", "Cannot open none: no such file or folder"],
  ["READ 3\n", "READ requires fileno and size"],
  ["READ abc 1\n", "invalid fileno: abc"],
  ["READ 3 xyz\n", "invalid size: xyz"],
  ["READ 3 0\n", "invalid size: 0"],
  ["READ 3 65537\n", "invalid size: 65537"],
  ["READ 9 1\n", "there is no handle 9"],
  ["READ 0 1\n", "handle 0 is not served here"],
  ["WRITE 3\n", "WRITE requires fileno and size"],
  ["WRITE abc 3\nxyz", "invalid fileno: abc"],
  ["WRITE 9 3\nxyz", "there is no handle 9"],
  ["CLOSE\n", "CLOSE requires fileno"],
  ["CLOSE abc\n", "invalid fileno: abc"],
  ["CLOSE 9\n", "there is no handle 9"],
  ["LLM_QUOTA\n", "LLM_QUOTA is not served as text: use the JSON operation QUOTA"],
  ["LLM_CHAT\n", "LLM_CHAT is not served as text: use the JSON operation LLMCMD"],
  [
    "LLM_CHAT true 0 1 2 3 4\n/a\nOPEN",
    "LLM_CHAT is not served as text: use the JSON operation LLMCMD",
  ],
];

Deno.test("the legacy text protocol has the specified errors, and goes on after them", async () => {
  for (const [command, message] of REFUSED) {
    const { answer, errors } = await send("OPEN test.txt r\n", command, "READ 3 9\n");
    assert.equal(answer, `OK 3\nERROR ${message}\nOK 5\nhello`, command);
    assert.equal(errors, 1);
  }
});

/** Commands that end the connection: their data cannot be distinguished from commands. */
const ENDING: readonly [string, string][] = [
  ["WRITE 3 xyz\nCLOSE 3\n", "invalid size: xyz"],
  ["WRITE 3 65537\nCLOSE 3\n", "invalid size: 65537"],
  [
    "LLM_CHAT true 0 1 2 9 99999999\n",
    "LLM_CHAT is not served as text: use the JSON operation LLMCMD",
  ],
  ['\0\0\0\x16{"id":"1","op":"none"}\n', 'unknown command: \0\0\0\x16{"id":"1","op":"none"}'],
  [`OPEN ${"x".repeat(9000)}`, "no line feed within 8192 bytes"],
];

Deno.test("the legacy text protocol ends where commands can't be told from data", async () => {
  for (const [command, message] of ENDING) {
    const { answer } = await send("OPEN test.txt r\n", command, "READ 3 9\n");
    assert.equal(answer, `OK 3\nERROR ${message}\n`);
  }
});

Deno.test("a connection that began with frames takes no text", async () => {
  const { answer, problem } = await send('\0\0\0\x16{"id":"1","op":"none"}', "OPEN test.txt r\n");
  assert.match(answer, /E_UNSUPPORTED.*E_RANGE/s);
  assert.match(problem ?? "", /The frame has \d+ bytes, more than 65536/);
});
