import assert from "node:assert/strict";
import {
  FileSink,
  isMissing,
  listenForEnd,
  listFolder,
  missingFlag,
  readEnv,
  readTextFile,
  serve,
  tempFolder,
} from "./mod.ts";
import { cleanUpAtOnce, onEndAtOnce } from "./signals.ts";

Deno.test("missingFlag reads Deno's message, and quotes for shell and flag", () => {
  const cases: [string, string][] = [
    [
      `Requires read access to "/a/b.txt", run again with the --allow-read flag`,
      "--allow-read=/a/b.txt",
    ],
    [
      `Requires net access to "127.0.0.1:80", run again with the --allow-net flag`,
      "--allow-net=127.0.0.1:80",
    ],
    [
      `Requires write access to "it's, here", run again with the --allow-write flag`,
      `--allow-write='it'\\''s,, here'`,
    ],
    [
      `Requires all access to "/dev/stdin", run again with the --allow-all flag`,
      "--allow-all",
    ],
    [`Requires write access to <TMP>, run again with the --allow-write flag`, "--allow-write"],
  ];
  for (const [message, flag] of cases) assert.equal(missingFlag(message), flag);
});

Deno.test("FileSink writes every byte of a file that takes few at a time", async () => {
  const got: number[] = [];
  let closed = 0;
  let full = 1;
  const sink = new FileSink({
    write(bytes) {
      if (full-- > 0) return Promise.reject(new Deno.errors.WouldBlock("full"));
      got.push(...bytes.subarray(0, 3));
      return Promise.resolve(Math.min(3, bytes.length));
    },
    close: () => void closed++,
  }, { name: "few" });
  await sink.write(new Uint8Array([1, 2, 3, 4, 5, 6, 7]));
  await sink.close();
  await sink.close();
  assert.deepEqual(got, [1, 2, 3, 4, 5, 6, 7]);
  assert.equal(sink.written, 7);
  assert.equal(closed, 1);
  await assert.rejects(sink.write(new Uint8Array(1)), /Cannot write to few: it is closed/);
});

Deno.test("tempFolder gives files back and removes everything", async () => {
  const store = await tempFolder();
  const one = await store.create();
  await one.sink.write(new Uint8Array([1, 2, 3]));
  await one.sink.close();
  const two = await store.create();
  await two.sink.write(new Uint8Array([9]));
  const source = await one.open();
  assert.deepEqual((await source.next()).value, new Uint8Array([1, 2, 3]));
  const folder = String((source as { path?: string }).path).replace(/\/0$/, "");
  assert.equal(((await Deno.stat(folder)).mode ?? 0) & 0o777, 0o700);
  await source.return();
  await store[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await assert.rejects(Deno.stat(folder), Deno.errors.NotFound);
});

Deno.test("cleanUpAtOnce runs what is registered once, whatever the others throw", () => {
  const ran: string[] = [];
  onEndAtOnce(() => {
    ran.push("throws");
    throw new Error("no");
  });
  onEndAtOnce(() => ran.push("runs"));
  const forget = onEndAtOnce(() => ran.push("forgotten"));
  forget();
  cleanUpAtOnce();
  cleanUpAtOnce();
  assert.deepEqual(ran, ["throws", "runs"]);
});

Deno.test("listenForEnd tells the first signal and stops listening when disposed", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  {
    using listener = listenForEnd(resolve);
    assert.equal(listener.received, undefined);
    const alive = setInterval(() => {}, 1000);
    Deno.kill(Deno.pid, "SIGTERM");
    assert.equal(await promise, "SIGTERM");
    clearInterval(alive);
    assert.equal(listener.received, "SIGTERM");
  }
});

Deno.test("readEnv tells set and unset apart, and takes empty for unset", () => {
  Deno.env.set("LLMCMD_TEST_SET", "x");
  Deno.env.set("LLMCMD_TEST_EMPTY", "");
  assert.deepEqual(readEnv(["LLMCMD_TEST_SET", "LLMCMD_TEST_EMPTY", "LLMCMD_TEST_NONE"]), {
    LLMCMD_TEST_SET: { state: "set", value: "x" },
    LLMCMD_TEST_EMPTY: { state: "unset" },
    LLMCMD_TEST_NONE: { state: "unset" },
  });
  Deno.env.delete("LLMCMD_TEST_SET");
  Deno.env.delete("LLMCMD_TEST_EMPTY");
});

Deno.test("readTextFile and listFolder name what is wrong", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/b.json`, "{}");
  await Deno.writeTextFile(`${folder}/a.json`, "[]");
  await Deno.writeTextFile(`${folder}/c.txt`, "");
  assert.deepEqual(await listFolder(`${folder}/`, ".json"), [
    `${folder}/a.json`,
    `${folder}/b.json`,
  ]);
  assert.equal(await listFolder(`${folder}/c.txt`, ".json"), undefined);
  assert.equal(await readTextFile(`${folder}/b.json`), "{}");
  await assert.rejects(readTextFile(folder), /it is a folder$/);
  await assert.rejects(
    readTextFile(`${folder}/b.json`, 1),
    /b.json: it has 2 bytes, more than the 1 that such a file may have$/,
  );
  const error = await readTextFile(`${folder}/none`).catch((error: unknown) => error);
  assert.equal(isMissing(error), true);
  assert.equal(isMissing(new Error()), false);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("serve takes a free port, says when one is taken, and stops", async () => {
  await using server = serve(() => new Response("here"), { port: 0 });
  assert.ok(server.port > 0);
  assert.equal(server.url, `http://127.0.0.1:${server.port}`);
  assert.equal(await (await fetch(server.url)).text(), "here");
  assert.throws(() => serve(() => new Response(), { port: server.port }), {
    message: `Cannot listen on 127.0.0.1:${server.port}: the port is in use`,
  });
});
