import assert from "node:assert/strict";
import { BrokenPipeError, type ByteSink, MemorySink, memorySource } from "../../streams/mod.ts";
import { agree, bytes, runOurs } from "../_testing.ts";
import { gnuAnswers } from "../../../tests/gnu/answers.ts";
import { shownData } from "../../../tests/gnu/case.ts";
import { Stage } from "../run/stage.ts";

Deno.test("tee agrees with GNU", async () => {
  await agree("tee", [
    "",
    "o",
    "o p",
    "-a o",
    "-a g o",
    "g",
    "-i o",
    "-p o",
    "-ip o",
    "-",
    "o - p",
    "--append g",
    "--ignore-interrupts o",
    "--output-error o",
    "--output-error=warn o",
    "--output-error=warn-nopipe o",
    "--output-error=exit o",
    "--output-error=exit-nopipe o",
    "--output-error=exit-n o",
    "--output-error=x o",
    "--output-error=w o",
    "--output-error= o",
    "-x o",
    "--nosuch",
    "--app --ign g",
    "-- o",
    "-ap g",
    "o o2 p",
    "p -a o",
    "-i -a -p o p",
    "g g",
    "o p o",
    "o o o",
    ". .",
  ], { compare: ["o", "p", "g", "-"] });
});

/** A text that each of the tools reads at once. */
const AT_ONCE = bytes("x\n");

Deno.test("tee -a of the same file twice appends twice, as GNU's does", async () => {
  await agree("tee", ["-a g g", "-a o g o", "-a g o g g"], {
    inputs: { "at once": AT_ONCE.subarray(0, 1), empty: new Uint8Array(0) },
    compare: ["o", "g"],
  });
});

/**
 * Status, standard output and standard error of `tee` when the reader of one output stopped
 * reading.
 */
async function withBrokenPipe(mode: string): Promise<[number, string, string]> {
  const warnings: string[] = [];
  const broken: ByteSink = {
    write: () => Promise.reject(new BrokenPipeError()),
    close: () => Promise.resolve(),
  };
  const stage = new Stage("tee", [...mode.split(" ").filter((word) => word !== ""), "/dev/fd/5"], {
    stdin: memorySource(AT_ONCE),
    signal: new AbortController().signal,
    warn: (message) => void warnings.push(`${message}\n`),
    create: () => Promise.resolve(broken),
  });
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  return [stage.status ?? -1, out.text(), warnings.join("")];
}

for (const mode of ["", "-p", ...["warn", "warn-nopipe", "exit", "exit-nopipe"].map(equals)]) {
  Deno.test(`tee ${mode} does what GNU's does when the reader of one output has left`, async () => {
    const script = `exec 5> >(true); wait $!; printf 'x\n' | tee ${mode} /dev/fd/5 | cat; ` +
      'echo "${PIPESTATUS[1]}"';
    const [gnu] = gnuAnswers("bash", [{ args: ["-c", script] }]) ?? [];
    if (gnu === undefined) return;
    const [status, out, err] = await withBrokenPipe(mode);
    assert.deepEqual([`${out}${status}\n`, err], [shownData(gnu.stdout), shownData(gnu.stderr)]);
  });
}

function equals(mode: string): string {
  return `--output-error=${mode}`;
}

Deno.test("tee says so where files cannot be created", async () => {
  const warnings: string[] = [];
  const io = {
    stdin: memorySource("a\n"),
    signal: new AbortController().signal,
    warn: (message: string) => void warnings.push(message),
  };
  const stage = new Stage("tee", ["x"], io);
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  assert.equal(out.text(), "a\n");
  assert.deepEqual(warnings, ["tee: x: Files cannot be created here"]);
  assert.equal(stage.status, 1);
});

Deno.test("tee --help names its options", async () => {
  const { stdout, status } = await runOurs("tee", { args: ["--help"] });
  assert.match(new TextDecoder().decode(stdout), /--output-error\[=MODE\]/);
  assert.equal(status, 0);
});
