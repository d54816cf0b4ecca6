import assert from "node:assert/strict";
import { memoryVfs } from "../memory_vfs.ts";
import { duplexPair, RawClient } from "./_testing.ts";
import { serve, type ServeSummary } from "./server.ts";

/** A client with the extensions `pipe` and `seek`, and one pipe: handle 3 reads, 4 writes. */
async function talk(use: (client: RawClient) => Promise<void>): Promise<ServeSummary> {
  const [near, far] = duplexPair();
  const served = serve(memoryVfs(), far, { limits: { inFlight: 2, handles: 4 } });
  const client = new RawClient(near);
  await client.ask({ id: "h", op: "hello", params: { extensions: ["pipe", "seek"] } });
  assert.deepEqual(await client.ask({ id: "p", op: "pipe", params: {} }), {
    id: "p",
    ok: true,
    result: { read: 3, write: 4 },
  });
  await use(client);
  await client.end();
  return await served;
}

const read = (id: string, max = 99) => ({ id, op: "read", params: { h: 3, max } });
const write = (id: string, text: string) => ({
  id,
  op: "write",
  params: { h: 4, data: btoa(text) },
});
const close = (id: string, h: number, more = {}) => ({ id, op: "close", params: { h, ...more } });

/** A summary of an answer: its id, and its data, error or count. */
async function next(client: RawClient): Promise<string> {
  const answer = await client.receive() as {
    id: string;
    result?: { data?: string; written?: number };
    error?: { code: string };
  };
  const { data, written } = answer.result ?? {};
  return `${answer.id} ${data === undefined ? answer.error?.code ?? written ?? "ok" : atob(data)}`;
}

Deno.test("a pipe of the protocol gives what is written, a part at a time, then the end", async () => {
  const { left } = await talk(async (client) => {
    await client.send(write("w", "hello"));
    await client.send(close("c", 4));
    await client.send(read("r", 2));
    assert.equal(await next(client), "r he");
    await client.send(read("s"));
    // The write is done once all its bytes were read, even without another read.
    const answers = [await next(client), await next(client), await next(client)];
    assert.deepEqual(answers.sort(), ["c ok", "s llo", "w 5"]);
    await client.send(read("e"));
    assert.equal(await next(client), "e ");
    await client.send(close("d", 4));
    assert.equal(await next(client), "d E_CLOSED");
  });
  assert.equal(left, 1);
});

Deno.test("what waits for the other end of a pipe is not in flight, and is one request", async () => {
  const { left } = await talk(async (client) => {
    await client.send(read("r", 1));
    await client.send(read("s"));
    assert.equal(await next(client), "s E_RANGE");
    await client.send({ id: "k", op: "seek", params: { h: 3, offset: 0 } });
    assert.equal(await next(client), "k E_RANGE");
    // Two more requests, which is the limit in flight.
    await client.send(write("w", "ab"));
    await client.send(write("x", "b"));
    assert.deepEqual([await next(client), await next(client)].sort(), ["r a", "x E_RANGE"]);
    await client.send(close("c", 3));
    assert.deepEqual([await next(client), await next(client)].sort(), ["c ok", "w 2"]);
    await client.send(write("y", "c"));
    assert.equal(await next(client), "y E_CLOSED");
  });
  assert.equal(left, 1);
});

Deno.test("the ends of a pipe are only for what they are, and count as handles", async () => {
  await talk(async (client) => {
    for (
      const [request, code] of [
        [{ id: "1", op: "read", params: { h: 4, max: 1 } }, "E_PERM"],
        [{ id: "2", op: "write", params: { h: 3, data: "" } }, "E_PERM"],
        [{ id: "3", op: "seek", params: { h: 3, offset: 0 } }, "E_PERM"],
        [{ id: "4", op: "pipe", params: { name: 1 } }, "E_ARG"],
        [{ id: "5", op: "pipe", params: { name: "a pipe" } }, "ok"],
        [{ id: "6", op: "pipe" }, "E_RANGE"],
      ] as const
    ) {
      await client.send(request);
      assert.equal(await next(client), `${request.id} ${code}`);
    }
  });
});

Deno.test("a pipe that is cut off, or whose connection ends, fails what waits", async () => {
  await talk(async (client) => {
    await client.send(read("r"));
    await client.send(close("c", 4, { discard: true }));
    assert.deepEqual([await next(client), await next(client)].sort(), ["c ok", "r E_IO"]);
  });
  for (const wait of [read("r"), write("w", "x"), write("w", "")]) {
    const { left, requests } = await talk(async (client) => {
      await client.send(wait);
      await client.send(close("c", 4));
    });
    assert.equal(requests, 4);
    assert(left >= 1, `${left}`);
  }
});
