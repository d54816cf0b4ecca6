import assert from "node:assert/strict";
import { type Chunk, memoryAccess, type RandomAccess, Source } from "../../streams/mod.ts";
import { ToolBench } from "../_testing.ts";

const LOG = "info a\nerror b\ninfo c\nerror d\n";

/** A regular file that counts how often it is read. */
class CountedFile extends Source {
  reads = 0;
  readonly at: RandomAccess;

  constructor(text: string) {
    super();
    const { size, read } = memoryAccess(new TextEncoder().encode(text));
    this.at = {
      size,
      read: (offset, into) => {
        this.reads++;
        return read(offset, into);
      },
    };
  }

  protected override pull(): never {
    throw new Error("A regular file is read through at");
  }
}

Deno.test("pipe to fd 1 runs to the end and gives size, status and stderr", async () => {
  await using bench = new ToolBench({ inputs: ["one\n", "two\n"] });
  assert.deepEqual(await bench.pipe({ in_fd: 3, out_fd: 1 }), {
    success: true,
    size: 4,
    status: [0],
    stderr: "",
    error: null,
  });
  await bench.pipe({ in_fd: 4, out_fd: 1, cmd: "cat" });
  assert.equal(bench.out.text(), "one\ntwo\n");
});

Deno.test("pipe runs grep into a new pipe and wc out of it", async () => {
  await using bench = new ToolBench({ inputs: [LOG, ""] });
  assert.deepEqual(await bench.pipe({ cmd: "grep error", in_fd: 3, out_fd: 5 }), {
    success: true,
    in_fd: 5,
    out_fd: 6,
    error: null,
  });
  assert.deepEqual(await bench.pipe({ cmd: "wc -l", in_fd: 6, out_fd: 1 }), {
    success: true,
    size: 2,
    status: [0, 0],
    stderr: "",
    error: null,
  });
  assert.equal(bench.out.text(), "2\n");
});

Deno.test("pipe joins commands by |", async () => {
  await using bench = new ToolBench({ inputs: [LOG] });
  const result = await bench.pipe({
    cmd: "grep error | head -n 1 | tr a-z A-Z",
    in_fd: 3,
    out_fd: 1,
  });
  assert.deepEqual([result.success, result.status.length, bench.out.text()], [
    true,
    3,
    "ERROR B\n",
  ]);
});

Deno.test("pipe numbers the write end first: asked for, or the lowest never used", async () => {
  await using bench = new ToolBench({ inputs: ["a", "b"] });
  const ends = async (input: unknown) => {
    const { in_fd, out_fd } = await bench.pipe(input);
    return [in_fd, out_fd];
  };
  assert.deepEqual(await ends({ in_fd: 3, out_fd: 7 }), [7, 8]);
  assert.deepEqual(await ends({ in_fd: 3 }), [5, 6]);
  assert.deepEqual(await ends({ in_fd: 3, out_fd: 20 }), [20, 21]);
  assert.deepEqual(await ends({ cmd: "cat", out_fd: 10 }), [10, 11]);
  assert.deepEqual(await ends({ in_fd: 4 }), [9, 12]);
});

Deno.test("pipe from a file starts at its beginning, many times, and does not move read", async () => {
  await using bench = new ToolBench({ inputs: ["abcdef"] });
  await bench.read({ fd: 3, max_size: 4 });
  await bench.pipe({ in_fd: 3, out_fd: 1 });
  await bench.pipe({ in_fd: 3, out_fd: 1 });
  assert.equal(bench.out.text(), "abcdefabcdef");
  assert.equal((await bench.read({ fd: 3 })).input, "ef");
});

Deno.test("pipe from a stream that was read a little starts at byte 0", async () => {
  await using bench = new ToolBench({ stdin: LOG });
  await bench.read({ max_size: 10 });
  assert.equal((await bench.pipe({ in_fd: 0, out_fd: 1 })).size, LOG.length);
  assert.equal(bench.out.text(), LOG);
});

Deno.test("pipe from a stream that could not be kept names the first offset available", async () => {
  const mebibyte = new Uint8Array(1024 * 1024).fill(120);
  const long = new Repeated(mebibyte, 20);
  await using bench = new ToolBench({ stdin: long }, {
    inputBytes: Infinity,
    outputBytes: Infinity,
  });
  await bench.pipe({ cmd: "wc -c", in_fd: 0, out_fd: 1 });
  assert.equal(bench.out.text(), `${20 * 1024 * 1024}\n`);
  const { success, error } = await bench.pipe({ in_fd: 0, out_fd: 1 });
  assert.equal(success, false);
  assert.match(error, /^Cannot pipe from fd 0 \(stdin\): .*byte 0.*available is at offset \d+/);
  const first = Number(/at offset (\d+)/.exec(error)?.[1]);
  assert.ok(first > 0 && first <= 4 * 1024 * 1024);
  assert.equal((await bench.read({ offset: first, max_size: 5 })).input, "xxxxx");
});

Deno.test("pipe from a stream can be made again, after reads and beside other pipes", async () => {
  await using bench = new ToolBench({ stdin: "name\nb\na\n", dup: true });
  assert.equal((await bench.read({ max_size: 4 })).input, "name");
  await bench.pipe({ cmd: "head -n 1", in_fd: 0, out_fd: 1 });
  await bench.pipe({ cmd: "tail -n +2 | sort", in_fd: 0, out_fd: 1 });
  const { out_fd: lines } = await bench.pipe({ cmd: "wc -l", in_fd: 3 });
  await bench.pipe({ in_fd: 0, out_fd: 1 });
  assert.equal(bench.out.text(), "name\na\nb\nname\nb\na\n");
  assert.equal((await bench.read({ fd: lines })).input, "3\n");
  assert.equal((await bench.read({})).input, "\nb\na\n");
});

Deno.test("pipe takes the output of a pipe over; reading it later says where its data went", async () => {
  await using bench = new ToolBench({ stdin: LOG });
  const { out_fd: first } = await bench.pipe({ cmd: "grep error", in_fd: 0 });
  const { out_fd: second } = await bench.pipe({ cmd: "sort", in_fd: first });
  assert.match(
    (await bench.read({ fd: first })).error,
    new RegExp(`^Cannot read fd ${first} .*: its data went to fd ${second}, through .sort.$`),
  );
  assert.match(
    (await bench.pipe({ in_fd: first, out_fd: 1 })).error,
    new RegExp(`^Cannot pipe from fd ${first} .*: its data went to fd ${second}`),
  );
  assert.equal((await bench.read({ fd: second })).input, "error b\nerror d\n");
});

Deno.test("pipe that nobody reads costs nothing: its file is not read", async () => {
  const file = new CountedFile(LOG);
  await using bench = new ToolBench({ inputs: [file] });
  await bench.pipe({ cmd: "sort", in_fd: 3 });
  await bench.pipe({ cmd: "head -n 1", in_fd: 5 });
  assert.equal(file.reads, 0);
  assert.equal((await bench.read({ fd: 7 })).input, "error b\n");
  assert.ok(file.reads > 0);
});

Deno.test("pipe refuses ends that are not for it", async () => {
  await using bench = new ToolBench({ inputs: ["a"] });
  await bench.pipe({ in_fd: 3 });
  await bench.pipe({ cmd: "cat" });
  const error = async (input: unknown) => {
    const answer = await bench.pipe(input);
    assert.equal(answer.success, false);
    return answer.error;
  };
  assert.match(await error({ in_fd: 1 }), /^Cannot pipe from fd 1 \(stdout\): .*writing/);
  assert.match(await error({ in_fd: 2 }), /^Cannot pipe from fd 2 \(stderr\): /);
  assert.match(await error({ in_fd: 4 }), /^Cannot pipe from fd 4 .*read fd 5/);
  assert.match(await error({ in_fd: 99 }), /^Cannot pipe from fd 99: not an open descriptor/);
  assert.match(await error({ in_fd: 3, out_fd: 0 }), /^Cannot pipe to fd 0 \(stdin\): /);
  assert.match(await error({ in_fd: 3, out_fd: 2 }), /^Cannot pipe to fd 2 \(stderr\): /);
  assert.match(await error({ in_fd: 3, out_fd: 3 }), /^Cannot pipe to fd 3 \(file3\): .*read-only/);
  assert.match(
    await error({ in_fd: 3, out_fd: 4 }),
    /^Cannot pipe to fd 4 .*has its input already/,
  );
  assert.match(await error({ in_fd: 3, out_fd: 5 }), /^Cannot pipe to fd 5 .*end of a pipe/);
  assert.match(await error({ in_fd: 3, out_fd: -1 }), /^Cannot pipe to fd -1: numbers go from 0/);
  assert.match(await error({ in_fd: 3, out_fd: 2 ** 53 - 1 }), /numbers go from 0 to 65535/);
  assert.match(await error({ cmd: "cat", out_fd: 6 }), /^Cannot pipe to fd 6 without in_fd/);
  assert.match(
    (await bench.write({ fd: 4, data: "x" })).error,
    /^Cannot write to fd 4 .*read fd 5/,
  );
});

Deno.test("pipe says at once what is wrong with a command, before any data flows", async () => {
  const file = new CountedFile(LOG);
  await using bench = new ToolBench({ stdin: LOG, inputs: [file] });
  const error = async (cmd: string) => {
    const answer = await bench.pipe({ cmd, in_fd: 3 });
    assert.deepEqual(Object.keys(answer), ["success", "size", "error"]);
    return answer.error;
  };
  assert.match(await error("frob x"), /^frob: command not found; The commands are .*cat, .*, wc\b/);
  assert.match(await error("awk x"), /^awk: command not found; take columns with `cut/);
  assert.match(await error("gerp x"), /did you mean grep\?.*The commands are/);
  assert.match(await error("grep '[' "), /^grep: /);
  assert.match(await error("grep"), /grep/);
  assert.match(await error("sort --nope"), /^sort: unrecognized option/);
  assert.match(await error("cat | head -n x"), /^head: /);
  assert.match(await error("cat > x"), /^Unquoted > /);
  assert.match(await error("grep error file4"), /^grep: file4: No input .*\/dev\/fd\/3 \(file3\)/);
  assert.match(await error("cat - /etc/passwd"), /^cat: \/etc\/passwd: No input has this name/);
  assert.equal(file.reads, 0);
  // No input was handed over, and no number was used up.
  await bench.pipe({ cmd: "grep '['", in_fd: 0, out_fd: 1 });
  assert.deepEqual(await bench.pipe({ in_fd: 0 }), {
    success: true,
    in_fd: 4,
    out_fd: 5,
    error: null,
  });
});

Deno.test("pipe takes status 1 of grep for an answer, not for a failure", async () => {
  await using bench = new ToolBench({ inputs: [LOG] });
  assert.deepEqual(await bench.pipe({ cmd: "grep nothing", in_fd: 3, out_fd: 1 }), {
    success: true,
    size: 0,
    status: [1],
    stderr: "",
    error: null,
  });
});

Deno.test("pipe reports a failing run at the consumer, pipe or read", async () => {
  await using bench = new ToolBench({ inputs: ["b\na\n"] });
  const result = await bench.pipe({ cmd: "sort -c", in_fd: 3, out_fd: 1 });
  assert.equal(result.success, false);
  assert.deepEqual(result.status, [1]);
  assert.match(result.stderr, /disorder: a\n$/);
  assert.match(result.error, /^sort failed with status 1: sort: /);
  await bench.pipe({ cmd: "sort -c", in_fd: 3 });
  const read = await bench.read({ fd: 5 });
  assert.deepEqual([read.input, read.eof], ["", true]);
  assert.match(read.error, /^sort failed with status 1: sort: .*disorder: a$/);
  await bench.pipe({ cmd: "sort -c", in_fd: 3 });
  const piped = await bench.pipe({ cmd: "wc -l", in_fd: 7, out_fd: 1 });
  assert.deepEqual([piped.success, piped.status, bench.out.text()], [false, [1, 0], "0\n"]);
});

Deno.test("pipe over the output limit ends the run with what fits", async () => {
  await using bench = new ToolBench({ inputs: [LOG] }, { outputBytes: 10 });
  const raw = await bench.raw("pipe", { in_fd: 3, out_fd: 1 });
  assert.equal(raw.stop, true);
  const { success, size, error } = JSON.parse(raw.content);
  assert.deepEqual([success, size, bench.out.text()], [false, 10, LOG.slice(0, 10)]);
  assert.match(error, /outputBytes/);
});

Deno.test("pipe from a stream over the input limit ends the run", async () => {
  await using bench = new ToolBench({ stdin: LOG }, { inputBytes: 10 });
  const raw = await bench.raw("pipe", { cmd: "grep x", in_fd: 0, out_fd: 1 });
  assert.equal(raw.stop, true);
  assert.match(JSON.parse(raw.content).error, /inputBytes/);
});

/** An endless stream that records whether it was closed. */
class Endless extends Source {
  closed = false;
  pulls = 0;
  protected override async pull() {
    this.pulls++;
    await Promise.resolve();
    return new TextEncoder().encode("y\n".repeat(1000));
  }
  protected override release(): void {
    this.closed = true;
  }
}

Deno.test("pipe with head stops an endless producer", async () => {
  const stdin = new Endless();
  await using bench = new ToolBench({ stdin });
  const result = await bench.pipe({ cmd: "cat | head -n 2", in_fd: 0, out_fd: 1 });
  assert.deepEqual([result.success, bench.out.text()], [true, "y\ny\n"]);
  assert.ok(stdin.pulls < 10);
  await bench[Symbol.asyncDispose]();
  assert.equal(stdin.closed, true);
});

Deno.test("pipe of an endless producer ends with the signal and closes everything", async () => {
  const stdin = new Endless();
  await using bench = new ToolBench({ stdin }, { inputBytes: Infinity });
  const piping = bench.raw("pipe", { cmd: "grep -v y", in_fd: 0, out_fd: 1 });
  setTimeout(() => bench.controller.abort(new Error("Time is over")), 20);
  await assert.rejects(piping, { message: "Time is over" });
  await bench[Symbol.asyncDispose]();
  assert.equal(stdin.closed, true);
});

Deno.test("descriptors close in every state of a pipeline and leave nothing open", async () => {
  // Whether standard input was handed over, and the calls that lead there.
  const states: [closed: boolean, reach: (bench: ToolBench) => Promise<unknown>][] = [
    [false, () => Promise.resolve()],
    [true, (bench) => bench.read({ max_size: 1 })],
    [true, (bench) => bench.pipe({ cmd: "cat", in_fd: 0 })],
    [true, async (bench) => {
      await bench.pipe({ cmd: "cat", in_fd: 0 });
      await bench.read({ fd: 4, max_size: 1 });
    }],
    [true, async (bench) => {
      await bench.pipe({ cmd: "cat", in_fd: 0 });
      await bench.read({ fd: 4, max_size: 1 });
      await bench.pipe({ cmd: "sort", in_fd: 4 });
    }],
    [true, (bench) => bench.pipe({ cmd: "cat | head -n 1", in_fd: 0, out_fd: 1 })],
    [false, (bench) => bench.pipe({ cmd: "cat" })],
    [false, async (bench) => {
      await bench.pipe({ cmd: "cat" });
      await bench.read({ fd: 4 });
    }],
    [false, async (bench) => {
      await bench.pipe({ cmd: "cat" });
      await bench.read({ fd: 4 });
      await bench.pipe({ cmd: "sort", in_fd: 4 });
      await bench.read({ fd: 6 });
    }],
    [false, (bench) => bench.pipe({ cmd: "cat", out_fd: 1 })],
    [false, async (bench) => {
      await bench.pipe({ cmd: "sort", out_fd: 1 });
      await bench.write({ fd: 3, data: "x" });
      await bench.pipe({ cmd: "cat" });
      await bench.write({ fd: 4, data: "x" });
    }],
  ];
  for (const [index, [closed, reach]] of states.entries()) {
    const stdin = new Endless();
    const bench = new ToolBench({ stdin });
    await reach(bench);
    await bench.state.descriptors.close();
    assert.deepEqual(bench.fds.list().map((fd) => fd.number), [0, 1, 2]);
    assert.equal(stdin.closed, closed, `state ${index}`);
    await bench[Symbol.asyncDispose]();
  }
});

/** The same chunk many times. */
class Repeated extends Source {
  readonly #chunk: Chunk;
  #left: number;

  constructor(chunk: Chunk, times: number) {
    super();
    this.#chunk = chunk;
    this.#left = times;
  }

  protected override pull(): Chunk | undefined {
    return this.#left-- > 0 ? this.#chunk : undefined;
  }
}

Deno.test("pipe writes nothing of a command that refuses its input late, so it can be called again", async () => {
  for (
    const [cmd, first] of [
      ["join /dev/fd/3 /dev/fd/4", undefined],
      ["cat", "join /dev/fd/3 /dev/fd/4"],
      ["cat /dev/fd/6", "comm -3 /dev/fd/3 /dev/fd/4 | sort -n"],
    ] as const
  ) {
    await using bench = new ToolBench({ inputs: ["a 1\nc 3\nb 2\n", "a x\nb y\nc z\n"] });
    if (first !== undefined) assert.equal((await bench.pipe({ cmd: first })).out_fd, 6);
    const input = cmd === "cat" ? { cmd, in_fd: 6 } : { cmd };
    const wrong = await bench.pipe({ ...input, out_fd: 1 });
    assert.deepEqual([wrong.success, wrong.size], [false, 0]);
    assert.match(wrong.error, /failed with status 1: .*; its output was not written$/);
    await bench.pipe({ cmd: "sort | join - /dev/fd/4", in_fd: 3, out_fd: 1 });
    assert.equal(bench.out.text(), "a 1 x\nb 2 y\nc 3 z\n", cmd);
  }
  await using bench = new ToolBench({ inputs: ["a\u00e9\u20ac\n", "aGk=%"] });
  for (
    const [cmd, fd] of [["iconv -t latin1", 3], ["base64 -d", 4], ["iconv -ct ascii", 3], [
      "base64 -di",
      4,
    ]] as const
  ) {
    await bench.pipe({ cmd, in_fd: fd, out_fd: 1 });
  }
  assert.equal(bench.out.text(), "a\nhi");
});

Deno.test("pipe writes what join gives of an input in disorder where a failure is taken for success", async () => {
  await using bench = new ToolBench({ inputs: ["a 1\nc 3\nb 2\n", "a x\nb y\nc z\n"] });
  const result = await bench.pipe({ cmd: "join /dev/fd/3 /dev/fd/4 || true", out_fd: 1 });
  assert.deepEqual([result.success, result.size, bench.out.text()], [true, 12, "a 1 x\nc 3 z\n"]);
});

Deno.test("pipe tells how much of a failed command's output stays on fd 1", async () => {
  const lines = "1 a line that is somewhat long\n".repeat(50_000);
  await using bench = new ToolBench({ inputs: [`${lines}0\n2\n`, "0\n1\n2\n", "aGk=%"] });
  const { size, error } = await bench.pipe({ cmd: "join /dev/fd/3 /dev/fd/4", out_fd: 1 });
  assert.ok(size > 1024 * 1024);
  assert.match(error, new RegExp(`not sorted: 0; ${size} bytes of its output stay on fd 1$`));
  assert.equal(bench.out.length, size);
  assert.match(
    (await bench.pipe({ cmd: "sed q5", in_fd: 5, out_fd: 1 })).error,
    /^sed failed with status 5; 6 bytes of its output stay on fd 1$/,
  );
});
