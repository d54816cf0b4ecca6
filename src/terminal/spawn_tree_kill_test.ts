import assert from "node:assert/strict";
import { notLinux } from "../../tests/_optional.ts";
import { KINDS } from "./_escapes_test.ts";
import {
  alive,
  cleanUp,
  newToken,
  sleeping,
  startProgram,
  testEachDesign,
  until,
} from "./_testing.ts";
import { spawnTree } from "./mod.ts";

const FOLDER = import.meta.dirname ?? ".";
const ENDS = ["kill", "abort", "dispose"] as const;

/** Starts each kind of descendant, reports that on standard error, and copies input to output. */
function everyKind(token: string): string[] {
  const line = `T=${token}\n${Object.values(KINDS).join("\n")}\necho started >&2; cat; sleep 60`;
  return ["bash", "-c", line];
}

for (const end of ENDS) {
  testEachDesign(
    `spawnTree leaves none of eight kinds of descendants in the middle of a copy after ${end}`,
    async ({ design, sandbox }) => {
      const token = newToken();
      const abort = new AbortController();
      try {
        await using tree = await spawnTree(everyKind(token), {
          cwd: FOLDER,
          sandbox,
          killDesigns: [design],
          stdin: "pipe",
          duplex: true,
          signal: abort.signal,
        });
        const copied = tree.stdout.getReader();
        const writer = tree.stdin.getWriter();
        const write = async () => {
          for (;;) await writer.write(new Uint8Array(65_536));
        };
        const writing = assert.rejects(write(), { name: "BrokenPipe" });
        assert.equal(
          new TextDecoder().decode((await tree.stderr.getReader().read()).value),
          "started\n",
        );
        assert.ok(((await copied.read()).value?.length ?? 0) > 0);
        assert.ok(await until(() => sleeping(token) === Object.keys(KINDS).length));
        if (end === "abort") abort.abort();
        if (end === "dispose") await tree[Symbol.asyncDispose]();
        const survivors = end === "abort"
          ? (await tree.ended, await tree.kill())
          : await tree.kill();
        assert.equal(survivors, 0);
        assert.deepEqual(alive(token, "--die-with-parent"), []);
        assert.deepEqual(await tree.status, { exitCode: null, signal: null, background: false });
        await writing;
      } finally {
        cleanUp(token);
      }
    },
    notLinux,
  );
}

testEachDesign(
  "spawnTree leaves nothing when its own process is killed with SIGKILL, though another child of that lives on",
  async ({ design }) => {
    const [token, other] = [newToken(), newToken()];
    const temp = await Deno.makeTempDir();
    const program = `
    import { chooseSandbox, spawnTree } from "${import.meta.resolve("./mod.ts")}";
    const sandbox = await chooseSandbox("${design === "namespace" ? "bwrap" : "none"}");
    const tree = await spawnTree(${JSON.stringify(everyKind(token))}, {
      cwd: "${FOLDER}", sandbox, killDesigns: ["${design}"], stdin: "pipe", duplex: true });
    new Deno.Command("sleep", { args: ["${other}"], detached: true, stdout: "null", stderr: "null",
      stdin: "null" }).spawn();
    await tree.status;`;
    try {
      await using holder = await startProgram(program, { TMPDIR: temp });
      const ready = () =>
        sleeping(token) === Object.keys(KINDS).length && alive(other).length === 1;
      assert.ok(await until(ready), "it did not start");
      await holder.kill();
      assert.ok(await until(() => alive(token).length === 0), "survivors");
      assert.equal(alive(other).length, 1);
    } finally {
      cleanUp(token);
      cleanUp(other);
      await Deno.remove(temp, { recursive: true });
    }
  },
  notLinux,
);
