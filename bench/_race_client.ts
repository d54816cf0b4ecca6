/**
 * Serves `FOLDER/in` by the FS proxy protocol, and requests the files in `in/d` and `in/f` for some
 * seconds. Arguments: FOLDER SECONDS. Prints the counts as a line of JSON.
 */
import { hostFs, unnamedFile } from "../src/sys/mod.ts";
import { allowedVfs, connect, serve } from "../src/vfs/mod.ts";

const [folder = "", seconds = "1"] = Deno.args;
const [up, down] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
await using vfs = allowedVfs(hostFs(), {
  ...{ root: folder, scratch: unnamedFile },
  entries: [{ path: "in", read: true, write: true }],
});
const served = serve(vfs, { readable: up.readable, writable: down.writable });
const client = await connect({ readable: down.readable, writable: up.writable });

/** The content of the files outside; none inside is as long. */
const OUTSIDE = "what is outside";

const counts: Record<string, { attempts: number; done: number; escapes: number }> = {};
let next = 0;

/** Attempts by name; each resolves to true if it reached something outside. */
const ATTEMPTS: Readonly<Record<string, (number: number) => Promise<boolean>>> = {
  async read() {
    return await content("in/d/x") === OUTSIDE;
  },
  async "read of a file"() {
    return await content("in/f") === OUTSIDE;
  },
  async "write in place"() {
    const file = await client.open("in/d/x", "rw");
    await file.write(0, new TextEncoder().encode("written")).finally(() => file.close());
    return false;
  },
  async "write of a file"() {
    const file = await client.open("in/f", "rw");
    await file.write(0, new TextEncoder().encode("written")).finally(() => file.close());
    return false;
  },
  async make(number) {
    await (await client.open(`in/d/made-${number}`, "w")).close();
    return false;
  },
  async replace() {
    const output = await client.write("in/d/y");
    await output.write(new TextEncoder().encode("written"));
    await output.close();
    return false;
  },
  async mkdir(number) {
    await client.mkdir(`in/d/made-${number}`);
    return false;
  },
  async remove(number) {
    await client.remove(`in/d/remove-${number % 2000}`);
    return false;
  },
  async rename(number) {
    await client.rename(`in/d/rename-${number % 2000}`, `in/taken-${number}`);
    return false;
  },
  stat: async () => (await client.stat("in/d/x")).size === OUTSIDE.length,
  lstat: async () => (await client.lstat("in/d/x")).size === OUTSIDE.length,
  async list() {
    let outside = false;
    for await (const { name } of client.list("in/d")) outside ||= name === "only-outside";
    return outside;
  },
};

async function content(path: string): Promise<string> {
  const file = await client.open(path, "r");
  try {
    const bytes = new Uint8Array(100);
    return new TextDecoder().decode(bytes.subarray(0, await file.read(0, bytes)));
  } finally {
    await file.close();
  }
}

const end = performance.now() + Number(seconds) * 1000;
await Promise.all(Array.from({ length: 8 }, async () => {
  while (performance.now() < end) {
    for (const [name, attempt] of Object.entries(ATTEMPTS)) {
      const count = counts[name] ??= { attempts: 0, done: 0, escapes: 0 };
      count.attempts++;
      try {
        if (await attempt(next++)) count.escapes++;
        count.done++;
      } catch {
        // It was refused, or the file is gone.
      }
    }
  }
}));
await client.close();
await served;
console.log(JSON.stringify(counts));
