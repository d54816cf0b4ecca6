import assert from "node:assert/strict";
import { eventually, serving } from "../http/_testing.ts";
import { appOf, chatBody, go } from "./_testing.ts";
import { serverApp } from "../server/mod.ts";

const ANSWER = "The answer arrives whole.";

function post(url: string, init: RequestInit = {}, fields = { stream: true }): Promise<Response> {
  const body = chatBody("go", fields);
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    body,
    redirect: "manual",
    ...init,
  });
}

/** Reads a body until it ends or breaks. */
async function readAll(response: Response): Promise<{ text: string; broken: boolean }> {
  let text = "";
  try {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
    }
    return { text, broken: false };
  } catch {
    return { text, broken: true };
  }
}

Deno.test("mock on a socket: a cut stream delivers what came before, then breaks", async () => {
  for (
    const [fault, blocks] of [[{ cut_after: 0 }, 0], [{ cut_after: 3 }, 3], [
      { cut_after_bytes: 50 },
      0,
    ]] as const
  ) {
    const app = appOf([go({ response: { content: ANSWER }, fault })]);
    await serving(app, async (url) => {
      const { text, broken } = await readAll(await post(url));
      assert.equal(broken, true);
      assert.equal(text.split("\n\n").length - 1, blocks);
      if (blocks === 0) assert.equal(text.length, "cut_after_bytes" in fault ? 50 : 0);
    });
    assert.equal(app.mock.journal.entries[0]?.end, "cut");
  }
});

Deno.test("mock on a socket: a cut body that is not streamed breaks", async () => {
  const app = appOf([go({ response: { content: ANSWER }, fault: { cut_after: 1 } })]);
  await serving(app, async (url) => {
    const { text, broken } = await readAll(await post(url, {}, { stream: false }));
    assert.equal(broken, true);
    assert.match(text, /^\{"id":"mock-/);
  });
});

Deno.test("mock on a socket: status, Retry-After, page and redirect reach the client", async () => {
  const app = appOf([go({
    response: { content: ANSWER },
    fault: [
      { times: 1, status: 429, retry_after: 300 },
      { times: 1, html: true },
      { times: 1, redirect: "http://elsewhere.invalid/" },
    ],
  })]);
  await serving(app, async (url) => {
    const limited = await post(url);
    assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "300"]);
    assert.equal((await limited.json()).error.code, "rate_limit_exceeded");
    const page = await post(url);
    assert.deepEqual([page.status, page.headers.get("content-type")], [
      200,
      "text/html; charset=utf-8",
    ]);
    assert.match(await page.text(), /<h1>/);
    const redirect = await post(url);
    assert.deepEqual([redirect.status, redirect.headers.get("location")], [
      307,
      "http://elsewhere.invalid/",
    ]);
    await redirect.body?.cancel();
    const answer = await post(url);
    assert.match(await answer.text(), /\[DONE\]/);
  });
});

Deno.test("mock on a socket: a client that leaves a stalled stream is noticed", async () => {
  const app = appOf([go({ response: { content: ANSWER }, fault: { stall_after: 2 } })]);
  await serving(app, async (url) => {
    const controller = new AbortController();
    const response = await post(url, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    const pending = reader?.read().then(() => reader.read());
    controller.abort();
    await assert.rejects(pending ?? Promise.resolve(), { name: "AbortError" });
    assert.equal(await eventually(() => app.mock.journal.entries[0]?.end), "cancelled");
  });
});

Deno.test("mock on a socket: a client that leaves a slow stream is noticed, under a mount too", async () => {
  const fault = { chunk_delay: 60_000 };
  const mock = appOf([go({ response: { content: ANSWER }, fault })], { base: "/mock" });
  await serving(serverApp([{ path: "/mock", about: "", app: mock }]), async (url) => {
    const controller = new AbortController();
    const response = await post(`${url}/mock`, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort();
    assert.equal(await eventually(() => mock.mock.journal.entries[0]?.end), "cancelled");
    await reader?.closed.catch(() => {});
  });
});

Deno.test("mock on a socket: a client that leaves before the response is noticed", async () => {
  for (const fault of [{ hang: true }, { latency: 60_000 }]) {
    const app = appOf([go({ response: { content: ANSWER }, fault })]);
    await serving(app, async (url) => {
      const controller = new AbortController();
      const pending = post(url, { signal: controller.signal });
      await eventually(() => app.mock.journal.entries[0]);
      controller.abort();
      await assert.rejects(pending, { name: "AbortError" });
      assert.equal(await eventually(() => app.mock.journal.entries[0]?.end), "cancelled");
    });
  }
});

Deno.test("mock on a socket: its signal lets a server shut down over a stalled stream", async () => {
  const controller = new AbortController();
  const fault = { stall_after: 1 };
  const app = appOf([go({ response: { content: ANSWER }, fault })], { signal: controller.signal });
  let pending: Promise<{ broken: boolean }> | undefined;
  await serving(app, async (url) => {
    pending = readAll(await post(url));
    controller.abort();
  });
  assert.equal((await pending)?.broken, true);
});
