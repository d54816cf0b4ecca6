import assert from "node:assert/strict";
import { ASKING } from "./_fsproxy_child.ts";
import { optional } from "./_optional.ts";
import { PROGRAM } from "./_program.ts";

/** A request and its answer: the `code` of an error, or fields of the result. */
type Row = readonly [op: string, params: Record<string, unknown>, answer: string];

const ALL = [
  ...["seek", "stat", "lstat", "list", "mkdir", "remove", "rename", "readlink", "realpath"],
  ...["truncate", "replace", "pipe"],
];

/** Requests in order; handles are counted from 3. */
const TABLE: readonly Row[] = [
  // The requests of the specification, and their errors.
  ["open", { path: "in.txt", mode: "r" }, '{"handle":3}'],
  ["open", { path: "in.txt", mode: "w" }, "E_PERM"],
  ["open", { path: "in.txt", mode: "x" }, "E_ARG"],
  ["open", { mode: "r" }, "E_ARG"],
  ["open", { path: "none", mode: "r" }, "E_NOENT"],
  ["open", { path: "/etc/passwd", mode: "r" }, "E_PERM"],
  ["open", { path: "../up", mode: "w" }, "E_PERM"],
  ["open", { path: "data/out", mode: "r" }, "E_PERM"],
  ["read", { h: 3, max: 0 }, "E_ARG"],
  ["read", { h: 3, max: 4097 }, "E_RANGE"],
  ["read", { h: 3, max: 4096 }, '{"data":"aGVsbG8K","eof":false}'],
  ["read", { h: 3, max: 1 }, '{"data":"","eof":true}'],
  ["write", { h: 3, data: "eA==" }, "E_PERM"],
  ["read", { h: 0, max: 1 }, "E_PERM"],
  ["write", { h: 1, data: "eA==" }, "E_PERM"],
  ["close", { h: 2 }, "E_PERM"],
  ["read", { h: 9, max: 1 }, "E_NOENT"],
  ["open", { path: "out.txt", mode: "w" }, '{"handle":4}'],
  ["write", { h: 4, data: "eA==", final: true }, '{"written":1}'],
  ["write", { h: 4, data: "eA" }, "E_ARG"],
  ["read", { h: 4, max: 1 }, "E_PERM"],
  ["close", { h: 4 }, "{}"],
  ["write", { h: 4, data: "eA==" }, "E_CLOSED"],
  ["close", { h: 4 }, "E_CLOSED"],
  ["QUOTA", {}, "E_PERM"],
  ["LLMCMD", { prompt: "x" }, "E_PERM"],
  ["exec", {}, "E_UNSUPPORTED"],
  // None of these is supported before hello.
  ...ALL.slice(0, -2).map((op): Row => [op, { path: "in.txt" }, "E_UNSUPPORTED"]),
  ["pipe", {}, "E_UNSUPPORTED"],
  ["open", { path: "data/a", mode: "w", replace: true }, "E_UNSUPPORTED"],
  ["hello", { chunk: 0 }, "E_ARG"],
  ["hello", { extensions: "stat" }, "E_ARG"],
  [
    "hello",
    { extensions: [...ALL, "exec"], chunk: 1e6 },
    JSON.stringify({ version: 1, extensions: ALL, chunk: 65536, root: "FOLDER" }),
  ],
  ["read", { h: 3, max: 65_537 }, "E_RANGE"],
  // seek, and reads of up to the chunk.
  ["seek", { h: 3, offset: 1 }, '{"offset":1}'],
  ["read", { h: 3, max: 65_536 }, '{"data":"ZWxsbwo=","eof":false}'],
  ["seek", { h: 3 }, '{"offset":6}'],
  ["seek", { h: 3, offset: -1 }, "E_ARG"],
  ["seek", { offset: 0 }, "E_ARG"],
  ["seek", { h: 4, offset: 0 }, "E_CLOSED"],
  ["seek", { h: 99, offset: 0 }, "E_NOENT"],
  ["seek", { h: 0, offset: 0 }, "E_PERM"],
  // truncate.
  ["open", { path: "data/f", mode: "rw" }, '{"handle":5}'],
  ["write", { h: 5, data: "aGVsbG8K" }, '{"written":6}'],
  ["truncate", { h: 5, size: 2 }, "{}"],
  ["stat", { h: 5 }, '{"kind":"file","size":2}'],
  ["truncate", { h: 5, size: 1.5 }, "E_ARG"],
  ["truncate", { h: 3, size: 0 }, "E_PERM"],
  ["truncate", { h: 4, size: 0 }, "E_CLOSED"],
  ["truncate", { h: 99, size: 0 }, "E_NOENT"],
  // stat and lstat.
  ["stat", { path: "in.txt" }, '{"kind":"file","size":6}'],
  ["stat", { path: "data/link" }, '{"kind":"file","size":1}'],
  ["stat", { path: "data" }, '{"kind":"folder"}'],
  ["stat", { path: "none" }, "E_NOENT ENOENT"],
  ["stat", { path: "in.txt/x" }, "E_NOENT ENOTDIR"],
  ["stat", { path: "/etc/passwd" }, "E_PERM EACCES"],
  ["stat", { path: "data/out" }, "E_PERM EACCES"],
  ["stat", {}, "E_ARG"],
  ["stat", { path: "a\0b" }, "E_ARG"],
  ["lstat", { path: "data/link" }, '{"kind":"link"}'],
  ["lstat", { path: "data/out" }, '{"kind":"link"}'],
  ["lstat", { path: "none" }, "E_NOENT ENOENT"],
  ["lstat", { path: "/etc/none" }, "E_PERM EACCES"],
  ["lstat", { path: 1 }, "E_ARG"],
  // readlink and realpath.
  ["readlink", { path: "data/link" }, '{"target":"a"}'],
  ["readlink", { path: "data/a" }, "E_ARG EINVAL"],
  ["readlink", { path: "none" }, "E_NOENT ENOENT"],
  ["readlink", { path: "/proc/self/exe" }, "E_PERM EACCES"],
  ["realpath", { path: "data/link" }, '{"path":"FOLDER/data/a"}'],
  ["realpath", { path: "data/none" }, "E_NOENT ENOENT"],
  ["realpath", { path: "data/out" }, "E_PERM EACCES"],
  // list.
  ["list", { path: "data" }, '{"entries":["a file","f file","link link","out link"]}'],
  ["list", { path: "in.txt" }, "E_NOENT ENOTDIR"],
  ["list", { path: "none" }, "E_NOENT ENOENT"],
  ["list", { path: "/" }, "E_PERM EACCES"],
  ["list", { h: 3 }, "E_ARG"],
  ["list", { h: 99 }, "E_NOENT"],
  // mkdir.
  ["mkdir", { path: "data/new" }, "{}"],
  ["mkdir", { path: "data/new" }, "E_IO EEXIST"],
  ["mkdir", { path: "data/x/y" }, "E_NOENT ENOENT"],
  ["mkdir", { path: "data/x/y", parents: true }, "{}"],
  ["mkdir", { path: "data/x/y", parents: 1 }, "E_ARG"],
  ["mkdir", { path: "/tmp/fsproxy-none" }, "E_PERM EACCES"],
  ["mkdir", { path: "data/out" }, "E_PERM EACCES"],
  // rename.
  ["rename", { from: "data/f", to: "data/x/g" }, "{}"],
  ["rename", { from: "data/f", to: "data/g" }, "E_NOENT ENOENT"],
  ["rename", { from: "data/x/g", to: "data/new" }, "E_ARG EISDIR"],
  ["rename", { from: "data/x/g", to: "/tmp/fsproxy-none" }, "E_PERM EACCES"],
  ["rename", { from: "in.txt", to: "data/in.txt" }, "E_PERM EACCES"],
  ["rename", { from: "data/x/g", to: "virtual" }, "E_IO EXDEV"],
  ["rename", { from: "data/x/g" }, "E_ARG"],
  ["stat", { h: 5 }, '{"kind":"file","size":2}'],
  // remove.
  ["remove", { path: "data/x" }, "E_IO ENOTEMPTY"],
  ["remove", { path: "data/x", recursive: true }, "{}"],
  ["remove", { path: "data/out" }, "{}"],
  ["remove", { path: "data/none" }, "E_NOENT ENOENT"],
  ["remove", { path: "in.txt" }, "E_PERM EACCES"],
  ["remove", { path: "/etc/passwd" }, "E_PERM EACCES"],
  ["remove", { path: "data", recursive: true }, "E_IO EBUSY"],
  ["read", { h: 5, max: 9 }, '{"data":"","eof":true}'],
  // replace; each listing has taken a handle.
  ["open", { path: "data/a", mode: "w", replace: true }, '{"handle":10}'],
  ["write", { h: 10, data: "bmV3" }, '{"written":3}'],
  ["stat", { path: "data/a" }, '{"kind":"file","size":1}'],
  ["seek", { h: 10, offset: 0 }, "E_PERM"],
  ["close", { h: 10 }, "{}"],
  ["stat", { path: "data/a" }, '{"kind":"file","size":3}'],
  ["open", { path: "data/a", mode: "r", replace: true }, "E_ARG"],
  ["open", { path: "data/a", mode: "w", replace: true, exclusive: true }, "E_IO EEXIST"],
  // pipe.
  ["pipe", {}, '{"read":11,"write":12}'],
  ["read", { h: 12, max: 1 }, "E_PERM"],
  ["write", { h: 11, data: "eA==" }, "E_PERM"],
  ["close", { h: 12 }, "{}"],
  ["read", { h: 11, max: 1 }, '{"data":"","eof":true}'],
  // Virtual files.
  ["mkdir", { path: "v" }, "{}"],
  ["open", { path: "v/f", mode: "w" }, '{"handle":13}'],
  ["write", { h: 13, data: "eA==" }, '{"written":1}'],
  ["rename", { from: "v/f", to: "v/g" }, "{}"],
  ["list", { path: "v" }, '{"entries":["g file"]}'],
  ["stat", { path: "v/g" }, '{"kind":"file","size":1}'],
  ["remove", { path: "v/g" }, "{}"],
  ["lstat", { path: "v/g" }, "E_NOENT ENOENT"],
];

const PERMISSIONS = ["read", "write", "net", "env", "run", "sys", "ffi", "import"];

/**
 * A program without permissions that sends the requests of its first argument, and prints the
 * answers.
 */
const CHILD = `${ASKING}for (const name of ${JSON.stringify(PERMISSIONS)}) {
  const { state } = Deno.permissions.querySync({ name });
  if (state !== "denied") throw new Error(name + " is " + state);
}
const failed = (action) => { try { action(); return false; } catch (error) { return error.name; } };
console.log(failed(() => Deno.readTextFileSync("in.txt")));
for (const [op, params] of JSON.parse(Deno.args[0])) {
  console.log(JSON.stringify(await ask(op, params)));
}
socket.destroy();
`;

/** The same with the client in Python, which reports no POSIX error names. */
const PYTHON = `
import fsproxy_client, json, sys
files = fsproxy_client.connect(4096)
print("NotCapable")
for number, (op, params) in enumerate(json.loads(sys.argv[1])):
    try:
        answer = {"ok": True, "result": files.request(op, **params)}
    except fsproxy_client.ProxyError as error:
        answer = {"ok": False, "error": {"code": error.code, "message": error.message}}
    print(json.dumps({"id": str(number + 1), **answer}))
`;

/** Runs a program behind the proxy; resolves to its answer to each request of the table. */
async function answersOf(command: readonly string[]): Promise<string[]> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-fsproxy-" }));
  try {
    await Deno.writeTextFile(`${folder}/in.txt`, "hello\n");
    await Deno.mkdir(`${folder}/data`);
    await Deno.writeTextFile(`${folder}/data/a`, "A");
    await Deno.symlink("a", `${folder}/data/link`);
    await Deno.symlink("/etc/passwd", `${folder}/data/out`);
    await Deno.writeTextFile(`${folder}/child.ts`, CHILD);
    await Deno.writeTextFile(`${folder}/child.py`, PYTHON);
    const client = new URL("../examples/fsproxy_client.py", import.meta.url);
    await Deno.copyFile(client, `${folder}/fsproxy_client.py`);
    const requests = JSON.stringify(TABLE.map(([op, params]) => [op, params]));
    const allow = ["--allow", "r:in.txt", "--allow", "w:out.txt", "--allow", "rw:data"];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--no-check", "-A", PROGRAM, "fsproxy", ...allow],
        ...["--", ...command, requests],
      ],
      cwd: folder,
    }).output();
    const lines = new TextDecoder().decode(stdout).trim().split("\n");
    assert.equal(lines.shift(), "NotCapable", new TextDecoder().decode(stderr));
    return lines.map((line, index) => {
      const { id, ok, result = {}, error } = JSON.parse(line);
      assert.equal(id, String(index + 1));
      if (!ok) {
        assert.equal(typeof error.message, "string");
        assert.notEqual(error.message, "");
        return [error.code, ...error.posix === undefined ? [] : [error.posix]].join(" ");
      }
      return JSON.stringify(plain(result)).replaceAll(folder, "FOLDER");
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A result without the fields that differ from run to run. */
function plain(result: Record<string, unknown>): Record<string, unknown> {
  const { kind, size, entries } = result;
  if (kind !== undefined) return kind === "file" ? { kind, size } : { kind };
  if (!Array.isArray(entries)) return result;
  return { entries: entries.map(({ name, kind }) => `${name} ${kind}`).sort() };
}

function check(answers: readonly string[], expected: readonly string[]): void {
  const told = TABLE.map(([op, params], index) =>
    `${op} ${JSON.stringify(params)} -> ${answers[index]}`
  );
  assert.deepEqual(
    told,
    TABLE.map(([op, params], index) => `${op} ${JSON.stringify(params)} -> ${expected[index]}`),
  );
}

Deno.test("llmcmd fsproxy answers each operation, and refuses what it should, for a program that is denied all", async () => {
  const denied = PERMISSIONS.map((name) => `--deny-${name}`);
  const command = [Deno.execPath(), "run", "--quiet", "--no-prompt", ...denied, "child.ts"];
  check(await answersOf(command), TABLE.map(([, , answer]) => answer));
});

Deno.test({
  ...optional("llmcmd fsproxy answers the client in Python as one without permissions", "python3"),
  async fn() {
    const codes = TABLE.map(([, , answer]) => answer.replace(/^(E_\w+) .*/, "$1"));
    check(await answersOf(["python3", "child.py"]), codes);
  },
});
