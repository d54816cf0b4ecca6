import assert from "node:assert/strict";
import { hostFs } from "../sys/mod.ts";
import { contract, type Subject } from "./_testing.ts";
import { duplexPair } from "./proxy/_testing.ts";
import { connect, serve } from "./proxy/mod.ts";
import type { Vfs } from "./types.ts";
import { hostVfs } from "./host_vfs.ts";
import { memoryVfs } from "./memory_vfs.ts";
import { overlayHost, overlayVfs } from "./overlay/mod.ts";

async function onHost(confined: boolean): Promise<Subject> {
  const root = await Deno.makeTempDir({ prefix: "vfs-" });
  return {
    vfs: hostVfs(hostFs(), { root, ...(confined ? { allow: ["/dev", root] } : {}) }),
    symlink: (target, path) => Deno.symlink(target, `${root}/${path}`),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

/** The same files through one FS proxy, or two in a row. */
async function overFrames(subject: Promise<Subject>, hops: number): Promise<Subject> {
  const made = await subject;
  const { vfs, symlink } = made;
  const ends: (() => PromiseLike<unknown>)[] = [() => made[Symbol.asyncDispose]()];
  let client: Vfs = vfs;
  for (let hop = 0; hop < hops; hop++) {
    const [near, far] = duplexPair();
    const served = serve(client, far);
    const next = await connect(near);
    ends.unshift(() => next.close(), () => served.then(({ left }) => assert.equal(left, 0)));
    client = next;
  }
  return {
    vfs: client,
    symlink,
    async [Symbol.asyncDispose]() {
      for (const end of ends) await end();
    },
  };
}

function inMemory(): Subject {
  const vfs = memoryVfs({ root: "/home/here" });
  return {
    vfs,
    symlink: (target, path) => vfs.symlink(target, path),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** An overlay of files in memory, with the layer in memory, too. */
async function overMemory(): Promise<Subject> {
  const lower = memoryVfs({ root: "/home/here" });
  const vfs = await overlayVfs(lower, memoryVfs());
  return {
    vfs,
    symlink: (target, path) => lower.symlink(target, path),
    [Symbol.asyncDispose]: () => vfs[Symbol.asyncDispose](),
  };
}

/**
 * An overlay of a folder of the host, with the layer in another folder, as a confined program uses
 * it.
 */
async function overHost(): Promise<Subject> {
  const root = await Deno.makeTempDir({ prefix: "vfs-" });
  const folder = await Deno.makeTempDir({ prefix: "vfs-layer-" });
  const layer = hostVfs(hostFs(), { root: folder, allow: [folder] });
  const host = await overlayHost(hostFs(), layer);
  return {
    vfs: hostVfs(host, { root, allow: ["/dev", root] }),
    symlink: (target, path) => Deno.symlink(target, `${root}/${path}`),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await Deno.remove(root, { recursive: true });
      await Deno.remove(folder, { recursive: true });
    },
  };
}

const subjects: Record<string, () => Subject | Promise<Subject>> = {
  "hostVfs": () => onHost(false),
  "hostVfs, confined": () => onHost(true),
  "memoryVfs": inMemory,
  "overlayVfs": overMemory,
  "overlayHost below hostVfs": overHost,
  "connect, to memoryVfs,": () => overFrames(Promise.resolve(inMemory()), 1),
  "connect, over two hops to hostVfs,": () => overFrames(onHost(true), 2),
};

for (const [name, subject] of Object.entries(subjects)) {
  for (const [rule, check] of Object.entries(contract)) {
    Deno.test(`${name} ${rule}`, async () => {
      await using made = await subject();
      await check(made);
    });
  }
}
