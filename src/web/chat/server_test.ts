import assert from "node:assert/strict";
import { coderChat, EventReader, eventsOf, PlayedTurns } from "./_fixtures_test.ts";
import { eventually, serving } from "../http/_testing.ts";
import { defaultChatLimits } from "./mod.ts";

const encoder = new TextEncoder();
const MIB = 1024 * 1024;

/** A raw TCP connection. */
class Raw implements Disposable {
  readonly #connection: Deno.TcpConn;

  constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open(url: string): Promise<Raw> {
    const { hostname, port } = new URL(url);
    return new Raw(await Deno.connect({ hostname, port: Number(port) }));
  }

  /** Sends a text. What the other side no longer accepts is dropped. */
  async send(text: string): Promise<void> {
    const bytes = encoder.encode(text);
    try {
      for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
    } catch {
      // The server has closed the connection.
    }
  }

  /** Reads until the connection ends or the text matches. */
  async read(until = /$never/): Promise<string> {
    const buffer = new Uint8Array(64 * 1024);
    let text = "";
    try {
      while (!until.test(text)) {
        const count = await this.#connection.read(buffer);
        if (count === null) break;
        text += new TextDecoder().decode(buffer.subarray(0, count));
      }
    } catch {
      // It has been reset.
    }
    return text;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

const HEAD = "POST /chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
const chunk = (text: string) => `${encoder.encode(text).length.toString(16)}\r\n${text}\r\n`;

function post(url: string, message: string, session: string, init: RequestInit = {}) {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message, session }),
    ...init,
  });
}

Deno.test("a body of chunks is refused as soon as it is larger than 1 MiB", async () => {
  assert.equal(defaultChatLimits.bodyBytes, MIB);
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start });
  await serving(app, async (url) => {
    using raw = await Raw.open(url);
    await raw.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    await raw.send(chunk('{"session":"s","message":"'));
    for (let n = 0; n < 16; n++) await raw.send(chunk("x".repeat(MIB / 16)));
    // The end of the body never comes, so the answer must not wait for it.
    const answer = await raw.read(/\}\}/);
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    assert.match(answer, /The body is larger than 1048576 bytes/);
    assert.equal(turns.turns.length, 0);
    // A body of 1 MiB is accepted, also in chunks.
    using whole = await Raw.open(url);
    const body = JSON.stringify({ session: "s", message: "" });
    const message = "x".repeat(MIB - body.length);
    await whole.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const text = JSON.stringify({ session: "s", message });
    assert.equal(text.length, MIB);
    for (let at = 0; at < text.length; at += 100_000) {
      await whole.send(chunk(text.slice(at, at + 100_000)));
    }
    await whole.send("0\r\n\r\n");
    const turn = await eventually(() => turns.turns[0]);
    assert.equal(turn.given.message, message);
    turn.end();
    assert.match(await whole.read(/event: done/), /^HTTP\/1\.1 200 /);
  });
});

Deno.test("a body that does not come, or comes in drips, is given up", async () => {
  const app = coderChat({ limits: { bodyTime: 150 } });
  await serving(app, async (url) => {
    for (const rest of ["Content-Length: 100\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"]) {
      using raw = await Raw.open(url);
      await raw.send(HEAD + rest);
      let sending = true;
      const drip = (async () => {
        while (sending) {
          await raw.send(rest.startsWith("C") ? " " : chunk(" "));
          await new Promise((resolve) => setTimeout(resolve, 40));
        }
      })();
      const answer = await raw.read(/\}\}/);
      sending = false;
      await drip;
      assert.match(answer, /^HTTP\/1\.1 408 /);
      assert.match(answer, /\r\nconnection: close\r\n/i);
      assert.match(answer, /The body did not come within 0\.15 s/);
    }
    assert.equal(defaultChatLimits.bodyTime, 10_000);
  });
});

Deno.test("a body that breaks off begins no turn", async () => {
  const turns = new PlayedTurns();
  const errors: unknown[] = [];
  const app = coderChat({ startTurn: turns.start, onError: (error) => errors.push(error) });
  await serving(app, async (url) => {
    {
      using raw = await Raw.open(url);
      await raw.send(`${HEAD}Content-Length: 100\r\n\r\n{"message":`);
    }
    await (await fetch(`${url}/health`)).text();
  });
  assert.deepEqual([turns.turns.length, errors], [0, []]);
});

Deno.test("connections that never end their headers do not keep others from being served", async () => {
  const app = coderChat();
  await serving(app, async (url) => {
    const held = await Promise.all(Array.from({ length: 200 }, () => Raw.open(url)));
    try {
      for (const raw of held) await raw.send("POST /chat HTTP/1.1\r\nHost: localhost\r\nX-A: ");
      const { status } = await (await fetch(`${url}/health`)).json();
      assert.equal(status, "ok");
    } finally {
      for (const raw of held) raw[Symbol.dispose]();
    }
    // The runtime's own limit for headers.
    using raw = await Raw.open(url);
    await raw.send(
      `GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: ${"x".repeat(500_000)}\r\n\r\n`,
    );
    assert.match(await raw.read(/\r\n\r\n/), /^HTTP\/1\.1 4\d\d /);
  });
});

Deno.test("requests that want another protocol, or are none, get no answer of it", async () => {
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start });
  const socket = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  await serving(app, async (url) => {
    const answer = async (text: string) => {
      using raw = await Raw.open(url);
      await raw.send(text);
      return (await raw.read(/\r\n\r\n/)).split("\r\n")[0];
    };
    for (const path of ["/chat", "/runs/x/events", "/sessions"]) {
      const hostile = `Host: localhost\r\nOrigin: http://evil.example\r\n${socket}\r\n`;
      assert.match(await answer(`GET ${path} HTTP/1.1\r\n${hostile}`) ?? "", / 403 /, path);
      // Other protocols are refused even without an `Origin`.
      const plain = await answer(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${socket}\r\n`);
      assert.match(plain ?? "", / (200|404) /, path);
    }
    assert.equal(
      await answer("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
      "HTTP/1.1 421 Misdirected Request",
    );
    assert.match(await answer("hello\r\n\r\n") ?? "", /^(HTTP\/1\.1 400 Bad Request|)$/);
  });
  assert.equal(turns.turns.length, 0);
});

Deno.test("turns beyond the caps are refused with the time to wait, over sockets", async () => {
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start, limits: { turns: 3, turnsPerMinute: 4 } });
  await serving(app, async (url) => {
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => post(url, "x", `s${n}`)));
    const running = all.filter(({ status }) => status === 200);
    const refused = all.filter(({ status }) => status === 503);
    assert.deepEqual([running.length, refused.length], [3, 7]);
    for (const response of refused) {
      assert.equal(response.headers.get("retry-after"), "5");
      assert.deepEqual(await response.json(), {
        error: { message: "There are 3 turns running, which is the limit" },
      });
    }
    await eventually(() => turns.turns[2]);
    for (const turn of turns.turns) turn.end();
    for (const response of running) await eventsOf(response);
    const fourth = await post(url, "x", "a");
    (await eventually(() => turns.turns[3])).end();
    await eventsOf(fourth);
    const fifth = await post(url, "x", "a");
    assert.equal(fifth.status, 429);
    assert.match(fifth.headers.get("retry-after") ?? "", /^1[0-5]$/);
    await fifth.body?.cancel();
  });
  assert.equal(app.running, 0);
});

Deno.test("a client that reads slowly gets back-pressure, not memory, and all events", async () => {
  const piece = "x".repeat(64 * 1024);
  const pieces = 1024;
  let made = 0;
  const app = coderChat({
    startTurn: () => ({
      result: Promise.resolve({ messages: [] }),
      events: new ReadableStream({
        pull(controller) {
          if (made++ === pieces) controller.close();
          else controller.enqueue({ type: "text", content: piece });
        },
      }, { highWaterMark: 0 }),
    }),
  });
  await serving(app, async (url) => {
    const response = await post(url, "Go", "s");
    const reader = response.body?.getReader() ?? assert.fail();
    let size = (await reader.read()).value?.length ?? 0;
    // What fits between turn and reader: two socket buffers and the number by which the bus may be
    // ahead.
    let before = -1;
    while (made !== before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    assert.ok(made < pieces / 2, `${made} pieces of ${pieces} were made for a client that waits`);
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
    }
    assert.equal(made, pieces + 1);
    assert.ok(size > pieces * piece.length && size < pieces * (piece.length + 100));
  });
});

Deno.test("a client that takes nothing any more is gone, over sockets", async () => {
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start, limits: { stalled: 300, abandoned: 50 } });
  await serving(app, async (url) => {
    using raw = await Raw.open(url);
    const body = JSON.stringify({ session: "s", message: "x" });
    await raw.send(`${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`);
    const turn = await eventually(() => turns.turns[0]);
    let left = 0;
    turn.given.signal.addEventListener("abort", () => left = turn.waiting);
    for (let n = 0; n < 400; n++) turn.text("x".repeat(64 * 1024));
    await eventually(() => turn.stopped);
    assert.ok(left > 0, "all was taken");
    await eventually(() => app.running === 0 ? true : undefined);
  });
});

Deno.test("a connection that breaks is taken up again where it broke, over sockets", async () => {
  assert.equal(defaultChatLimits.abandoned, Infinity);
  const turns = new PlayedTurns();
  const app = coderChat({ startTurn: turns.start, limits: { abandoned: 2000 } });
  await serving(app, async (url) => {
    const client = new AbortController();
    const response = await post(url, "Go", "s", { signal: client.signal });
    const run = response.headers.get("x-run-id");
    const first = new EventReader(response);
    const turn = await eventually(() => turns.turns[0]);
    turn.text("a");
    turn.text("b");
    assert.deepEqual([(await first.next())?.id, (await first.next())?.id], [1, 2]);
    client.abort();
    await first.leave().catch(() => {});
    turn.text("c");
    const second = new EventReader(
      await fetch(`${url}/runs/${run}/events`, { headers: { "last-event-id": "1" } }),
    );
    assert.deepEqual(
      [await second.next(), await second.next()].map((event) => [event?.id, event?.data.content]),
      [[2, "b"], [3, "c"]],
    );
    turn.text("d");
    turn.end();
    assert.deepEqual((await second.rest()).map(({ event, id }) => [event, id]), [
      ["text", 4],
      ["done", 5],
    ]);
    assert.equal(turn.stopped, undefined);
  });
});
