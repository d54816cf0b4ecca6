/** What commands may not open, or not by that name, through the `pipe` tool. */
import assert from "node:assert/strict";
import { type Answer, openOperands, ToolBench } from "../_testing.ts";

/** An error of `pipe`, which then has moved no data. */
async function errorOf(bench: ToolBench, call: Answer): Promise<string> {
  const answer = await bench.pipe(call);
  assert.deepEqual(Object.keys(answer), ["success", "size", "error"], JSON.stringify(answer));
  assert.deepEqual([answer.success, bench.out.length], [false, 0]);
  return answer.error;
}

Deno.test("pipe opens nothing but its inputs, however a path is written", async () => {
  const paths = [
    "/etc/passwd",
    "../fruit.txt",
    "./fruit.txt",
    "in",
    "in/",
    "fruit.txt/",
    "elsewhere/fruit.txt",
    "Fruit.txt",
    "fruit.*",
    "~/fruit.txt",
    "$HOME",
    ".",
    "..",
    "/",
    "''",
    "3",
    "/dev/fd",
    "/dev/fd/",
    "/dev/fd/99",
    "/dev/fd/03",
    "/dev/fd/+3",
    "/dev/fd/-1",
    "/dev/fd/3/",
    "/dev/fd/3.0",
    "/dev/fd/0x3",
    "/dev/fd/3e0",
    "/dev/fd/99999999999999999999",
    "/dev/fd/../../etc/passwd",
    "/dev/fd/3/../4",
    "/dev//fd/3",
    "//dev/fd/3",
    "/dev/./fd/3",
    "$'/dev/fd/3\\n'",
    "$'/dev/fd/\\u0663'",
    "/proc/self/fd/3",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/null",
    "/dev/tty",
    "/dev/stdin/",
    "file:///etc/passwd",
    "http://127.0.0.1/",
    import.meta.url,
    new URL(import.meta.url).pathname,
  ];
  await using bench = openOperands();
  for (const path of paths) {
    for (const cmd of [`cat ${path}`, `diff - ${path}`, `grep -f ${path}`, `sed '1r '${path}`]) {
      // In a script of sed, a newline ends the name, and there must be one.
      if (cmd.startsWith("sed") && /^''$|\\n/.test(path)) continue;
      const error = await errorOf(bench, { cmd, in_fd: 3, out_fd: 1 });
      assert.match(error, /: No input has this name, and nothing else can be opened; there are/);
      assert.match(error, /\/dev\/fd\/0 \(stdin\), \/dev\/fd\/3 \(fruit\.txt\), \/dev\/fd\/4 \(in/);
    }
  }
  assert.match(await errorOf(bench, { cmd: "cat /dev/fd/1", out_fd: 1 }), /fd 1.*for writing only/);
  assert.match(await errorOf(bench, { cmd: "cat /dev/fd/2", out_fd: 1 }), /fd 2.*neither to read/);
});

Deno.test("pipe opens no file that a patch, a list or a script names", async () => {
  const inputs = [
    "--- ../../etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-root\n+x\n",
    "7f975a56c761db6506eca0b37ce6ec87  /etc/passwd\n",
    "/etc/passwd\0",
    "r /etc/passwd\n",
    "w /etc/passwd\n",
    "x\n",
  ];
  await using bench = new ToolBench({ inputs });
  for (
    const cmd of [
      "patch -i file3",
      "md5sum -c file4",
      "md5sum -c --ignore-missing file4",
      "wc --files0-from=file5",
      "sort --files0-from=file5",
      "sed -f file6 file8",
      "sed -f file7 file8",
    ]
  ) {
    const { success, error } = await bench.pipe({ cmd, out_fd: 1 });
    assert.equal(success, false, cmd);
    assert.match(error, /No input has this name|write no files|no file was verified/, cmd);
  }
  assert.equal(bench.out.text().replace("/etc/passwd: FAILED open or read\n", ""), "x\n");
});

Deno.test("pipe refuses operands that a command would write, and names the way", async () => {
  await using bench = openOperands();
  for (
    const cmd of [
      "tee out",
      "tee -a fruit.txt",
      "sort -o out",
      "sort fruit.txt -o fruit.txt",
      "uniq fruit.txt out",
      "sed -i 2d fruit.txt",
      "sed -i.bak 2d fruit.txt",
      "sed 'w out'",
      "sed -n 's/a/b/w out' fruit.txt",
      "patch -o out fruit.txt",
      "cat | tee /dev/fd/1",
    ]
  ) {
    const error = await errorOf(bench, { cmd, in_fd: 3, out_fd: 1 });
    assert.match(error, /: Commands write no files: what they print goes to out_fd$/, cmd);
  }
});

Deno.test("pipe takes a base name that only one input has, and exact names first", async () => {
  await using bench = new ToolBench({
    stdin: "in\n",
    inputs: ["1\n", "2\n", "3\n", "4\n", "5\n", "6\n"],
    names: ["a/x", "b/x", "x", "b/y z", "/dev/fd/63", "/dev/fd/4"],
    dup: true,
  });
  const out = async (cmd: string) => {
    const { out_fd: fd } = await bench.pipe({ cmd });
    return (await bench.read({ fd })).input;
  };
  assert.equal(await out("cat x a/x b/x"), "3\n1\n2\n");
  assert.equal(await out("cat 'y z' b/y\\ z"), "4\n4\n");
  // The name that a shell gives to `<(...)` is a name, too; a number that is open comes first.
  assert.equal(await out("cat /dev/fd/63 /dev/fd/4"), "5\n2\n");
  // Duplicates of a descriptor are one input.
  assert.equal(await out("cat stdin"), "in\n");
});

Deno.test("pipe refuses a name that several inputs have, and names them", async () => {
  const names = ["a/x", "b/x", "same", "same"];
  await using bench = new ToolBench({ inputs: ["1\n", "2\n", "3\n", "4\n"], names });
  assert.equal(
    await errorOf(bench, { cmd: "cat x", out_fd: 1 }),
    "cat: x: 2 inputs have this name, use one of: /dev/fd/3 (a/x), /dev/fd/4 (b/x)",
  );
  assert.equal(
    await errorOf(bench, { cmd: "diff - same", in_fd: 3, out_fd: 1 }),
    "diff: same: 2 inputs have this name, use one of: /dev/fd/5 (same), /dev/fd/6 (same)",
  );
});

Deno.test("pipe lists at most 20 inputs, and ends of pipes that can be read", async () => {
  await using bench = new ToolBench({ inputs: Array.from({ length: 30 }, () => "x\n") });
  const many = await errorOf(bench, { cmd: "cat nosuch" });
  assert.match(many, /\/dev\/fd\/21 \(file21\) and 11 more$/);
  await using small = new ToolBench();
  const { out_fd: fd } = await small.pipe({ cmd: "seq 3" });
  const list = async () => (await errorOf(small, { cmd: "cat nosuch" })).split("; ").at(-1);
  assert.equal(await list(), `there are /dev/fd/0 (stdin), /dev/fd/${fd} (output of \`seq 3\`)`);
  await small.pipe({ in_fd: fd });
  assert.match(await list() ?? "", /^there are \/dev\/fd\/0 \(stdin\), \/dev\/fd\/6/);
});
