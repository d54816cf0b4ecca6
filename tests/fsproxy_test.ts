import assert from "node:assert/strict";
import page from "../docs/fsproxy.md" with { type: "text" };
import { ASKING } from "./_fsproxy_child.ts";
import { optional } from "./_optional.ts";
import { PROGRAM } from "./_program.ts";

/** Runs `llmcmd fsproxy` in a folder with a file `in.txt`. */
async function fsproxy(
  args: (folder: string) => readonly string[],
  use: (result: {
    code: number;
    stdout: string;
    stderr: string;
    folder: string;
  }) => Promise<void> | void,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "llmcmd-fsproxy-" });
  try {
    await Deno.writeTextFile(`${folder}/in.txt`, "hello\n");
    await Deno.writeTextFile(`${folder}/child.ts`, CHILD);
    await Deno.copyFile(
      new URL("../examples/fsproxy_client.py", import.meta.url),
      `${folder}/fsproxy_client.py`,
    );
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        "--no-check",
        "-A",
        PROGRAM,
        "fsproxy",
        ...args(folder),
      ],
      cwd: folder,
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    await use({ code, stdout: text(stdout), stderr: text(stderr), folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A program without permissions that copies `in.txt` to `out.txt` and leaves a third file open. */
const CHILD = `${ASKING}
async function result(op, params) {
  const answer = await ask(op, params);
  return answer.ok ? answer.result : answer.error.code;
}
for (const name of ["read", "write", "net", "env", "run", "sys", "ffi", "import"]) {
  const { state } = Deno.permissions.querySync({ name });
  if (state === "granted") console.log("granted: " + name);
}
const from = (await result("open", { path: "in.txt", mode: "r" })).handle;
const to = (await result("open", { path: "out.txt", mode: "w" })).handle;
const { data } = await result("read", { h: from, max: 4096 });
console.log(await result("write", { h: to, data }), await result("open", { path: "/etc/passwd", mode: "r" }));
console.log(await result("write", { h: (await result("open", { path: "virtual", mode: "w" })).handle, data }));
socket.destroy();
Deno.exit(7);
`;

Deno.test("llmcmd fsproxy serves a Deno program without permissions, and ends as it does", async () => {
  const args = ["-v", "--journal", "j", "--allow", "r:in.txt", "--allow", "w:out.txt", "--"];
  const child = [Deno.execPath(), "run", "--quiet", "--no-prompt", "--deny-import", "child.ts"];
  await fsproxy(() => [...args, ...child], async ({ code, stdout, stderr, folder }) => {
    assert.equal(stdout, "{ written: 6 } E_PERM\n{ written: 6 }\n", stderr);
    assert.equal(code, 7);
    const [first, last] = stderr.trim().split("\n");
    assert.match(first ?? "", /is not confined: it can reach files by itself/);
    assert.equal(
      last,
      "llmcmd fsproxy: 7 requests, 1 refused; 3 files opened, 3 left open; " +
        "6 bytes read, 12 written",
    );
    assert.equal(await Deno.readTextFile(`${folder}/out.txt`), "hello\n");
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["child.ts", "fsproxy_client.py", "in.txt", "j", "out.txt"]);
    const journal = (await Deno.readTextFile(`${folder}/j`)).trim().split("\n")
      .map((line) => JSON.parse(line))
      .map(({ op, path, code, read, written }) => ({ op, path, code, read, written }))
      .map((event) => Object.values(event).filter((value) => value !== undefined).join(" "));
    assert.deepEqual(journal, [
      "open in.txt",
      "open out.txt",
      "open /etc/passwd E_PERM",
      "open virtual",
      "close in.txt 6 0",
      "close out.txt 0 6",
      "close virtual 0 6",
    ]);
  });
});

Deno.test("docs/fsproxy.md: its Deno program reads files without permissions, and ends", async () => {
  const example = /^```ts ignore\n([^]*?)^```/m.exec(page)?.[1] ?? assert.fail("no example");
  const vfs = new URL("../src/vfs/mod.ts", import.meta.url).href;
  const child = example.replace("@llmcmd/llmcmd/vfs", vfs);
  assert.notEqual(child, example);
  const config = new URL("../deno.json", import.meta.url).pathname;
  await fsproxy((folder) => {
    Deno.writeTextFileSync(`${folder}/child.ts`, child);
    const run = [Deno.execPath(), "run", "--quiet", "--no-prompt", "--config", config, "child.ts"];
    return ["--allow", "in.txt", "--", ...run];
  }, ({ code, stdout, stderr }) => assert.deepEqual([code, stdout], [0, "6\n"], stderr));
});

Deno.test({
  ...optional("llmcmd fsproxy and the client in Python, in the sandbox", "python3", "bwrap"),
  async fn() {
    const program = `
import os, fsproxy_client
print([name for name in ("home", "root", "in.txt") if os.path.exists("/" + name)])
files = fsproxy_client.connect()
with files.open("in.txt") as reader, files.open("out.txt", "w") as writer:
    for chunk in reader:
        writer.write(chunk * 20000)
for path in ("/etc/passwd", "../up", "none"):
    try:
        files.open(path)
    except fsproxy_client.ProxyError as error:
        print(error.code)
with files.open("virtual", "rw") as file:
    file.write(b"x" * 70000)
os.kill(os.getpid(), 9)
`;
    const folders = ["--allow", "r:in.txt", "--allow", "w:out.txt", "--sandbox", "bwrap"];
    const show = ["--show", "fsproxy_client.py", "--", "sh", "-c"];
    const line = 'PYTHONPATH=$1 exec python3 -c "$2"';
    await fsproxy(
      (folder) => [...folders, ...show, line, "sh", folder, program],
      async ({ code, stdout, stderr, folder }) => {
        assert.equal(stdout, "[]\nE_PERM\nE_PERM\nE_NOENT\n", stderr);
        assert.equal(
          stderr,
          "llmcmd fsproxy: virtual files that are gone now: virtual (to keep a file: -o FILE or " +
            "--allow w:FILE)\n",
        );
        assert.equal(code, 137);
        assert.equal((await Deno.stat(`${folder}/out.txt`)).size, 120_000);
      },
    );
  },
});
