/** Commands that name descriptors as files, through the `pipe` tool. */
import assert from "node:assert/strict";
import { PoisonSource } from "../../testing/poison_source.ts";
import { openOperands, operandTexts, ToolBench } from "../_testing.ts";

const { fruit: FRUIT, colours: COLOURS } = operandTexts;

/** What a command prints without `in_fd`, or with one; the status is 0 where none is given. */
const PRINTS: readonly [cmd: string, output: string, more?: { in_fd?: number; status?: number }][] =
  [
    ["cat fruit.txt in/colours.txt", FRUIT + COLOURS],
    ["cat colours.txt /dev/fd/3", COLOURS + FRUIT],
    ["cat - fruit.txt", `1 stdin\n${FRUIT}`, { in_fd: 0 }],
    ["cat fruit.txt /dev/stdin", `${FRUIT}1 stdin\n`, { in_fd: 0 }],
    ["cat /dev/fd/0 - /dev/fd/0", "1 stdin\n1 stdin\n1 stdin\n", { in_fd: 0 }],
    ["head -n 1 | cat - fruit.txt /dev/fd/4", `1 stdin\n${FRUIT}${COLOURS}`, { in_fd: 0 }],
    ["diff fruit.txt fruit.txt", ""],
    ["diff - colours.txt", "1c1,3\n< 1 stdin\n---\n> 1 red\n> 3 dark\n> 4 none\n", {
      in_fd: 0,
      status: 1,
    }],
    ["diff -u x patterns", "--- x\n+++ patterns\n@@ -1 +1,2 @@\n-x\n+an\n+rr\n", { status: 1 }],
    ["join fruit.txt colours.txt", "1 apple red\n3 cherry dark\n"],
    ["join - colours.txt", "1 stdin red\n", { in_fd: 0 }],
    ["comm -12 fruit.txt /dev/fd/3", FRUIT],
    ["comm -23 patterns x", "an\nrr\n"],
    ["paste -d+ patterns x -", "an+x+1 stdin\nrr++\n", { in_fd: 0 }],
    ["paste -s patterns /dev/fd/5", "an\trr\nan\trr\n"],
    ["grep -f patterns fruit.txt", "2 banana\n3 cherry\n"],
    ["grep -c -v -f patterns", "1\n", { in_fd: 3 }],
    [
      "grep -n a fruit.txt colours.txt",
      "fruit.txt:1:1 apple\nfruit.txt:2:2 banana\ncolours.txt:2:3 dark\n",
    ],
    ["patch fruit.txt", "1 apple\n2 blueberry\n3 cherry\n", { in_fd: 6 }],
    [`patch fruit.txt "the diff's"`, "1 apple\n2 blueberry\n3 cherry\n"],
    ["patch -i 'the diff'\\''s' /dev/fd/3", "1 apple\n2 blueberry\n3 cherry\n"],
    ["head -n1 fruit.txt x", "==> fruit.txt <==\n1 apple\n\n==> x <==\nx\n"],
    ["tail -qn1 fruit.txt patterns", "3 cherry\nrr\n"],
    [
      "wc -l fruit.txt patterns -",
      "      3 fruit.txt\n      2 patterns\n      1 -\n      6 total\n",
      { in_fd: 0 },
    ],
    ["sort -r patterns x", "x\nrr\nan\n"],
    ["sort -m fruit.txt colours.txt | uniq -w1 -d", "1 apple\n3 cherry\n"],
    ["uniq x", "x\n"],
    ["cut -d' ' -f2 colours.txt fruit.txt", "red\ndark\nnone\napple\nbanana\ncherry\n"],
    ["nl -w1 patterns", "1\tan\n2\trr\n"],
    ["tac patterns x", "rr\nan\nx\n"],
    ["rev patterns", "na\nrr\n"],
    ["fold -w1 x patterns", "x\na\nn\nr\nr\n"],
    ["fmt patterns", "an rr\n"],
    ["expand x", "x\n"],
    ["unexpand x", "x\n"],
    ["sed -n '2p' fruit.txt", "2 banana\n"],
    ["sed -n -f script.sed fruit.txt", "2 banana\n"],
    ["sed '1r patterns' x", "x\nan\nrr\n"],
    ["od -An -c x", "   x  \\n\n"],
    ["xxd -p x", "780a\n"],
    ["base64 x", "eAo=\n"],
    ["md5sum x", "401b30e3b8b5d629635a5c613cdb7919  x\n"],
    ["sha256sum x | cut -c1-8", "73cb3858\n"],
    ["md5sum -c sums", "/dev/fd/9: FAILED\n", { status: 1 }],
    ["seq 2 | cat - x", "1\n2\nx\n"],
  ];

for (const [cmd, output, { in_fd: inFd, status = 0 } = {}] of PRINTS) {
  Deno.test(`pipe runs ${cmd} on the descriptors that it names`, async () => {
    await using bench = openOperands();
    const result = await bench.pipe({ cmd, in_fd: inFd, out_fd: 1 });
    const { success, size, error } = result;
    assert.equal(bench.out.text(), output, error);
    assert.deepEqual([result.status.at(-1), size], [status, output.length]);
    if (!cmd.startsWith("md5sum -c")) assert.deepEqual([success, error], [true, null]);
  });
}

Deno.test("pipe without in_fd runs at once where the command names all that it reads", async () => {
  await using bench = openOperands();
  const { in_fd: end, out_fd: lines } = await bench.pipe({ cmd: "sort -r fruit.txt" });
  assert.match((await bench.write({ fd: end, data: "x" })).error, /has its input already; read/);
  assert.equal((await bench.read({ fd: lines, max_size: 8 })).input, "3 cherry");
});

Deno.test("pipe without in_fd is fed where the command also reads standard input", async () => {
  await using bench = openOperands();
  const { in_fd: first, out_fd: out } = await bench.pipe({ cmd: "diff - x" });
  await bench.write({ fd: first, data: "y\n", eof: true });
  assert.equal((await bench.read({ fd: out })).input, "1c1\n< y\n---\n> x\n");
  const { in_fd: second, note } = await bench.pipe({ cmd: "cat x - patterns", out_fd: 1 });
  assert.match(note, /write to fd \d+/);
  assert.equal((await bench.write({ fd: second, data: "written\n", eof: true })).success, true);
  assert.equal(bench.out.text(), "x\nwritten\nan\nrr\n");
  const { in_fd: third } = await bench.pipe({ cmd: "grep -f patterns", out_fd: 1 });
  await bench.write({ fd: third, data: "cherry\napple\n", eof: true });
  assert.equal(bench.out.text(), "x\nwritten\nan\nrr\ncherry\n");
});

Deno.test("pipe opens an operand at its beginning and does not move read", async () => {
  await using bench = openOperands();
  await bench.read({ fd: 3, max_size: 4 });
  await bench.read({ fd: 5, max_size: 1 });
  await bench.pipe({ cmd: "cat fruit.txt patterns", out_fd: 1 });
  assert.equal(bench.out.text(), `${FRUIT}an\nrr\n`);
  assert.equal((await bench.read({ fd: 3, max_size: 4 })).input, "ple\n");
  assert.equal((await bench.read({ fd: 5, max_size: 1 })).input, "n");
});

Deno.test("pipe counts a stream once against the input limit, however often it is named", async () => {
  await using bench = new ToolBench({ stdin: "x".repeat(100) }, { inputBytes: 100 });
  const { size } = await bench.pipe({ cmd: "cat - /dev/fd/0 /dev/fd/0", in_fd: 0, out_fd: 1 });
  assert.equal(size, 300);
});

Deno.test("pipe whose operand is over the input limit ends the run", async () => {
  await using bench = new ToolBench({ inputs: [new PoisonSource("x".repeat(101), 7)] }, {
    inputBytes: 100,
  });
  const { error } = await bench.pipe({ cmd: "wc -c /dev/fd/3", out_fd: 1 });
  assert.equal(error, "Input is larger than inputBytes (100 bytes); raise it to go on");
  assert.equal(bench.state.failure?.message, error);
});

Deno.test("pipe takes the end of a pipe that a command names, once", async () => {
  await using bench = openOperands();
  const { out_fd: sorted } = await bench.pipe({ cmd: "sort -r", in_fd: 3 });
  const { out_fd: joined } = await bench.pipe({ cmd: `paste -d: - /dev/fd/${sorted}`, in_fd: 3 });
  assert.match(
    (await bench.read({ fd: sorted })).error,
    new RegExp(`^Cannot read fd ${sorted} .*: its data went to fd ${joined}, through .paste`),
  );
  assert.match(
    (await bench.pipe({ cmd: `cat x /dev/fd/${sorted}`, out_fd: 1 })).error,
    new RegExp(`^cat: /dev/fd/${sorted}: its data went to fd ${joined}`),
  );
  await bench.pipe({ in_fd: joined, out_fd: 1 });
  assert.equal(bench.out.text(), "1 apple:3 cherry\n2 banana:2 banana\n3 cherry:1 apple\n");
});

Deno.test("pipe refuses to read one pipe twice, and takes nothing", async () => {
  await using bench = openOperands();
  const { out_fd: fd } = await bench.pipe({ cmd: "sort", in_fd: 3 });
  for (
    const call of [
      { cmd: `comm /dev/fd/${fd} /dev/fd/${fd}` },
      { cmd: `cat - /dev/fd/${fd}`, in_fd: fd },
      { cmd: `cat /dev/fd/${fd} | cat - /dev/fd/${fd}`, out_fd: 1 },
    ]
  ) {
    const { error } = await bench.pipe(call);
    assert.match(error, new RegExp(`/dev/fd/${fd}: fd ${fd} is a pipe: it can be read once only`));
  }
  assert.equal((await bench.read({ fd })).input, FRUIT);
});

Deno.test("pipe reports what failed in a pipe that a command names", async () => {
  await using bench = openOperands();
  const { out_fd: fd } = await bench.pipe({ cmd: "base64 -d", in_fd: 3 });
  const result = await bench.pipe({ cmd: `diff x /dev/fd/${fd}`, out_fd: 1 });
  assert.equal(result.success, false);
  assert.match(result.error, /^base64 failed with status 1: base64: invalid input/);
  assert.match(result.stderr, /^base64: invalid input/);
  assert.deepEqual(result.status, [1]);
});

Deno.test("pipe refuses an operand that waits for the model, and names the end to close", async () => {
  await using bench = openOperands();
  const { in_fd: end, out_fd: fd } = await bench.pipe({ cmd: "cat" });
  await bench.write({ fd: end, data: "fed\n" });
  for (const call of [{ in_fd: 3, out_fd: 1 }, { in_fd: 3 }, {}, { out_fd: 1 }]) {
    const { error } = await bench.pipe({ cmd: `cat - /dev/fd/${fd}`, ...call });
    assert.match(error, new RegExp(`/dev/fd/${fd}: it waits for data .* Close fd ${end} first`));
  }
  await bench.write({ fd: end, eof: true });
  await bench.pipe({ cmd: `cat /dev/fd/${fd} x`, out_fd: 1 });
  assert.equal(bench.out.text(), "fed\nx\n");
});

Deno.test("pipe refuses to read what it writes", async () => {
  await using bench = openOperands();
  assert.match(
    (await bench.pipe({ cmd: "cat /dev/fd/11", in_fd: 3 })).error,
    /^cat: \/dev\/fd\/11: fd 11 is an end of this very pipe, which cannot read its own output$/,
  );
  const { in_fd: end, out_fd: fd } = await bench.pipe({ cmd: "cat" });
  const { out_fd: further } = await bench.pipe({ cmd: "sort", in_fd: fd });
  assert.match(
    (await bench.pipe({ cmd: `cat x /dev/fd/${further}`, out_fd: end })).error,
    new RegExp(`: it reads what this pipe writes to fd ${end}: write to another descriptor$`),
  );
});

Deno.test("pipe that names a later pipe in what it reads does not open it", async () => {
  await using bench = openOperands();
  // What sed opens is known when it reads its script.
  const { in_fd: end, out_fd: script } = await bench.pipe({ cmd: "cat" });
  await bench.write({ fd: end, data: "1r /dev/fd/15\n", eof: true });
  const { out_fd: first } = await bench.pipe({ cmd: `sed -f /dev/fd/${script} x` });
  const { out_fd: second } = await bench.pipe({ cmd: `cat /dev/fd/${first}` });
  assert.deepEqual([script, first, second], [11, 13, 15]);
  const { input, error } = await bench.read({ fd: second });
  assert.equal(input, "x\n");
  assert.match(error, /^sed failed: sed: \/dev\/fd\/15: No input has this name/);
});

Deno.test("pipe that is dropped closes the pipes that were taken for it", async () => {
  const stream = new PoisonSource(FRUIT, 3);
  await using bench = new ToolBench({ inputs: [stream, "x\n"] });
  const { out_fd: fd } = await bench.pipe({ cmd: "cat", in_fd: 3 });
  const { out_fd: never } = await bench.pipe({ cmd: `cat file4 /dev/fd/${fd}` });
  await bench.pipe({ cmd: "true", in_fd: never, out_fd: 1 });
  await bench.state.descriptors.close();
  assert.deepEqual(bench.fds.list().map(({ number }) => number), [0, 1, 2, 3, 4]);
});

Deno.test("patch prints what it makes of a file, and tells of hunks that do not fit", async () => {
  await using bench = openOperands();
  const { out_fd: other } = await bench.pipe({ cmd: "tr 2 9", in_fd: 3 });
  const result = await bench.pipe({ cmd: `patch /dev/fd/${other}`, in_fd: 6, out_fd: 1 });
  assert.deepEqual([result.success, result.status], [false, [1]]);
  assert.equal(
    result.error,
    "patch failed with status 1: 1 out of 1 hunk FAILED; 26 bytes of its output stay on fd 1",
  );
  assert.match(result.stderr, /Hunk #1 FAILED at 1/);
  const missing = await bench.pipe({ cmd: "patch nosuch", in_fd: 6, out_fd: 1 });
  assert.match(missing.error, /^patch failed with status 1: patch: nosuch: No input has this name/);
});

Deno.test("a command reads its standard input under one name only", async () => {
  await using bench = openOperands();
  for (const cmd of ["paste - /dev/stdin", "cat /dev/stdin -", "comm /dev/stdin /dev/stdin"]) {
    const { success, error } = await bench.pipe({ cmd, in_fd: 3, out_fd: 1 });
    assert.equal(success, false);
    assert.match(error, /Standard input can be read once: name it \/dev\/stdin or -, not both/);
  }
});
