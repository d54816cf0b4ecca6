import assert from "node:assert/strict";
import { type BusReader, type EventBus, memoryEventBus } from "./mod.ts";

const text = (data: string) => ({ type: "text", data });

/** The data of all events up to the end. */
async function rest(reader: BusReader | undefined): Promise<string> {
  assert.ok(reader);
  let all = "";
  for (let next = await reader.next(); next.length > 0; next = await reader.next()) {
    for (const { data } of next) all += data;
  }
  return all;
}

/** Whether a promise has settled once the event loop has turned. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  promise.then(() => done = true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return done;
}

async function fill(bus: EventBus, run: string, letters: string): Promise<void> {
  bus.begin(run);
  for (const letter of letters) await bus.append(run, text(letter));
}

Deno.test("EventBus gives a reader what is there and what comes", async () => {
  const bus = memoryEventBus();
  await fill(bus, "r", "ab");
  const reader = bus.read("r", 0) ?? assert.fail();
  assert.deepEqual(await reader.next(), [
    { seq: 1, type: "text", data: "a" },
    { seq: 2, type: "text", data: "b" },
  ]);
  const pending = reader.next();
  assert.equal(await settled(pending), false);
  await bus.append("r", text("c"));
  assert.deepEqual(await pending, [{ seq: 3, type: "text", data: "c" }]);
  const last = reader.next();
  bus.end("r");
  assert.deepEqual(await last, []);
  assert.deepEqual(await reader.next(), []);
  assert.equal(await rest(bus.read("r", 1)), "bc");
  assert.equal(await rest(bus.read("r", 99)), "");
  assert.equal(bus.read("other", 0), undefined);
});

Deno.test("EventBus gives each of many readers all events", async () => {
  const bus = memoryEventBus({ unread: 3 });
  bus.begin("r");
  const readers = Array.from({ length: 5 }, () => rest(bus.read("r", 0)));
  const letters = "abcdefghijklmnopqrstuvwxyz";
  for (const letter of letters) await bus.append("r", text(letter));
  bus.end("r");
  assert.deepEqual(await Promise.all(readers), Array.from({ length: 5 }, () => letters));
});

Deno.test("EventBus.append waits for the fastest reader", async () => {
  const bus = memoryEventBus({ unread: 2 });
  await fill(bus, "r", "ab");
  const slow = bus.read("r", 0) ?? assert.fail();
  const fast = bus.read("r", 0) ?? assert.fail();
  const waits = bus.append("r", text("c"));
  assert.equal(await settled(waits), false);
  await fast.next();
  await waits;
  fast.return();
  const more = bus.append("r", text("defg"));
  assert.equal(await settled(more), false);
  bus.end("r");
  await more;
  assert.equal(await rest(slow), "abcdefg");
});

Deno.test("EventBus.append waits for nobody where nobody reads, and keeps the latest", async () => {
  const bus = memoryEventBus({ unread: 2, replay: 4 });
  await fill(bus, "r", "abc");
  const left = bus.read("r", 0) ?? assert.fail();
  const waits = bus.append("r", text("d"));
  assert.equal(await settled(waits), false);
  left.return();
  await waits;
  for (const letter of "efgh") await bus.append("r", text(letter));
  const reader = bus.read("r", 1) ?? assert.fail();
  const events = await reader.next();
  assert.equal(events.map(({ data }) => data).join(""), "efgh");
  assert.equal(reader.missed, 3);
  const more = bus.append("r", text("ijk"));
  assert.equal(await settled(more), false);
  bus.end("r");
  assert.equal(await rest(reader), "ijk");
});

Deno.test("EventBus keeps no more than its limit, and a reader knows how many it missed", async () => {
  const bus = memoryEventBus({ unread: 1000, replay: 10 });
  bus.begin("r");
  const fast = bus.read("r", 0) ?? assert.fail();
  const slow = bus.read("r", 0) ?? assert.fail();
  for (let n = 0; n < 500; n++) {
    await bus.append("r", text(String(n % 10)));
    await fast.next();
  }
  assert.equal((await slow.next()).map(({ data }) => data).join(""), "0123456789");
  assert.equal(slow.missed, 490);
  await bus.append("r", text("x"));
  assert.equal((await slow.next()).length, 1);
  assert.equal(slow.missed, 0);
  const late = bus.read("r", 0) ?? assert.fail();
  assert.equal((await late.next())[0]?.seq, 492);
  // What nobody has read yet is never dropped.
  await bus.append("r", text("y".repeat(50)));
  assert.equal((await fast.next()).at(-1)?.data.length, 50);
  bus.end("r");
});

Deno.test("EventBus gives long logs in portions", async () => {
  const bus = memoryEventBus();
  bus.begin("r");
  for (let n = 0; n < 10; n++) await bus.append("r", text("x".repeat(20_000)));
  bus.end("r");
  const reader = bus.read("r", 0) ?? assert.fail();
  const sizes: number[] = [];
  for (let next = await reader.next(); next.length > 0; next = await reader.next()) {
    sizes.push(next.length);
  }
  assert.deepEqual(sizes, [3, 3, 3, 1]);
});

Deno.test("EventBus forgets runs some time after their end, or when they are too many", async () => {
  let now = 0;
  const bus = memoryEventBus({ ended: 4, keep: 60_000 }, () => now);
  await fill(bus, "a", "12");
  bus.end("a");
  now = 59_000;
  await fill(bus, "b", "12");
  bus.end("b");
  assert.equal(await rest(bus.read("a", 0)), "12");
  now = 60_000;
  assert.equal(bus.read("a", 0), undefined);
  assert.equal(await rest(bus.read("b", 0)), "12");
  await fill(bus, "c", "123");
  bus.end("c");
  assert.equal(bus.read("b", 0), undefined);
  assert.equal(await rest(bus.read("c", 0)), "123");
  bus.end("c");
  await assert.rejects(bus.append("c", text("4")), /this run is not active/);
  await assert.rejects(bus.append("d", text("4")), RangeError);
  assert.throws(() => bus.begin("c"), /it has begun/);
});

Deno.test("EventBus ends a reader that leaves, and only that", async () => {
  const bus = memoryEventBus();
  bus.begin("r");
  const leaving = bus.read("r", 0) ?? assert.fail();
  const staying = bus.read("r", 0) ?? assert.fail();
  const pending = leaving.next();
  leaving.return();
  assert.deepEqual(await pending, []);
  await bus.append("r", text("a"));
  assert.deepEqual(await leaving.next(), []);
  assert.equal((await staying.next()).length, 1);
  staying.return();
});
