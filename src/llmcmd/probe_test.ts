import assert from "node:assert/strict";
import type { Builtin } from "../builtins/mod.ts";
import { probe } from "./probe.ts";

const io = { signal: new AbortController().signal };
const bytes = new TextEncoder().encode("x\n");

const fails: Builtin = async function* (args, io) {
  await Promise.resolve();
  io.warn(`fails: invalid option ${args[0]}`);
  io.warn("Try 'fails --help'");
  if (args.length > 9) yield bytes;
  return 2;
};

Deno.test("probe gives what a builtin says about its arguments", async () => {
  assert.equal(await probe(fails, ["-z"], io), "fails: invalid option -z\nTry 'fails --help'");
});

Deno.test("probe gives the message of a builtin that throws at its arguments", async () => {
  const throws: Builtin = async function* () {
    await Promise.resolve();
    yield* [];
    throw new RangeError("throws: invalid pattern");
  };
  assert.equal(await probe(throws, [], io), "throws: invalid pattern");
});

Deno.test("probe finds nothing wrong once input is asked for, output given, or all is well", async () => {
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
    assert.equal(await probe(builtin, [], io), undefined);
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
  await assert.rejects(probe(stuck, [], { signal }), { message: "Stop" });
});
