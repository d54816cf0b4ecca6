import assert from "node:assert/strict";
import * as z from "zod";
import { BodyError, parseBody, readBody } from "./http_body.ts";

const limits = { bodyBytes: 10, bodyTime: 60_000 };

function request(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", { method: "POST", body, headers });
}

/** How a body is refused: status, message, and whether the connection is closed. */
async function refusal(reading: Promise<unknown>): Promise<unknown[]> {
  const error = await reading.then(() => undefined, (reason: unknown) => reason);
  assert.ok(error instanceof BodyError);
  return [error.status, error.message, error.headers];
}

Deno.test("readBody gives the text of a body up to its limit, and of none", async () => {
  assert.equal(await readBody(request("0123456789"), limits), "0123456789");
  assert.equal(await readBody(request(null), limits), "");
  const pieces = ReadableStream.from([new Uint8Array([0xc3]), new Uint8Array([0xa4])]);
  assert.equal(await readBody(request(pieces), limits), "\u00e4");
});

Deno.test("readBody refuses a long body by its length, without reading it", async () => {
  let pulled = 0;
  const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
  const close = { connection: "close" };
  assert.deepEqual(
    await refusal(readBody(request(body, { "content-length": "11" }), limits)),
    [413, "The body is larger than 10 bytes", close],
  );
  assert.equal(pulled, 0);
});

Deno.test("readBody stops reading a body without a length as soon as it is too long", async () => {
  let cancelled = false;
  let pulled = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(4));
    },
    cancel: () => void (cancelled = true),
  }, { highWaterMark: 0 });
  assert.equal((await refusal(readBody(request(body), limits)))[0], 413);
  assert.deepEqual([cancelled, pulled], [true, 3]);
});

Deno.test("readBody refuses what breaks off, is not UTF-8, or does not come", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  assert.deepEqual(await refusal(readBody(request(broken), limits)), [
    400,
    "The body broke off",
    {},
  ]);
  for (const bytes of [[0xff], [0xc3]]) {
    assert.deepEqual(await refusal(readBody(request(new Uint8Array(bytes)), limits)), [
      400,
      "The body is not UTF-8 text",
      {},
    ]);
  }
  const silent = new ReadableStream();
  assert.deepEqual(await refusal(readBody(request(silent), { ...limits, bodyTime: 1 })), [
    408,
    "The body did not come within 0.001 s",
    { connection: "close" },
  ]);
});

Deno.test("parseBody names the field that does not fit", () => {
  const schema = z.object({ a: z.object({ b: z.string() }) });
  assert.deepEqual(parseBody(schema, '{"a":{"b":"c"}}'), { a: { b: "c" } });
  assert.throws(() => parseBody(schema, '{"a":{}}'), /^BodyError: The body does not fit: a\.b: /);
  assert.throws(() => parseBody(schema, "3"), /^BodyError: The body does not fit: body: /);
  assert.throws(() => parseBody(schema, "{"), { status: 400, message: "The body is not JSON" });
});
