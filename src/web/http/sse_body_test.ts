import assert from "node:assert/strict";
import { type BodySource, sseBody, type SseBodyOptions } from "./sse_body.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** A source that a test feeds: what it was asked, and whether it was ended. */
class Fed implements BodySource {
  asked = 0;
  returned = 0;
  #given = Promise.withResolvers<Uint8Array<ArrayBuffer> | undefined>();

  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    this.asked++;
    try {
      return await this.#given.promise;
    } finally {
      this.#given = Promise.withResolvers();
    }
  }

  return(): void {
    this.returned++;
    this.#given.resolve(undefined);
  }

  give(text: string | undefined): void {
    this.#given.resolve(text === undefined ? undefined : encode(text));
  }

  fail(message: string): void {
    this.#given.promise.catch(() => {});
    this.#given.reject(new Error(message));
  }
}

function reading(options: SseBodyOptions = {}) {
  const source = new Fed();
  const reader = sseBody(source, options).getReader();
  const read = async () => {
    const { done, value } = await reader.read();
    return done ? undefined : new TextDecoder().decode(value);
  };
  return { source, reader, read };
}

Deno.test("sseBody asks its source only when the client reads, and ends it once", async () => {
  const { source, read } = reading();
  await Promise.resolve();
  assert.equal(source.asked, 0);
  const first = read();
  source.give("data: 1\n\n");
  assert.deepEqual([await first, source.asked], ["data: 1\n\n", 1]);
  const end = read();
  source.give(undefined);
  assert.equal(await end, undefined);
  assert.deepEqual([source.asked, source.returned], [2, 1]);
});

Deno.test("sseBody sends comments while its source is silent, and then what came", async () => {
  const { source, read } = reading({ keepAlive: 1 });
  assert.equal(await read(), ": keep-alive\n\n");
  assert.equal(await read(), ": keep-alive\n\n");
  assert.equal(source.asked, 1);
  source.give("data: 1\n\n");
  let got = await read();
  while (got === ": keep-alive\n\n") got = await read();
  assert.equal(got, "data: 1\n\n");
  source.give(undefined);
  assert.equal(await read(), undefined);
  assert.equal(source.returned, 1);
});

Deno.test("sseBody ends its source when the client leaves, also while it waits", async () => {
  const { source, reader, read } = reading({ keepAlive: 60_000, stalled: 60_000 });
  const pending = read();
  await reader.cancel();
  assert.equal(await pending, undefined);
  assert.equal(source.returned, 1);
});

Deno.test("sseBody breaks with its source's error and ends it", async () => {
  const { source, read } = reading();
  const pending = read();
  source.fail("gone wrong");
  await assert.rejects(pending, /gone wrong/);
  assert.equal(source.returned, 1);
});

Deno.test("sseBody drops a client that reads nothing", async () => {
  const { source, reader, read } = reading({ stalled: 1 });
  await assert.rejects(reader.closed, { name: "TimeoutError" });
  await assert.rejects(read(), /took nothing for too long/);
  assert.equal(source.returned, 1);
});
