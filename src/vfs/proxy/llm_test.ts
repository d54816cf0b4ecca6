import assert from "node:assert/strict";
import { MemorySink, memorySource } from "../../streams/mod.ts";
import { memoryVfs } from "../memory_vfs.ts";
import { duplexPair, RawClient } from "./_testing.ts";
import { ProxyError } from "./errors.ts";
import type { ProxyLlm } from "./llm.ts";
import { codeOf, echo, end, llmOf, QUOTA, task, USAGE, waiting } from "./_llm_testing.ts";
import { serve, type ServeOptions } from "./server.ts";

async function talk(
  use: (client: RawClient) => Promise<void>,
  options: ServeOptions,
): Promise<string[]> {
  const [near, far] = duplexPair();
  const events: string[] = [];
  const files = { "a.txt": "aaa", "b.txt": "bbb" };
  const served = serve(memoryVfs({ files }), far, {
    record: ({ op, code, files }) =>
      events.push([op, ...(code ? [code] : []), ...(files ?? [])].join(" ")),
    ...options,
  });
  const client = new RawClient(near);
  for (const [path, mode] of [["a.txt", "r"], ["out", "rw"], ["b.txt", "a"], ["gone", "w"]]) {
    await client.ask({ id: "o", op: "open", params: { path, mode } });
  }
  await client.ask({ id: "o", op: "close", params: { h: 6 } });
  await use(client);
  await client.end();
  assert.equal((await served).problem, undefined);
  return events.filter((event) => !/^(open|close)/.test(event));
}

Deno.test("LLMCMD and QUOTA are unsupported without an LLM, and refused where it is denied", async () => {
  for (const [llm, code] of [[undefined, "E_UNSUPPORTED"], ["denied", "E_PERM"]] as const) {
    await talk(async (client) => {
      assert.equal(codeOf(await client.ask({ id: "q", op: "QUOTA" })), code);
      assert.equal(codeOf(await client.ask(task({ prompt: "x" }))), code);
      assert.equal(codeOf(await client.ask(task({}))), code);
    }, { llm });
  }
});

Deno.test("QUOTA gives the budget, and LLMCMD runs with handles and files as descriptors", async () => {
  const events = await talk(async (client) => {
    assert.deepEqual(await client.ask({ id: "q", op: "QUOTA" }), {
      id: "q",
      ok: true,
      result: QUOTA,
    });
    assert.deepEqual(
      await client.ask(task({ prompt: "do", files: ["b.txt"], stdin: 3, stdout: 4, stderr: 5 })),
      end({}),
    );
    await client.ask({ id: "h", op: "hello", params: { extensions: ["seek"] } });
    await client.ask({ id: "s", op: "seek", params: { h: 4, offset: 0 } });
    assert.deepEqual(await client.ask({ id: "r", op: "read", params: { h: 4, max: 99 } }), {
      id: "r",
      ok: true,
      result: { data: btoa("do|true|aaa|b.txt=bbb"), eof: false },
    });
    await client.ask({ id: "s", op: "seek", params: { h: 3, offset: 1 } });
    // A handle is read from its position. Without stdout the output is in the answer.
    assert.deepEqual(
      await client.ask(task({ prompt: "do", files: [3, "b.txt"], top_level: false })),
      end({ data: btoa("do|false||a.txt=aa|b.txt=bbbtold") }),
    );
  }, { llm: echo });
  assert.deepEqual(events, ["QUOTA", "LLMCMD b.txt", "hello", "LLMCMD 3 b.txt"]);
});

/** Refused requests, each with its code. */
const REFUSED: readonly [string, Record<string, unknown>, string][] = [
  ["no prompt", {}, "E_ARG"],
  ["an empty prompt", { prompt: "" }, "E_ARG"],
  ["a prompt that is no text", { prompt: 1 }, "E_ARG"],
  ["top_level that is no truth", { prompt: "x", top_level: "yes" }, "E_ARG"],
  ["files that are no list", { prompt: "x", files: "a.txt" }, "E_ARG"],
  ["a file that is neither path nor handle", { prompt: "x", files: [{}] }, "E_ARG"],
  ["a missing file", { prompt: "x", files: ["a.txt", "none"] }, "E_NOENT"],
  ["too many files", { prompt: "x", files: Array(65).fill("a.txt") }, "E_RANGE"],
  ["a file that is a handle for writing", { prompt: "x", files: [5] }, "E_PERM"],
  ["stdin that is no number", { prompt: "x", stdin: "3" }, "E_ARG"],
  ["stdin that is for writing", { prompt: "x", stdin: 5 }, "E_PERM"],
  ["stdout that is for reading", { prompt: "x", stdout: 3 }, "E_PERM"],
  ["stderr that is for reading", { prompt: "x", stderr: 3 }, "E_PERM"],
  ["stdout that is closed", { prompt: "x", stdout: 6 }, "E_CLOSED"],
  ["stdout never given out", { prompt: "x", stdout: 7 }, "E_NOENT"],
  ["stdout that is the process's", { prompt: "x", stdout: 1 }, "E_PERM"],
];

Deno.test("LLMCMD refuses what is no task before the model is asked", async () => {
  let asked = 0;
  const llm = llmOf(() => Promise.resolve(asked++));
  await talk(async (client) => {
    for (const [name, params, code] of REFUSED) {
      assert.equal(codeOf(await client.ask(task(params))), code, name);
    }
  }, { llm });
  assert.equal(asked, 0);
});

Deno.test("LLMCMD takes the process's streams where they are served", async () => {
  const stdout = new MemorySink();
  const stdio = { stdin: memorySource("typed"), stdout, stderr: new MemorySink() };
  await talk(async (client) => {
    assert.deepEqual(await client.ask(task({ prompt: "p", stdin: 0, stdout: 1 })), end({}));
    assert.equal(codeOf(await client.ask(task({ prompt: "p", stdout: 0 }))), "E_PERM");
  }, { llm: echo, stdio });
  assert.equal(stdout.text(), "p|true|typed");
});

Deno.test("LLMCMD answers with what ended it, and keeps an answer short", async () => {
  const llm: ProxyLlm = {
    quota: () => QUOTA,
    async run({ prompt, stdout }) {
      if (prompt === "spent") throw new ProxyError("E_RANGE", "quota exceeded");
      const error = await stdout.write(new Uint8Array(65_537)).catch((error) => error);
      return { exitCode: 4, message: error.message, usage: {} };
    },
  };
  await talk(async (client) => {
    assert.equal(codeOf(await client.ask(task({ prompt: "spent" }))), "E_RANGE");
    const message = "it is longer than 65536 bytes: give a handle as stdout";
    assert.deepEqual(await client.ask(task({ prompt: "long" })), {
      id: "l",
      ok: true,
      result: { exit_code: 4, data: "", message, usage: {}, quota: QUOTA },
    });
  }, { llm });
});

Deno.test("LLMCMD is stopped by the close of its output, with the code of a reader that is gone", async () => {
  let started = () => {};
  const running = new Promise<void>((resolve) => started = resolve);
  await talk(async (client) => {
    await client.send(task({ prompt: "wait", stdout: 4 }));
    await running;
    await client.send({ id: "c", op: "close", params: { h: 4 } });
    const answers = [await client.receive(), await client.receive()];
    const expected = { exit_code: 141, usage: USAGE, quota: QUOTA };
    assert.deepEqual(
      answers.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
      [{ id: "c", ok: true }, { id: "l", ok: true, result: expected }],
    );
  }, { llm: waiting(() => started()) });
});

Deno.test("LLMCMD runs eight tasks of a connection at a time, and refuses more", async () => {
  await talk(async (client) => {
    for (let id = 0; id < 8; id++) {
      await client.send({ ...task({ prompt: "wait", stdout: 4 }), id: `${id}` });
    }
    assert.equal(codeOf(await client.ask(task({ prompt: "x" }))), "E_RANGE");
    await client.send({ id: "c", op: "close", params: { h: 4 } });
    for (let answer = 0; answer < 9; answer++) assert.equal(codeOf(await client.receive()), "none");
    assert.equal(codeOf(await client.ask(task({ prompt: "" }))), "E_ARG");
  }, { llm: waiting(() => {}) });
});

Deno.test("LLMCMD is stopped by the end of the connection", async () => {
  for (const how of ["end", "kill", "signal"] as const) {
    const [kill, stop] = [new AbortController(), new AbortController()];
    const [near, far] = duplexPair(kill.signal);
    let started = () => {};
    const running = new Promise<void>((resolve) => started = resolve);
    const llm = waiting(() => started());
    const limits = { patience: 50 };
    const served = serve(memoryVfs(), far, { llm, limits, signal: stop.signal });
    const client = new RawClient(near);
    await client.send(task({ prompt: "wait" }));
    await running;
    if (how === "end") await client.end();
    if (how === "kill") kill.abort();
    if (how === "signal") stop.abort();
    const { requests } = await served;
    assert.equal(requests, 1);
  }
});
