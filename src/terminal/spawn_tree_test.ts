import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { notLinux } from "../../tests/_optional.ts";
import { isBrokenPipe } from "../sys/mod.ts";
import { alive, type Available, cleanUp, newToken, testEachDesign } from "./_testing.ts";
import { type ProcessTree, spawnTree, type SpawnTreeOptions } from "./mod.ts";

const FOLDER = import.meta.dirname ?? ".";
const encoder = new TextEncoder();

function spawn(
  { design, sandbox }: Available,
  command: string | readonly string[],
  options: SpawnTreeOptions = {},
): Promise<ProcessTree> {
  return spawnTree(command, { cwd: FOLDER, sandbox, killDesigns: [design], ...options });
}

function text(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  return new Response(stream ?? null).text();
}

testEachDesign("spawnTree passes odd words on as they are", async (available) => {
  const words = [
    "a b",
    '"',
    "'",
    "two\nlines",
    "",
    "$(echo x)",
    "`x`",
    "*",
    "-n",
    "\\",
    "\u00e9",
    "~",
  ];
  const script = 'printf "<%s>\\0" "$0" "$@"; exit 5';
  await using tree = await spawn(available, ["bash", "-c", script, "--", ...words, "end\n"]);
  assert.deepEqual(
    (await text(tree.stdout)).split("\0"),
    [...["--", ...words, "end\n"].map((word) => `<${word}>`), ""],
  );
  assert.deepEqual(await tree.status, { exitCode: 5, signal: null, background: false });
  assert.equal(tree.killDesign, available.design);
  assert.equal(tree.sandbox.kind, available.sandbox.kind);
  assert.equal(await tree.kill(), 0);
});

testEachDesign("spawnTree runs a line of shell without input", async (available) => {
  await using tree = await spawn(available, "cat; echo $((6 * 7)); kill -SEGV $$", {
    env: { A: "1" },
  });
  assert.equal(await text(tree.stdout), "42\n");
  assert.deepEqual(await tree.status, { exitCode: 139, signal: "SIGSEGV", background: false });
  await assert.rejects(tree.stdin.getWriter().write(new Uint8Array(1)), TypeError);
});

testEachDesign("spawnTree gives both outputs apart, or merged in order", async (available) => {
  const line = "for i in 1 2 3; do echo out $i; echo err $i >&2; done";
  const three = (word: string) => [1, 2, 3].map((i) => `${word} ${i}\n`).join("");
  await using apart = await spawn(available, line);
  assert.equal(await text(apart.stdout), three("out"));
  assert.equal(await text(apart.stderr), three("err"));
  await using merged = await spawn(available, line, { stderr: "merge" });
  assert.equal(
    await text(merged.stdout),
    [1, 2, 3].map((i) => `out ${i}\nerr ${i}\n`).join(""),
  );
  assert.equal(await text(merged.stderr), "");
});

testEachDesign(
  "spawnTree moves 100 MB through a command, byte for byte, without holding them",
  async (available) => {
    const block = crypto.getRandomValues(new Uint8Array(65_521));
    const total = 100_000_000;
    let [sent, received, most] = [0, 0, 0];
    await using tree = await spawn(available, ["cat"], { stdin: "pipe" });
    const send = async () => {
      const writer = tree.stdin.getWriter();
      while (sent < total) {
        const part = block.subarray(0, total - sent);
        await writer.write(part);
        sent += part.length;
      }
      await writer.close();
    };
    const sending = send();
    for await (const chunk of tree.stdout) {
      for (let done = 0; done < chunk.length;) {
        const at = (received + done) % block.length;
        const part = chunk.subarray(done, done + block.length - at);
        const same = Buffer.compare(part, block.subarray(at, at + part.length)) === 0;
        assert.ok(same, `other bytes from ${received + done} on`);
        done += part.length;
      }
      received += chunk.length;
      most = Math.max(most, sent - received);
    }
    await sending;
    assert.equal(received, total);
    assert.ok(most < 2 ** 20, `${most} bytes were on their way`);
    assert.equal((await tree.status).exitCode, 0);
  },
);

testEachDesign("spawnTree holds up a command whose output is not read", async (available) => {
  const line = `for ((i = 1; i <= 1000; i++)); do printf "%08192d" 0; echo $i >&2; done`;
  await using tree = await spawn(available, ["bash", "-c", line]);
  const reader = tree.stderr.getReader();
  let last = 0;
  const count = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      last = Number(new TextDecoder().decode(value).trimEnd().split("\n").at(-1));
    }
  };
  const counting = count();
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.ok(last < 100, `${last} blocks of 8 KiB were written`);
  assert.equal((await text(tree.stdout)).length, 8_192_000);
  await counting;
  assert.equal(last, 1000);
});

testEachDesign(
  "spawnTree gives the command a socket on descriptor 3, and nothing else to hold",
  async (available) => {
    const open = 'for n in 3 4 5 6 7; do (eval "true <&$n") 2>/dev/null && echo open $n; done';
    const line =
      `${open}; while read -r a <&3; do echo "got $a" >&3; done; echo $DENO_EXTRA_STDIO_FDS`;
    await using tree = await spawn(available, ["bash", "-c", line], { duplex: true });
    const writer = tree.duplex?.writable.getWriter();
    await writer?.write(encoder.encode("a b\nlast\n"));
    await writer?.close();
    assert.equal(await text(tree.duplex?.readable), "got a b\ngot last\n");
    assert.equal(await text(tree.stdout), "open 3\n\n");
    await using without = await spawn(available, ["bash", "-c", open]);
    assert.equal(await text(without.stdout), "");
    assert.equal(without.duplex, undefined);
  },
);

testEachDesign("spawnTree tells a writer that the command has ended", async (available) => {
  const token = newToken();
  const write = async (tree: ProcessTree) => {
    const writer = tree.stdin.getWriter();
    for (;;) await writer.write(new Uint8Array(65_536).fill(0x78));
  };
  try {
    await using tree = await spawn(available, "read -r -n 1 x; exit 3", { stdin: "pipe" });
    await assert.rejects(write(tree), isBrokenPipe);
    assert.equal((await tree.status).exitCode, 3);
    // A background process holds the pipe.
    await using left = await spawn(available, `{ sleep ${token} & } <&0`, { stdin: "pipe" });
    await assert.rejects(write(left), isBrokenPipe);
    assert.deepEqual(await left.status, { exitCode: 0, signal: null, background: true });
    assert.equal(await left.kill(), 0);
    assert.deepEqual([await text(left.stdout), await text(left.stderr)], ["", ""]);
    await left.ended;
  } finally {
    cleanUp(token);
  }
}, notLinux);

testEachDesign("spawnTree says why a command can't start", async (available) => {
  const fails = (
    command: string | readonly string[],
    name: string,
    message: RegExp,
    options: SpawnTreeOptions = {},
  ) => assert.rejects(spawn(available, command, options), { name, message });
  await fails(["no-such-program", "x"], "ProgramMissingError", /^Cannot start no-such-program: /);
  await fails(["/etc/passwd"], "ProgramMissingError", /^Cannot start \/etc\/passwd: /);
  await fails(["/etc"], "ProgramMissingError", /^Cannot start \/etc: /);
  await fails(["true"], "CommandStartError", /no (such )?folder/, { cwd: "/no/such/folder" });
  await fails([], "CommandStartError", /no program/);
  await fails([""], "CommandStartError", /no program/);
  await fails(["true", "a\0b"], "CommandStartError", /NUL/);
  await fails(["true", "x".repeat(200_000)], "CommandStartError", /an argument has 200000 bytes/);
  const reason = new Error("not now");
  const signal = AbortSignal.abort(reason);
  await assert.rejects(spawn(available, ["true"], { signal }), reason);
  const late = new AbortController();
  const starting = spawn(available, ["sleep", "60"], { signal: late.signal });
  late.abort(reason);
  await assert.rejects(starting, reason);
});

testEachDesign(
  "spawnTree fails readers of a tree that is disposed of, and leaves no process",
  async (available) => {
    const token = newToken();
    try {
      const tree = await spawn(available, ["sleep", token], { stdin: "pipe", duplex: true });
      const streams = [tree.stdout, tree.stderr, tree.duplex?.readable];
      const reads = streams.map((stream) => stream?.getReader().read());
      const write = tree.stdin.getWriter().write(new Uint8Array(1 << 20));
      await Promise.all([
        ...reads.map((read) => read?.then(({ done }) => assert.ok(done), () => {})),
        assert.rejects(write, isBrokenPipe),
        tree[Symbol.asyncDispose](),
      ]);
      assert.deepEqual(await tree.status, { exitCode: null, signal: null, background: false });
      assert.deepEqual(alive(token), []);
    } finally {
      cleanUp(token);
    }
  },
  notLinux,
);
