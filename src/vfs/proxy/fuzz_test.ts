import assert from "node:assert/strict";
import { hostFs } from "../../sys/mod.ts";
import { scratchFiles } from "../_testing.ts";
import { allowedVfs, memoryVfs, type Vfs } from "../mod.ts";
import { duplexPair } from "./_testing.ts";
import { bytesOf, frameOf, FrameReader } from "./frames.ts";
import { connect, serve } from "./mod.ts";
import { ERROR_CODES, EXTENSIONS, isParams } from "./protocol.ts";

/** A seeded generator of pseudo-random numbers. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** An integer from 0 to below `limit`. */
  below(limit: number): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  of<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length }, () => this.below(256));
  }
}

/** Operations that lead further into the protocol are more frequent. */
const OPS = [
  ...["open", "open", "open", "open", "read", "read", "write", "write", "write", "close", "hello"],
  ...["QUOTA", "exec", ...EXTENSIONS],
];
const PATHS = [
  ...["a", "b", "c/d", "c", ".", "..", "../x", "/", "/etc/passwd", "a/", "a/b", "\0", "\ud800"],
  ...["", "./a/../b", "x".repeat(300), "y/".repeat(200), "/proc/self/mem", "\u202e", "-"],
];
const MODES = ["r", "w", "a", "rw", "x", ""];
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 3, 4, 5, 4096, 4097, 65536, 2 ** 31, 2 ** 53, 1e308, 0.5],
  ...["", "aGVsbG8=", "aGVsbG8", "=", [], {}, [[]], { h: 3 }, [...EXTENSIONS], "A".repeat(4000)],
];

/** Fields of each operation; other operations, also unknown ones, get any field. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  open: ["path", "mode", "replace", "exclusive"],
  read: ["h", "max"],
  write: ["h", "data"],
  close: ["h", "discard"],
  seek: ["h", "offset"],
  truncate: ["h", "size"],
  rename: ["from", "to"],
  remove: ["path", "recursive"],
  hello: ["extensions", "chunk"],
};

/** A request that is more or less valid. */
function request(random: Random, id: number): unknown {
  const op = random.of(OPS) ?? "";
  const far = random.below(20) === 0 ? 2 ** 31 : 20_000;
  const right: Readonly<Record<string, unknown>> = {
    path: random.of(PATHS),
    mode: random.of(MODES),
    h: 3 + random.below(15),
    max: 1 + random.below(4100),
    data: btoa("x".repeat(random.below(3000))),
    offset: random.below(far),
    size: random.below(far),
    from: random.of(PATHS),
    to: random.of(PATHS),
    parents: random.below(2) === 0,
    recursive: random.below(2) === 0,
    replace: random.below(4) === 0,
    exclusive: random.below(8) === 0,
    discard: random.below(4) === 0,
    extensions: EXTENSIONS,
    chunk: 1 + random.below(70_000),
  };
  const params: [string, unknown][] = [];
  for (const name of FIELDS[op] ?? Object.keys(right)) {
    const dice = random.below(40);
    if (dice > 1) params.push([name, right[name]]);
    else if (dice === 1) params.push([name, random.of(VALUES)], ["__proto__", random.of(VALUES)]);
  }
  const dice = random.below(50);
  return {
    id: dice === 0 ? random.of(VALUES) : dice === 1 ? "1" : String(id),
    op,
    params: dice === 2 ? random.of(VALUES) : Object.fromEntries(params),
  };
}

/** A frame. Frames that usually end the connection, as they hide the next one's start, are rare. */
function frame(random: Random, id: number): Uint8Array {
  const right = bytesOf([frameOf(request(random, id))]);
  switch (random.below(600)) {
    case 0:
      right[3] = random.below(256);
      return right;
    case 1:
      return random.bytes(1 + random.below(60));
    case 2:
      return right.subarray(0, random.below(right.length));
    default:
  }
  const dice = random.below(20);
  if (dice === 0) {
    const document = random.bytes(random.below(100));
    return Uint8Array.of(0, 0, 0, document.length, ...document);
  }
  if (dice === 1) {
    for (let count = 1 + random.below(4); count > 0; count--) {
      right[4 + random.below(right.length - 4)] = random.below(256);
    }
  }
  return right;
}

/**
 * Sends frames, cut at random places, until the server stops reading. Returns the number of
 * answers.
 */
async function attack(random: Random, vfs: Vfs, frames: number): Promise<number> {
  const [near, far] = duplexPair();
  const served = serve(vfs, far, { limits: { inFlight: 8, handles: 20 } });
  const writer = near.writable.getWriter();
  const sending = (async () => {
    await writer.write(
      bytesOf([frameOf({ id: "hello", op: "hello", params: { extensions: EXTENSIONS } })]),
    );
    for (let id = 0; id < frames; id++) {
      const bytes = frame(random, id);
      const cut = random.below(4) === 0 ? random.below(bytes.length + 1) : 0;
      if (cut > 0) await writer.write(bytes.slice(0, cut));
      await writer.write(bytes.slice(cut));
    }
    await writer.close();
  })().catch(() => {});
  const reader = new FrameReader(near.readable);
  let answers = 0;
  for (;;) {
    const document = await reader.next(1024 * 1024);
    if (document === undefined) break;
    const answer: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(document));
    assert(isParams(answer) && typeof answer["id"] === "string");
    const { error } = answer;
    if (answer["ok"] !== true) {
      assert(isParams(error), JSON.stringify(answer));
      assert(ERROR_CODES.some((code) => code === error["code"]), JSON.stringify(error));
      // This message would show a bug.
      assert.notEqual(error["message"], "The file system failed", JSON.stringify(answer));
    }
    answers++;
  }
  await sending;
  const summary = await served;
  assert.equal(summary.requests + (/^The frame has/.test(summary.problem ?? "") ? 1 : 0), answers);
  if (summary.problem !== undefined) assert.match(summary.problem, /^The frame has/);
  return answers;
}

Deno.test("serve answers or refuses whatever is sent, and harms no other client", async () => {
  const seed = Number(Deno.env.get("FUZZ_SEED") ?? 15);
  const frames = Number(Deno.env.get("FUZZ_FRAMES") ?? 3000);
  const random = new Random(seed);
  const files = scratchFiles();
  await using vfs = allowedVfs(hostFs(), {
    root: "/none",
    entries: [],
    quota: 2 ** 20,
    memory: 2 ** 12,
    files: 100,
    scratch: () => files.scratch(),
  });
  // Another client, with its own files.
  const quiet = memoryVfs({ files: { kept: "kept" } });
  const [near, far] = duplexPair();
  const served = serve(quiet, far);
  const other = await connect(near);
  const kept = await other.open("kept", "r");
  let answers = 0;
  for (let sent = 0; sent < frames; sent += 300) {
    answers += await attack(random, vfs, 300);
    const bytes = new Uint8Array(10);
    assert.equal(await kept.read(0, bytes), 4);
  }
  await kept.close();
  await other.close();
  assert.equal((await served).left, 0);
  await vfs[Symbol.asyncDispose]();
  assert.equal(files.made.open, 0);
  // Most frames were answered, and there were successes among them.
  assert(answers * 4 > frames && files.made.total > 0, `${answers}, ${files.made.total}`);
});
