import assert from "node:assert/strict";
import { hostFs } from "../../sys/mod.ts";
import { VfsError } from "../errors.ts";
import { hostVfs } from "../host_vfs.ts";
import { memoryVfs } from "../memory_vfs.ts";
import type { Vfs } from "../types.ts";
import { duplexPair, RawClient } from "./_testing.ts";
import { MemorySink, memorySource } from "../../streams/mod.ts";
import { serve, type ServeOptions, type ServeSummary } from "./server.ts";

/** Runs a conversation with a server of some files in memory. */
async function talk(
  use: (client: RawClient, vfs: Vfs) => Promise<void>,
  options: ServeOptions = {},
  vfs: Vfs = memoryVfs({ files: { "a.txt": "hello", "test.txt": "old" } }),
): Promise<ServeSummary> {
  const [near, far] = duplexPair();
  const served = serve(vfs, far, options);
  const client = new RawClient(near);
  await use(client, vfs);
  await client.end();
  return await served;
}

const done = (id: string, result?: unknown) =>
  result === undefined ? { id, ok: true } : { id, ok: true, result };

/** Asserts an error of that code; returns its message. */
function failed(response: unknown, id: string, code: string): string {
  assert(typeof response === "object" && response !== null && "error" in response);
  const { error } = response;
  assert(typeof error === "object" && error !== null && "message" in error && "code" in error);
  const message = String(error.message);
  assert.deepEqual(response, { id, ok: false, error: { code, message } });
  assert.notEqual(error.message, "");
  return message;
}

Deno.test("serve answers the specification's examples as they are written", async () => {
  const summary = await talk(async (client, vfs) => {
    // Section 1 of the specification, with the first free handle instead of 42.
    assert.deepEqual(
      await client.ask({ id: "1", op: "open", params: { path: "test.txt", mode: "w" } }),
      done("1", { handle: 3 }),
    );
    assert.deepEqual(
      await client.ask({
        id: "4",
        op: "write",
        params: { h: 3, data: "aGVsbG8=", final: false },
      }),
      done("4", { written: 5 }),
    );
    assert.deepEqual(await client.ask({ id: "5", op: "close", params: { h: 3 } }), done("5"));
    assert.deepEqual(
      await client.ask({ id: "1", op: "open", params: { path: "test.txt", mode: "r" } }),
      done("1", { handle: 4 }),
    );
    assert.deepEqual(
      await client.ask({ id: "2", op: "read", params: { h: 4, max: 4096 } }),
      done("2", { data: "aGVsbG8=", eof: false }),
    );
    assert.deepEqual(
      await client.ask({ id: "3", op: "read", params: { h: 4, max: 4096 } }),
      done("3", { data: "", eof: true }),
    );
    const message = failed(
      await client.ask({ id: "1", op: "open", params: { mode: "w" } }),
      "1",
      "E_ARG",
    );
    assert.equal(message, "missing path");
    for (const op of ["QUOTA", "LLMCMD"]) {
      failed(await client.ask({ id: "6", op }), "6", "E_UNSUPPORTED");
    }
    assert.equal((await vfs.stat("test.txt")).size, 5);
  });
  assert.deepEqual(summary, {
    requests: 9,
    errors: 3,
    opened: 2,
    left: 1,
    read: 5,
    written: 5,
    problem: undefined,
  });
});

Deno.test("serve opens with each mode as specified", async () => {
  await talk(async (client) => {
    const open = (path: string, mode: string) =>
      client.ask({ id: "o", op: "open", params: { path, mode } });
    const read = (h: number) => client.ask({ id: "r", op: "read", params: { h, max: 100 } });
    const write = (h: number) => client.ask({ id: "w", op: "write", params: { h, data: "IQ==" } });
    failed(await open("none", "r"), "o", "E_NOENT");
    assert.deepEqual(await open("a.txt", "a"), done("o", { handle: 3 }));
    failed(await read(3), "r", "E_PERM");
    assert.deepEqual(await write(3), done("w", { written: 1 }));
    assert.deepEqual(await open("a.txt", "r"), done("o", { handle: 4 }));
    failed(await write(4), "w", "E_PERM");
    assert.deepEqual(await read(4), done("r", { data: btoa("hello!"), eof: false }));
    // Mode rw empties nothing, and has one position for both directions.
    assert.deepEqual(await open("a.txt", "rw"), done("o", { handle: 5 }));
    assert.deepEqual(await write(5), done("w", { written: 1 }));
    assert.deepEqual(await read(5), done("r", { data: btoa("ello!"), eof: false }));
    assert.deepEqual(await open("new", "rw"), done("o", { handle: 6 }));
    assert.deepEqual(await open("a.txt", "w"), done("o", { handle: 7 }));
    failed(await read(7), "r", "E_PERM");
    // The handle reads the same file, which is empty now.
    assert.deepEqual(await read(4), done("r", { data: "", eof: true }));
  });
});

/** Refused requests: description, request, code, and the id of the answer if it is another one. */
const REFUSED: readonly [string, Record<string, unknown>, string, string?][] = [
  ["no op", { id: "x" }, "E_ARG"],
  ["an op that is no string", { id: "x", op: 1 }, "E_ARG"],
  ["an unknown op", { id: "x", op: "exec" }, "E_UNSUPPORTED"],
  ["a name every object has", { id: "x", op: "constructor" }, "E_UNSUPPORTED"],
  ["no id", { op: "open" }, "E_ARG", "?"],
  ["an id that is no string", { id: 1, op: "open" }, "E_ARG", "?"],
  ["params that are a list", { id: "x", op: "open", params: [] }, "E_ARG"],
  ["params that are null", { id: "x", op: "open", params: null }, "E_ARG"],
  ["open without a path", { id: "x", op: "open", params: { mode: "r" } }, "E_ARG"],
  ["open with an empty path", { id: "x", op: "open", params: { path: "", mode: "r" } }, "E_ARG"],
  ["open of a number", { id: "x", op: "open", params: { path: 1, mode: "r" } }, "E_ARG"],
  ["open with a NUL", { id: "x", op: "open", params: { path: "a\0b", mode: "w" } }, "E_ARG"],
  ["open without a mode", { id: "x", op: "open", params: { path: "a.txt" } }, "E_ARG"],
  [
    "open with an unknown mode",
    { id: "x", op: "open", params: { path: "a.txt", mode: "x" } },
    "E_ARG",
  ],
  ["open of a folder", { id: "x", op: "open", params: { path: "/", mode: "r" } }, "E_ARG"],
  ["open below a file", { id: "x", op: "open", params: { path: "a.txt/b", mode: "r" } }, "E_NOENT"],
  ["read without a handle", { id: "x", op: "read", params: { max: 1 } }, "E_ARG"],
  [
    "read of a handle that is no number",
    { id: "x", op: "read", params: { h: "3", max: 1 } },
    "E_ARG",
  ],
  ["read of a negative handle", { id: "x", op: "read", params: { h: -1, max: 1 } }, "E_ARG"],
  [
    "read of a handle never given out",
    { id: "x", op: "read", params: { h: 99, max: 1 } },
    "E_NOENT",
  ],
  ["read of a closed handle", { id: "x", op: "read", params: { h: 4, max: 1 } }, "E_CLOSED"],
  ["read without max", { id: "x", op: "read", params: { h: 3 } }, "E_ARG"],
  ["read of 0", { id: "x", op: "read", params: { h: 3, max: 0 } }, "E_ARG"],
  ["read of a fraction", { id: "x", op: "read", params: { h: 3, max: 1.5 } }, "E_ARG"],
  ["read of too much", { id: "x", op: "read", params: { h: 3, max: 4097 } }, "E_RANGE"],
  ["read of standard input", { id: "x", op: "read", params: { h: 0, max: 1 } }, "E_PERM"],
  ["write to standard output", { id: "x", op: "write", params: { h: 1, data: "" } }, "E_PERM"],
  ["close of standard error", { id: "x", op: "close", params: { h: 2 } }, "E_PERM"],
  ["read of 0 of standard input", { id: "x", op: "read", params: { h: 0, max: 0 } }, "E_PERM"],
  ["read of standard error without max", { id: "x", op: "read", params: { h: 2 } }, "E_PERM"],
  ["write of nothing to standard output", { id: "x", op: "write", params: { h: 1 } }, "E_PERM"],
  [
    "close of standard input with what is no truth",
    { id: "x", op: "close", params: { h: 0, discard: 1 } },
    "E_PERM",
  ],
  ["write without data", { id: "x", op: "write", params: { h: 3 } }, "E_ARG"],
  ["write of a number", { id: "x", op: "write", params: { h: 3, data: 1 } }, "E_ARG"],
  ["write of bad base64", { id: "x", op: "write", params: { h: 3, data: "aGVsbG8" } }, "E_ARG"],
  ["write of other characters", { id: "x", op: "write", params: { h: 3, data: "aG_s" } }, "E_ARG"],
  [
    "write of white space",
    { id: "x", op: "write", params: { h: 3, data: "aGVs\n\n\n\n" } },
    "E_ARG",
  ],
  ["write with final that is no truth", {
    id: "x",
    op: "write",
    params: { h: 3, data: "", final: 1 },
  }, "E_ARG"],
  ["close without a handle", { id: "x", op: "close" }, "E_ARG"],
  ["close twice", { id: "x", op: "close", params: { h: 4 } }, "E_CLOSED"],
  ["close of a handle never given out", { id: "x", op: "close", params: { h: 5 } }, "E_NOENT"],
  [
    "an extension that was not asked for",
    { id: "x", op: "stat", params: { path: "a.txt" } },
    "E_UNSUPPORTED",
  ],
  ["replacing that was not asked for", {
    id: "x",
    op: "open",
    params: { path: "a.txt", mode: "w", replace: true },
  }, "E_UNSUPPORTED"],
];

Deno.test("serve refuses what is no request, and goes on", async () => {
  await talk(async (client) => {
    await client.ask({ id: "1", op: "open", params: { path: "a.txt", mode: "rw" } });
    await client.ask({ id: "2", op: "open", params: { path: "a.txt", mode: "r" } });
    await client.ask({ id: "3", op: "close", params: { h: 4 } });
    for (const [name, request, code, id = "x"] of REFUSED) {
      try {
        failed(await client.ask(request), id, code);
      } catch (error) {
        throw new Error(name, { cause: error });
      }
    }
    for (const text of ["", "{", "[]", "null", "1", '{"id":"x"', "\xff"]) {
      const document = Uint8Array.from(text, (character) => character.charCodeAt(0));
      const frame = new Uint8Array([0, 0, 0, document.length, ...document]);
      await client.bytes(frame);
      failed(await client.receive(), "?", "E_ARG");
    }
    assert.deepEqual(
      await client.ask({ id: "r", op: "read", params: { h: 3, max: 4096 } }),
      done("r", { data: btoa("hello"), eof: false }),
    );
  });
});

Deno.test("serve cuts a read to the chunk where that was chosen", async () => {
  const long = memoryVfs({ files: { long: "x".repeat(5000) } });
  await talk(
    async (client) => {
      await client.ask({ id: "1", op: "open", params: { path: "long", mode: "r" } });
      assert.deepEqual(
        await client.ask({ id: "2", op: "read", params: { h: 3, max: 100_000 } }),
        done("2", { data: btoa("x".repeat(4096)), eof: false }),
      );
    },
    { clamp: true },
    long,
  );
});

Deno.test("serve gives chunks of up to 64 KiB to those who ask for them", async () => {
  const long = memoryVfs({ files: { long: "x".repeat(100_000) } });
  await talk(
    async (client) => {
      const hello = (params: unknown) => client.ask({ id: "h", op: "hello", params });
      assert.deepEqual(
        await hello({ chunk: 65536, extensions: ["seek", "exec"] }),
        done("h", { version: 1, extensions: ["seek"], chunk: 65536 }),
      );
      await client.ask({ id: "1", op: "open", params: { path: "long", mode: "r" } });
      assert.deepEqual(
        await client.ask({ id: "2", op: "read", params: { h: 3, max: 65536 } }),
        done("2", { data: btoa("x".repeat(65536)), eof: false }),
      );
      assert.deepEqual(
        await client.ask({ id: "3", op: "seek", params: { h: 3, offset: 99_999 } }),
        done("3", { offset: 99_999 }),
      );
      assert.deepEqual(
        await client.ask({ id: "4", op: "read", params: { h: 3, max: 65536 } }),
        done("4", { data: btoa("x"), eof: false }),
      );
      failed(await client.ask({ id: "5", op: "stat", params: { h: 3 } }), "5", "E_UNSUPPORTED");
      assert.deepEqual(
        await hello({ chunk: 1e6 }),
        done("h", { version: 1, extensions: [], chunk: 65536 }),
      );
      assert.deepEqual(await hello({}), done("h", { version: 1, extensions: [], chunk: 4096 }));
      failed(await hello({ chunk: 0 }), "h", "E_ARG");
      failed(await hello({ chunk: "4096" }), "h", "E_ARG");
      failed(await hello({ extensions: "seek" }), "h", "E_ARG");
    },
    {},
    long,
  );
});

Deno.test("serve ends the connection after a frame that is too long, with what came before", async () => {
  for (const length of [65_537, 2 ** 32 - 1]) {
    const [near, far] = duplexPair();
    const served = serve(memoryVfs({ files: { a: "x" } }), far);
    const client = new RawClient(near);
    await client.send({ id: "1", op: "open", params: { path: "a", mode: "r" } });
    assert.deepEqual(await client.receive(), done("1", { handle: 3 }));
    await client.bytes(new Uint8Array([length >>> 24, length >>> 16, length >>> 8, length]));
    failed(await client.receive(), "?", "E_RANGE");
    assert.equal(await client.receive(), undefined);
    const summary = await served;
    assert.equal(
      summary.problem,
      `The frame has ${length} bytes, more than 65536 (its first 4 bytes are its length, big-endian)`,
    );
    assert.equal(summary.left, 1);
  }
});

Deno.test("serve takes a frame of exactly 64 KiB", async () => {
  await talk(async (client, vfs) => {
    await client.ask({ id: "1", op: "open", params: { path: "big", mode: "w" } });
    const empty = JSON.stringify({ id: "2", op: "write", params: { h: 3, data: "" } });
    const data = "AAAA".repeat(Math.floor((65_536 - empty.length) / 4));
    const text = JSON.stringify({ id: "2", op: "write", params: { h: 3, data } }).padEnd(65_536);
    const frame = new Uint8Array(4 + 65_536);
    new DataView(frame.buffer).setUint32(0, 65_536);
    new TextEncoder().encodeInto(text, frame.subarray(4));
    const [, response] = await Promise.all([client.bytes(frame), client.receive()]);
    assert.deepEqual(response, done("2", { written: data.length / 4 * 3 }));
    assert.equal((await vfs.stat("big")).size, data.length / 4 * 3);
  });
});

Deno.test("serve maps what the host says to the protocol's codes, and tells nothing else", async () => {
  const codes: Record<string, string> = {
    EACCES: "E_PERM",
    EPERM: "E_PERM",
    EROFS: "E_PERM",
    ENOENT: "E_NOENT",
    ENOTDIR: "E_NOENT",
    EISDIR: "E_ARG",
    EINVAL: "E_ARG",
    EDQUOT: "E_RANGE",
    EFBIG: "E_RANGE",
    EMFILE: "E_RANGE",
    ENOSPC: "E_IO",
    EIO: "E_IO",
    ELOOP: "E_IO",
    ETXTBSY: "E_IO",
    ENOSYS: "E_UNSUPPORTED",
  };
  const failing = {
    ...memoryVfs(),
    root: "/",
    open: (path: string) =>
      Promise.reject(path === "bug" ? new Error("/secret") : new VfsError(path, path, "open")),
  };
  await talk(
    async (client) => {
      for (const [posix, code] of Object.entries({ ...codes, bug: "E_IO" })) {
        const asked = client.ask({ id: posix, op: "open", params: { path: posix, mode: "r" } });
        const message = failed(await asked, posix, code);
        assert.doesNotMatch(message, /secret/);
      }
    },
    {},
    Object.setPrototypeOf(failing, memoryVfs()),
  );
});

Deno.test("serve keeps the order of one handle, and works on others meanwhile", async () => {
  const order: string[] = [];
  const memory = memoryVfs({ files: { slow: "slow", fast: "fast" } });
  let go = () => {};
  const gate = new Promise<void>((resolve) => go = resolve);
  const vfs: Vfs = Object.assign(Object.create(memory), {
    root: "/",
    async open(path: string) {
      const file = await memory.open(path, "r");
      return {
        info: file.info,
        mode: file.mode,
        async read(at: number, into: Uint8Array<ArrayBuffer>) {
          if (path === "slow") await gate;
          order.push(`${path} ${at}`);
          return await file.read(at, into);
        },
        close: () => file.close(),
      };
    },
  });
  await talk(
    async (client) => {
      await client.ask({ id: "1", op: "open", params: { path: "slow", mode: "r" } });
      await client.ask({ id: "2", op: "open", params: { path: "fast", mode: "r" } });
      await client.send({ id: "s1", op: "read", params: { h: 3, max: 2 } });
      await client.send({ id: "s2", op: "read", params: { h: 3, max: 2 } });
      await client.send({ id: "s3", op: "close", params: { h: 3 } });
      await client.send({ id: "s4", op: "read", params: { h: 3, max: 2 } });
      await client.send({ id: "s1", op: "read", params: { h: 4, max: 2 } });
      failed(await client.receive(), "s1", "E_ARG");
      assert.deepEqual(
        await client.ask({ id: "f", op: "read", params: { h: 4, max: 4 } }),
        done("f", { data: btoa("fast"), eof: false }),
      );
      go();
      assert.deepEqual(await client.receive(), done("s1", { data: btoa("sl"), eof: false }));
      assert.deepEqual(await client.receive(), done("s2", { data: btoa("ow"), eof: false }));
      assert.deepEqual(await client.receive(), done("s3"));
      failed(await client.receive(), "s4", "E_CLOSED");
      assert.deepEqual(order, ["fast 0", "slow 0", "slow 2"]);
    },
    {},
    vfs,
  );
});

Deno.test("serve limits open handles, and gives no number twice", async () => {
  await talk(async (client) => {
    const open = (id: string) =>
      client.ask({ id, op: "open", params: { path: "a.txt", mode: "r" } });
    assert.deepEqual(await open("1"), done("1", { handle: 3 }));
    assert.deepEqual(await open("2"), done("2", { handle: 4 }));
    failed(await open("3"), "3", "E_RANGE");
    await client.ask({ id: "4", op: "close", params: { h: 4 } });
    assert.deepEqual(await open("5"), done("5", { handle: 5 }));
  }, { limits: { handles: 2 } });
});

Deno.test("serve closes what a vanished client left, and its files on the host are closed", async () => {
  const root = await Deno.makeTempDir();
  const events: string[] = [];
  try {
    const vfs = hostVfs(hostFs(), { root, allow: [root] });
    const summary = await talk(async (client) => {
      await client.ask({ id: "h", op: "hello", params: { extensions: ["replace"] } });
      const open = (path: string, more = {}) =>
        client.ask({ id: "1", op: "open", params: { path, mode: "w", ...more } });
      assert.deepEqual(await open("kept"), done("1", { handle: 3 }));
      assert.deepEqual(await open("new", { replace: true }), done("1", { handle: 4 }));
      await client.ask({ id: "2", op: "write", params: { h: 3, data: "aGk=" } });
      await client.ask({ id: "2", op: "write", params: { h: 4, data: "aGk=" } });
    }, {
      record: ({ op, path, h, written, code }) =>
        events.push([op, path, h, written, code].join(" ").trim()),
    }, vfs);
    assert.equal(summary.left, 2);
    // An incomplete replacement leaves no file.
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["kept"]);
    assert.deepEqual(events, [
      "hello",
      "open kept 3",
      "open new 4",
      "close kept 3 2",
      "close new 4 2",
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("serve with streams serves handles 0, 1 and 2, as a MUX does", async () => {
  const [stdout, stderr] = [new MemorySink(), new MemorySink()];
  const stdio = { stdin: memorySource("hello", { chunkSize: 3 }), stdout, stderr };
  await talk(async (client) => {
    const read = (h: number, max = 2) => client.ask({ id: "r", op: "read", params: { h, max } });
    const write = (h: number, text: string) =>
      client.ask({ id: "w", op: "write", params: { h, data: btoa(text) } });
    assert.deepEqual(await read(0), done("r", { data: btoa("he"), eof: false }));
    assert.deepEqual(await read(0), done("r", { data: btoa("l"), eof: false }));
    assert.deepEqual(await read(0, 4096), done("r", { data: btoa("lo"), eof: false }));
    assert.deepEqual(await read(0), done("r", { data: "", eof: true }));
    assert.deepEqual(await write(1, "out"), done("w", { written: 3 }));
    assert.deepEqual(await write(2, "err"), done("w", { written: 3 }));
    failed(await read(1), "r", "E_PERM");
    failed(await read(2), "r", "E_PERM");
    failed(await write(0, "x"), "w", "E_PERM");
    for (const h of [0, 1, 2]) {
      assert.deepEqual(await client.ask({ id: "c", op: "close", params: { h } }), done("c"));
    }
    assert.deepEqual(await write(1, "put"), done("w", { written: 3 }));
  }, { stdio });
  assert.equal(stdout.text(), "output");
  assert.equal(stderr.text(), "err");
});

Deno.test("serve reads no more than it works on, and ends for a client that takes no response", async () => {
  const [near, far] = duplexPair();
  const served = serve(memoryVfs(), far, { limits: { inFlight: 4, patience: 50 } });
  const writer = near.writable.getWriter();
  const frame = new TextEncoder().encode('\0\0\0\x15{"id":"1","op":"none"}');
  frame[3] = frame.length - 4;
  let sent = 0;
  const sending = (async () => {
    for (;;) {
      await writer.write(frame.slice());
      sent++;
    }
  })().catch(() => {});
  const { problem } = await served;
  await sending;
  assert.match(problem ?? "", /read nothing for 0.05 s/);
  assert(sent < 20, `${sent} were taken`);
  await near.readable.cancel().catch(() => {});
});
