/**
 * The client that `bench/fsproxy.ts` measures: reads the file `in` through descriptor 3 and prints
 * the seconds. Arguments: total bytes, bytes of one read, reads in flight. If a command follows,
 * this is a proxy between that command and descriptor 3, and measures nothing.
 */
import { Socket } from "node:net";
import { duplexOf } from "../src/sys/process/_socket_streams.ts";
import { spawnTree } from "../src/terminal/mod.ts";
import { connect, serve } from "../src/vfs/mod.ts";

const [total = 0, chunk = 0, window = 0] = Deno.args.slice(0, 3).map(Number);
const command = Deno.args.slice(3);
const duplex = duplexOf(new Socket({ fd: 3 }), "descriptor 3");
const client = await connect(duplex, chunk > 4096 ? { chunk } : { extensions: [] });
if (command.length > 0) {
  await using tree = await spawnTree(command, { outputs: "inherit", duplex: true });
  if (tree.duplex === undefined) throw new Error("the command has no descriptor 3");
  const served = serve(client, tree.duplex);
  const { exitCode } = await tree.status;
  await tree.kill();
  await served;
  await client.close();
  Deno.exit(exitCode ?? 1);
}
const file = await client.open("in", "r");
const begin = performance.now();
let [at, received] = [0, 0];
await Promise.all(Array.from({ length: window }, async () => {
  const into = new Uint8Array(chunk);
  while (at < total) {
    const from = at;
    at += chunk;
    const count = await file.read(from, into);
    received += count;
  }
}));
console.info((performance.now() - begin) / 1000);
if (received !== total) throw new Error(`${received} bytes came`);
await client.close();
