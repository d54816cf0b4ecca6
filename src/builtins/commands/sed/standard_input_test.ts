import assert from "node:assert/strict";
import { bytes, latin1, runOurs } from "../../_testing.ts";

interface Setting {
  readonly seekable?: boolean;
  readonly status?: number;
  readonly stderr?: string;
}

async function check(
  args: readonly string[],
  input: string,
  stdout: string,
  { seekable = false, status = 0, stderr = "" }: Setting = {},
): Promise<void> {
  const test = { args, stdin: bytes(input), seekable, files: { f: bytes("1\n2") } };
  const outcome = await runOurs("sed", test);
  assert.deepEqual(
    [latin1(outcome.stdout), outcome.stderr, outcome.status],
    [stdout, stderr && `sed: ${stderr}\n`, status],
    `sed ${args.join(" ")}`,
  );
}

Deno.test("sed -u: r /dev/stdin takes what follows the current line of a pipe", async () => {
  const input = "a\nbcd\ne";
  await check(["-u", "r/dev/stdin"], "\n ", "\n ");
  await check(["-u", "r/dev/stdin"], input, input);
  await check(["-u", "r/dev/stdin\nr/dev/stdin"], input, input);
  await check(["-u", "1{r/dev/stdin\n}"], input, input);
  await check(["-u", "-s", "2r/dev/stdin"], input, input);
  await check(["-u", "r/dev/stdin\nq"], input, input);
  await check(["-u", "$r/dev/stdin"], input, `${input}\n`);
  await check(["-u", "R/dev/stdin"], input, input);
  await check(["-u", "r/dev/stdin", "f", "-"], "x\n", "1\nx\n2\n");
});

Deno.test("sed -u: a look for the next line keeps one byte of a pipe from r /dev/stdin", async () => {
  const input = "a\nbcd\ne";
  await check(["-u", "r/dev/stdin\nn"], input, "a\ncd\neb");
  await check(["-u", "r/dev/stdin\nN"], input, "cd\nea\nb");
  await check(["-u", "2r/dev/stdin\n$p"], input, "a\nbcd\ne\ne");
  await check(["-u", "0r/dev/stdin\n$s/^/L/"], input, "bcd\neLa\n");
});

Deno.test("sed: what 4096 bytes of a pipe do not hold goes to r /dev/stdin", async () => {
  const lines = "abcdefg\n".repeat(1024);
  await check(["-n", "r/dev/stdin\n$="], lines, `${lines.slice(4096)}512\n`);
  await check(["-n", "600r/dev/stdin\n$="], lines, "1024\n");
  // To evaluate $ at line 512, sed reads the next 4096 bytes.
  await check(["-n", "512{$p;r/dev/stdin\n}"], lines, "");
  await check(["-n", "512r/dev/stdin"], lines, lines.slice(4096));
  await check(["-n", "r/dev/stdin\n$="], "x".repeat(5000), "1\n");
});

Deno.test("sed: r /dev/stdin begins with a regular file again each time", async () => {
  const regular = { seekable: true };
  await check(["r/dev/stdin"], "a\nb\n", "a\na\nb\nb\na\nb\n", regular);
  await check(["-u", "r/dev/stdin"], "a\nb", "a\na\nbb\na\nb", regular);
  await check(["r/dev/stdin", "f"], "x\n", "1\nx\n2\nx\n", regular);
  await check(["r/dev/stdin", "f"], "x\n", "1\nx\n2\n");
});

Deno.test("sed knows the last line where R /dev/stdin has taken lines of the input", async () => {
  for (const seekable of [false, true]) {
    await check(["R/dev/stdin\n$s/$/!/"], "a\nb\n", "a!\nb\n", { seekable });
    await check(["R/dev/stdin\n$!d"], "a\nb\nc\n", "b\nc\n", { seekable });
    await check(["R/dev/stdin\nN"], "a\nb\nc\n", "b\na\nc\n", { seekable });
    await check(["R/dev/stdin\nn;s/^/-/"], "a\nb\n", "a\nb\n", { seekable });
  }
});

Deno.test("sed: w /dev/stdin fails at the first byte that is to be written", async () => {
  const fails = { status: 4, stderr: "couldn't write 1 item to stdin: Bad file descriptor" };
  const two = { status: 4, stderr: "couldn't write 2 items to stdin: Bad file descriptor" };
  await check(["s/.*//;w/dev/stdin"], "a", "");
  await check(["s/.*//;w/dev/stdin\nw/dev/stdin"], "a", "", fails);
  await check(["s/.*//;w/dev/stdin"], "a\n", "", fails);
  await check(["W/dev/stdin"], "ab", "", two);
  await check(["s/x//w/dev/stdin"], "a\n", "a\n");
});
