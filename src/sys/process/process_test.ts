import assert from "node:assert/strict";
import {
  type HostProcess,
  isBrokenPipe,
  type ProcessOptions,
  runProgram,
  startProcess,
} from "../mod.ts";

const env = { PATH: Deno.env.get("PATH") ?? "" };
const encoder = new TextEncoder();

/** Starts a shell line, and releases its process at the end. */
async function withShell(
  line: string,
  options: Partial<ProcessOptions>,
  use: (process: HostProcess) => Promise<void>,
): Promise<void> {
  const process = await startProcess({ program: "sh", args: ["-c", line], env, ...options });
  try {
    await use(process);
  } finally {
    process.kill();
    await process.status;
    process.release();
  }
}

function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

async function write(stream: WritableStream<Uint8Array>, data: string): Promise<void> {
  const writer = stream.getWriter();
  await writer.write(encoder.encode(data));
  await writer.close();
}

Deno.test("startProcess connects input, both outputs and sockets, and gives the exit code", async () => {
  const line =
    "cat; echo err >&2; while read -r a <&3; do echo 3:$a >&3; done; cat <&4 >&4; exit 7";
  await withShell(line, { stdin: "pipe", duplexes: 2 }, async (process) => {
    const [three, four] = process.duplexes;
    assert.ok(three !== undefined && four !== undefined);
    const seen = Promise.all([
      text(process.stdout),
      text(process.stderr),
      text(three.readable),
      text(four.readable),
    ]);
    await write(process.stdin, "in");
    await write(three.writable, "x\ny\n");
    await write(four.writable, "bytes");
    assert.deepEqual(await seen, ["in", "err\n", "3:x\n3:y\n", "bytes"]);
    assert.equal(await process.status, 7);
  });
});

Deno.test("startProcess gives pipes as standard descriptors, an empty input where none is asked for, and only the environment it is told", async () => {
  const line = "[ -p /dev/stdin ]; echo $?; [ -p /dev/stdout ]; echo $?; cat; echo $A $HOME.";
  await withShell(line, { stdin: "pipe", env: { ...env, A: "1" } }, async (process) => {
    await process.stdin.close();
    assert.equal(await text(process.stdout), "0\n0\n1 .\n");
    assert.equal(await text(process.stderr), "");
  });
  await withShell(line, { env: { ...env, A: "1" } }, async (process) => {
    assert.equal(await text(process.stdout), "1\n0\n1 .\n");
    await assert.rejects(process.stdin.getWriter().write(new Uint8Array(1)), TypeError);
  });
});

Deno.test("a process that ends or closes its input fails writes as a broken pipe, and closing does not", async () => {
  const block = new Uint8Array(1 << 20);
  await withShell("read -r line; exit 3", { stdin: "pipe" }, async (process) => {
    const writer = process.stdin.getWriter();
    await writer.write(encoder.encode("line\n"));
    await assert.rejects(async () => {
      for (;;) await writer.write(block);
    }, isBrokenPipe);
    assert.equal(await process.status, 3);
  });
  await withShell("exec <&-; echo closed; sleep 60", { stdin: "pipe" }, async (process) => {
    const reader = process.stdout.getReader();
    assert.equal(new TextDecoder().decode((await reader.read()).value), "closed\n");
    await assert.rejects(process.stdin.getWriter().write(block), isBrokenPipe);
  });
  await withShell(":", { stdin: "pipe" }, async (process) => {
    await process.status;
    await process.stdin.close().catch((error) => assert.ok(isBrokenPipe(error)));
  });
});

Deno.test("closeStdin and release end what waits, whoever has locked the streams", async () => {
  await withShell("sleep 60", { stdin: "pipe", duplexes: 1 }, async (process) => {
    const stuck = process.stdin.getWriter().write(new Uint8Array(1 << 20));
    process.closeStdin();
    await assert.rejects(stuck, isBrokenPipe);
    const reads = [process.stdout, process.stderr, process.duplexes[0]?.readable].map((stream) =>
      stream?.getReader().read()
    );
    process.release();
    for (const read of reads) await assert.rejects(async () => await read, /was released/);
  });
});

Deno.test("a socket whose reading is cancelled can still be written to, and ends when it is closed", async () => {
  await withShell(
    "echo lost >&3; echo; echo lost >&3; cat <&3",
    { duplexes: 1 },
    async (process) => {
      const [duplex] = process.duplexes;
      assert.ok(duplex !== undefined);
      await duplex.readable.cancel();
      const writer = duplex.writable.getWriter();
      await writer.write(encoder.encode("still"));
      const reader = process.stdout.getReader();
      let seen = "";
      while (seen !== "\nstill") seen += new TextDecoder().decode((await reader.read()).value);
      await writer.close();
      assert.equal(await process.status, 0);
      assert.equal((await reader.read()).done, true);
    },
  );
});

Deno.test("what an ended process has written is read whole, however late", async () => {
  const line = "for i in 1 2 3 4 5 6 7 8 9 10; do printf %09999d $i; done; printf %05000d 1 >&2";
  await withShell(line, { duplexes: 1 }, async (process) => {
    await process.duplexes[0]?.writable.close();
    const seen = process.stdout.getReader();
    let length = (await seen.read()).value?.length ?? 0;
    await process.status;
    // The runtime calls `resume()` on the streams a moment after the end.
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let it = await seen.read(); it.value !== undefined; it = await seen.read()) {
      length += it.value.length;
    }
    assert.equal(length, 99_990);
    assert.equal((await text(process.stderr)).length, 5000);
    assert.equal(await text(process.duplexes[0]?.readable ?? process.stderr), "");
  });
});

Deno.test("startProcess tells the signal that ended a process, and kills it", async () => {
  await withShell("kill -TERM $$", {}, async (process) => assert.equal(await process.status, 143));
  await withShell("sleep 60", {}, async (process) => {
    process.kill();
    assert.equal(await process.status, 137);
  });
});

Deno.test("startProcess and runProgram say why a program can't start", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/plain`, "", { mode: 0o644 });
  const long = "x".repeat(200_000);
  try {
    for (const start of [startProcess, runProgram]) {
      const fails = (options: Partial<ProcessOptions>, name: string, message: RegExp) =>
        assert.rejects(() => start({ program: "sh", args: [], env, ...options }), {
          name,
          message,
        });
      await fails({ program: "no-such-program" }, "ProgramMissingError", /not installed/);
      await fails({ program: `${folder}/plain` }, "FileError", /permission denied/i);
      await fails({ cwd: `${folder}/none` }, "FileError", /there is no folder .*none$/);
      await fails({ cwd: `${folder}/plain` }, "FileError", /plain is not a folder$/);
      await fails({ args: [long] }, "FileError", /longer than the system allows/);
    }
    await assert.rejects(startProcess({ program: "deno", args: [], env }), TypeError);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("runProgram gives what a helper printed, and how it ended", async () => {
  const args = ["-c", "cat; echo out; echo err >&2; exit 4"];
  assert.deepEqual(await runProgram({ program: "sh", args, env }), {
    status: 4,
    stdout: "out\n",
    stderr: "err\n",
  });
});

Deno.test("startProcess gives Deno no permission that its command line does not ask for", async () => {
  const args = ["-c", 'printf "%s\\n" "$@"', "sh", Deno.execPath(), "run", "x.ts"];
  const child = await startProcess({ program: "sh", args, env: {}, cwd: undefined });
  const words = (await new Response(child.stdout).text()).trim().split("\n");
  await child.stderr.cancel();
  await child.status;
  assert.deepEqual(words.slice(1), ["run", "x.ts"]);
  assert.equal(words[0]?.replace("//", "/"), Deno.execPath());
});
