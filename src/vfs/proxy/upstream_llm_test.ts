import assert from "node:assert/strict";
import { MemorySink, memorySource } from "../../streams/mod.ts";
import { memoryVfs } from "../memory_vfs.ts";
import type { Vfs } from "../types.ts";
import { duplexPair, RawClient } from "./_testing.ts";
import { codeOf, echo, end, llmOf, QUOTA, task, USAGE, waiting } from "./_llm_testing.ts";
import { connect, type ConnectOptions, type ProxyClient } from "./client.ts";
import { ProxyError } from "./errors.ts";
import type { ProxyLlm } from "./llm.ts";
import { serve, type ServeOptions, type ServeSummary } from "./server.ts";

interface Talk {
  /** Number of proxies between the client and the server. */
  readonly hops?: number;
  /** Options with which the client's own proxy serves it. */
  readonly between?: ServeOptions;
  /** Options with which that proxy connects. */
  readonly connecting?: ConnectOptions;
  readonly vfs?: Vfs;
}

const FILES = { "a.txt": "aaa", "b.txt": "bbb" };

/**
 * Runs a conversation, through proxies, with a server that has an LLM. Returns the server's totals.
 */
async function talk(
  llm: ServeOptions["llm"],
  use: (client: RawClient, vfs: Vfs) => Promise<void>,
  { hops = 1, between = {}, connecting = {}, vfs = memoryVfs({ files: FILES }) }: Talk = {},
): Promise<ServeSummary> {
  const [first, top] = duplexPair();
  let near = first;
  const served = serve(vfs, top, { llm });
  const proxies: { client: ProxyClient; done: Promise<ServeSummary> }[] = [];
  for (let hop = 1; hop <= hops; hop++) {
    const client = await connect(near, hop === hops ? connecting : {});
    const [below, above] = duplexPair();
    proxies.push({ client, done: serve(client, above, hop === hops ? between : {}) });
    near = below;
  }
  const client = new RawClient(near);
  await use(client, vfs);
  await client.end();
  for (const { client, done } of proxies.reverse()) {
    assert.equal((await done).problem, undefined);
    await client.close();
  }
  return await served;
}

async function open(client: RawClient, path: string, mode: string, more = {}): Promise<void> {
  const answer = await client.ask({ id: "o", op: "open", params: { path, mode, ...more } });
  assert.equal(codeOf(answer), "none", JSON.stringify(answer));
}

const read = (h: number) => ({ id: "r", op: "read", params: { h, max: 99 } });
const data = (text: string) => ({
  id: "r",
  ok: true,
  result: { data: btoa(text), eof: text === "" },
});

Deno.test("a proxy between passes QUOTA and LLMCMD on, with its handles as the server's", async () => {
  for (const hops of [1, 2]) {
    const { left } = await talk(echo, async (client, vfs) => {
      assert.deepEqual(await client.ask({ id: "q", op: "QUOTA" }), {
        id: "q",
        ok: true,
        result: QUOTA,
      });
      await client.ask({ id: "h", op: "hello", params: { extensions: ["seek", "replace"] } });
      // Shifts the handle numbers, so that they differ from the server's.
      await open(client, "a.txt", "r");
      await client.ask({ id: "c", op: "close", params: { h: 3 } });
      await vfs.open("a.txt", "r");
      await open(client, "a.txt", "r");
      await open(client, "out", "rw");
      await open(client, "b.txt", "a");
      await open(client, "new", "w", { replace: true });
      assert.deepEqual(
        await client.ask({ id: "r", op: "read", params: { h: 4, max: 1 } }),
        data("a"),
      );
      await client.ask({ id: "w", op: "write", params: { h: 5, data: btoa("head:") } });
      assert.deepEqual(
        await client.ask(task({ prompt: "do", files: ["b.txt"], stdin: 4, stdout: 5, stderr: 6 })),
        end({}),
      );
      // All handles are at the positions where the task has left them.
      assert.deepEqual(await client.ask(read(4)), data(""));
      await client.ask({ id: "w", op: "write", params: { h: 5, data: btoa(":tail") } });
      await client.ask({ id: "s", op: "seek", params: { h: 5, offset: 0 } });
      assert.deepEqual(await client.ask(read(5)), data("head:do|true|aa|b.txt=bbb:tail"));
      await client.ask({ id: "s", op: "seek", params: { h: 4, offset: 1 } });
      const small = { prompt: "do", files: [4, "b.txt"], top_level: false };
      const done = "do|false||a.txt=aa|b.txt=bbbtold";
      assert.deepEqual(await client.ask(task(small)), end({ data: btoa(done) }));
      assert.deepEqual(await client.ask(task({ prompt: "do", stdout: 7 })), end({}));
      await client.ask({ id: "c", op: "close", params: { h: 7 } });
      assert.equal((await vfs.stat("new")).size, "do|true|".length);
    }, { hops });
    assert.equal(left, 0);
  }
});

Deno.test("a proxy between that serves standard streams passes them on while the task runs", async () => {
  let go = () => {};
  const gate = new Promise<void>((resolve) => go = resolve);
  const llm = llmOf(async ({ stdin, stdout, stderr }) => {
    assert(stdin !== undefined);
    const { value } = await stdin.next();
    await stdout.write(Uint8Array.from(value ?? []));
    await stderr?.write(new TextEncoder().encode("told"));
    await gate;
    await stdout.write(new TextEncoder().encode("!"));
    return 0;
  });
  let seen = () => {};
  const told = new Promise<void>((resolve) => seen = resolve);
  const stdout = new MemorySink();
  const stderr = new MemorySink();
  const noticed = {
    write: async (chunk: Uint8Array<ArrayBuffer>) => {
      await stderr.write(chunk);
      seen();
    },
    close: () => Promise.resolve(),
  };
  const stdio = { stdin: memorySource("typed"), stdout, stderr: noticed };
  const { left } = await talk(llm, async (client) => {
    await client.send(task({ prompt: "p", stdin: 0, stdout: 1, stderr: 2 }));
    await told;
    assert.equal(stdout.text(), "typed");
    go();
    assert.deepEqual(await client.receive(), end({}));
  }, { between: { stdio } });
  assert.deepEqual([stdout.text(), stderr.text(), left], ["typed!", "told", 0]);
});

Deno.test("a proxy between passes on why LLMCMD and QUOTA were refused", async () => {
  const spent: ProxyLlm = {
    quota: () => QUOTA,
    run: () => Promise.reject(new ProxyError("E_RANGE", "quota exceeded")),
  };
  const ways = [[undefined, "E_UNSUPPORTED"], ["denied", "E_PERM"], [spent, "E_RANGE"]] as const;
  for (const [llm, code] of ways) {
    const { left } = await talk(llm, async (client) => {
      if (llm !== spent) assert.equal(codeOf(await client.ask({ id: "q", op: "QUOTA" })), code);
      assert.equal(codeOf(await client.ask(task({ prompt: "x" }))), code);
      assert.equal(codeOf(await client.ask(task({ prompt: "x", files: ["none"] }))), "E_NOENT");
    });
    assert.equal(left, 0);
  }
  // A proxy can deny what its server offers, and needs pipes for local streams.
  await talk(echo, async (client) => {
    assert.equal(codeOf(await client.ask({ id: "q", op: "QUOTA" })), "E_PERM");
    assert.equal(codeOf(await client.ask(task({ prompt: "x" }))), "E_PERM");
  }, { between: { llm: "denied" } });
  await talk(echo, async (client) => {
    assert.equal(codeOf(await client.ask(task({ prompt: "x" }))), "E_UNSUPPORTED");
    await open(client, "out", "w");
    assert.deepEqual(await client.ask(task({ prompt: "x", stdout: 3 })), end({}));
    await client.ask({ id: "w", op: "write", params: { h: 3, data: btoa("!") } });
    await open(client, "out", "r");
    assert.deepEqual(await client.ask(read(4)), data("x|true|!"));
  }, { connecting: { extensions: [] } });
});

Deno.test("a proxy between says where an output is too long for the answer", async () => {
  const llm = llmOf(async ({ stdout }) => {
    for (;;) await stdout.write(new Uint8Array(40_000));
  });
  const failing: ProxyLlm = {
    quota: () => QUOTA,
    run: (task) => llm.run(task).catch(() => ({ exitCode: 141, usage: USAGE })),
  };
  await talk(failing, async (client) => {
    const answer = await client.ask(task({ prompt: "x" }));
    assert(typeof answer === "object" && answer !== null && "result" in answer);
    const { data, ...result } = answer.result as { data: string };
    const message = "it is longer than 65536 bytes: give a handle as stdout";
    assert.deepEqual(result, { exit_code: 4, message, usage: USAGE, quota: QUOTA });
    assert(atob(data).length <= 65_536);
  });
});

Deno.test("a proxy between stops the server's task when its output is closed", async () => {
  for (const replace of [false, true]) {
    let started = () => {};
    const running = new Promise<void>((resolve) => started = resolve);
    const llm = llmOf(async (task) => {
      await task.stdout.write(new TextEncoder().encode("begun"));
      await waiting(started).run(task);
      return 1;
    });
    const { left } = await talk(llm, async (client, vfs) => {
      await client.ask({ id: "h", op: "hello", params: { extensions: ["replace"] } });
      await open(client, "out", "w", replace ? { replace } : {});
      await client.send(task({ prompt: "wait", stdout: 3 }));
      await running;
      await client.send({ id: "c", op: "close", params: { h: 3 } });
      const answers = [await client.receive(), await client.receive()];
      assert.deepEqual(
        answers.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
        [
          { id: "c", ok: true },
          { id: "l", ok: true, result: { exit_code: 141, usage: USAGE, quota: QUOTA } },
        ],
      );
      assert.equal((await vfs.stat("out")).size, 5);
    });
    assert.equal(left, 0);
  }
});

Deno.test("a proxy between ends with its client also while its standard output takes nothing", async () => {
  let full = () => {};
  const stuck = new Promise<void>((resolve) => full = resolve);
  const llm = llmOf(async ({ stdout, signal }) => {
    while (!signal.aborted) await stdout.write(new Uint8Array(1000));
    return 1;
  });
  const write = () => {
    full();
    return new Promise<void>(() => {});
  };
  const blocked = { write, close: () => Promise.resolve() };
  const stdio = { stdin: memorySource(""), stdout: blocked, stderr: blocked };
  const failing: ProxyLlm = {
    quota: () => QUOTA,
    run: (task) => llm.run(task).catch(() => ({ exitCode: 141, usage: USAGE })),
  };
  const { left } = await talk(failing, async (client) => {
    await client.send(task({ prompt: "p", stdout: 1 }));
    await stuck;
  }, { between: { stdio } });
  assert.equal(left, 0);
});

Deno.test("a proxy between stops what a vanished client has started, and serves others on", async () => {
  for (const stdout of [undefined, 3, 1]) {
    let started = () => {};
    let stopped = () => {};
    const running = new Promise<void>((resolve) => started = resolve);
    const ended = new Promise<void>((resolve) => stopped = resolve);
    const llm = llmOf(async (task) => {
      await waiting(started).run(task);
      stopped();
      return 1;
    });
    const [near, top] = duplexPair();
    const vfs = memoryVfs({ files: FILES });
    const served = serve(vfs, top, { llm });
    const between = await connect(near);
    const cut = new AbortController();
    const [lost, up] = duplexPair(cut.signal);
    const [other, upper] = duplexPair();
    const stdin = Object.assign(Object.create(null), { next: () => new Promise<never>(() => {}) });
    const stdio = { stdin, stdout: new MemorySink(), stderr: new MemorySink() };
    const first = serve(between, up, { stdio });
    const second = serve(between, upper);
    const vanishing = new RawClient(lost);
    await open(vanishing, "out", "w", {});
    await vanishing.send(task({ prompt: "wait", stdout }));
    await running;
    cut.abort();
    await ended;
    assert.equal((await first).left, 1);
    const client = new RawClient(other);
    await open(client, "a.txt", "r");
    assert.deepEqual(await client.ask(read(3)), data("aaa"));
    await client.end();
    await second;
    await between.close();
    assert.equal((await served).left, 0);
  }
});
