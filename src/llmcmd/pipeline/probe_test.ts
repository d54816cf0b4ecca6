import assert from "node:assert/strict";
import { type Builtin, loadBuiltin } from "../../builtins/mod.ts";
import { noOperands } from "../_testing.ts";
import { probe } from "./probe.ts";

const { find } = noOperands;
const io = { signal: new AbortController().signal, find };
const bytes = new TextEncoder().encode("x\n");

const fails: Builtin = async function* (args, io) {
  await Promise.resolve();
  io.warn(`fails: invalid option ${args[0]}`);
  io.warn("Try 'fails --help'");
  if (args.length > 9) yield bytes;
  return 2;
};

Deno.test("probe gives what a builtin says about its arguments", async () => {
  const { problem } = await probe(fails, ["-z"], io);
  assert.equal(problem, "fails: invalid option -z\nTry 'fails --help'");
});

Deno.test("probe gives the message of a builtin that throws at its arguments", async () => {
  const throws: Builtin = async function* () {
    await Promise.resolve();
    yield* [];
    throw new RangeError("throws: invalid pattern");
  };
  assert.equal((await probe(throws, [], io)).problem, "throws: invalid pattern");
});

Deno.test("probe finds nothing wrong once input is read, output given, or all is well", async () => {
  let closed = 0;
  const reads: Builtin = async function* (_, { stdin }) {
    try {
      for await (const chunk of stdin) yield chunk;
    } finally {
      closed++;
    }
    return 0;
  };
  const readsAndComplains: Builtin = async function* (_, { stdin, warn }) {
    try {
      for await (const chunk of stdin) yield chunk;
    } catch {
      warn("reads: cannot read");
    }
    return 2;
  };
  const gives: Builtin = async function* () {
    await Promise.resolve();
    try {
      for (;;) yield bytes;
    } finally {
      closed++;
    }
  };
  const ends: Builtin = async function* () {
    await Promise.resolve();
    yield* [];
    return 0;
  };
  const isFalse: Builtin = async function* () {
    await Promise.resolve();
    yield* [];
    return 1;
  };
  for (const builtin of [reads, readsAndComplains, gives, ends, isFalse]) {
    assert.equal((await probe(builtin, [], io)).problem, undefined);
  }
  assert.equal(closed, 2);
});

Deno.test("probe ends with the signal", async () => {
  const stuck: Builtin = async function* (_, { signal }) {
    yield* [];
    await Promise.resolve();
    throw signal.reason;
  };
  const signal = AbortSignal.abort(new Error("Stop"));
  await assert.rejects(probe(stuck, [], { signal, find }), { message: "Stop" });
});

Deno.test("probe tells which files a command opens, and whether it reads standard input", async () => {
  const numbers = { signal: io.signal, find: (path: string) => Number(path) };
  const known = async (name: string, ...args: string[]) => {
    const { readsInput, opens, problem } = await probe(await loadBuiltin(name), args, numbers);
    assert.equal(problem, undefined);
    return [readsInput, ...opens.map(({ fd }) => fd)];
  };
  assert.deepEqual(await known("cat", "3", "4"), [false, 3, 4]);
  assert.deepEqual(await known("cat", "3", "-", "4"), [true, 3, 4]);
  assert.deepEqual(await known("cat"), [true]);
  assert.deepEqual(await known("cat", "/dev/stdin"), [true]);
  assert.deepEqual(await known("grep", "-f", "3"), [true, 3]);
  assert.deepEqual(await known("grep", "-vf", "3", "4"), [false, 3, 4]);
  assert.deepEqual(await known("grep", "-f", "-", "4"), [true, 4]);
  assert.deepEqual(await known("sed", "-f", "3", "4"), [false, 3, 4]);
  assert.deepEqual(await known("sed", "1r 3"), [true, 3]);
  assert.deepEqual(await known("head", "-n1", "3", "4", "5"), [false, 3, 4, 5]);
  assert.deepEqual(await known("wc", "--files0-from=3"), [false, 3]);
  assert.deepEqual(await known("yes"), [false]);
  assert.deepEqual(await known("seq", "1000000"), [false]);
});

Deno.test("probe gives the first file that a command cannot have", async () => {
  const none = { path: "b", why: "No b" };
  const find = (path: string) => path === "a" ? 3 : noOperands.find(path);
  const refused = async (name: string, ...args: string[]) =>
    (await probe(await loadBuiltin(name), args, { ...io, find })).refused;
  assert.deepEqual(await refused("cat", "-", "a", "b", "c"), none);
  assert.deepEqual(await refused("sort", "a", "b"), none);
  assert.equal(await refused("sort", "a", "a"), undefined);
  const write = { path: "a", why: "Commands write no files: what they print goes to out_fd" };
  assert.deepEqual(await refused("tee", "a"), write);
  assert.deepEqual(await refused("sed", "-i", "s/x/y/", "a"), write);
});
