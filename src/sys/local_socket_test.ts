import assert from "node:assert/strict";
import { connectLocal, listenLocal, type LocalConnection, localSockets } from "./mod.ts";

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "socket-" });
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const ignore = Deno.build.os === "windows";
const modeOf = async (path: string) => ((await Deno.lstat(path)).mode ?? 0) & 0o777;

Deno.test({
  name: "listenLocal makes a private socket in a private folder, and takes it away",
  ignore,
  fn: () =>
    inFolder(async (root) => {
      const folder = `${root}/a/b`;
      const accepted = Promise.withResolvers<LocalConnection>();
      const socket = await listenLocal(folder, "one.sock", accepted.resolve);
      assert.equal(socket.path, `${folder}/one.sock`);
      assert.deepEqual([await modeOf(folder), await modeOf(socket.path)], [0o700, 0o600]);
      const client = await connectLocal(socket.path) ?? assert.fail();
      const server = await accepted.promise;
      const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at);
      const sent = server.write(bytes).then(() => server.close());
      const got = await new Response(client.readable).bytes();
      await sent;
      assert.deepEqual(got, bytes);
      client.close();
      await server.readable.cancel().catch(() => {});
      await socket[Symbol.asyncDispose]();
      assert.deepEqual([...Deno.readDirSync(folder)], []);
      assert.equal(await connectLocal(socket.path), undefined);
    }),
});

Deno.test({
  name: "localSockets removes what a program left that was killed, and nothing else",
  ignore,
  fn: () =>
    inFolder(async (folder) => {
      const dead = Deno.listen({ transport: "unix", path: `${folder}/dead.sock` });
      dead.close();
      await Deno.writeTextFile(`${folder}/a file`, "");
      const drop = (connection: LocalConnection) => {
        connection.close();
      };
      await using live = await listenLocal(folder, "live.sock", drop);
      assert.deepEqual(await localSockets(folder), [live.path]);
      assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
        "a file",
        "live.sock",
      ]);
      assert.deepEqual(await localSockets(`${folder}/missing`), []);
    }),
});

Deno.test({
  name: "Sockets are not used where others may enter, behind a link, or at a path that is too long",
  ignore,
  fn: () =>
    inFolder(async (folder) => {
      const accept = () => assert.fail();
      await Deno.mkdir(`${folder}/open`, { mode: 0o755 });
      await Deno.chmod(`${folder}/open`, 0o710);
      const open = { name: "FileError", message: /other users may enter it/ };
      await assert.rejects(listenLocal(`${folder}/open`, "s", accept), open);
      await assert.rejects(localSockets(`${folder}/open`), open);
      await Deno.mkdir(`${folder}/private`, { mode: 0o700 });
      await Deno.symlink("private", `${folder}/link`);
      await assert.rejects(localSockets(`${folder}/link`), /it is not a folder/);
      await assert.rejects(listenLocal(folder, "x".repeat(110), accept), {
        name: "FileError",
        message: /at most 103 bytes/,
      });
    }),
});
