/**
 * The old output file stays byte for byte, however a run ends: killed at any moment, on a full
 * disk, by a cut stream, by a model that gives up, by a failed call, or by the time limit. Each
 * runs a few times on random files. `TEST_RUNS=100` sets the number of runs of each, `TEST_SEED`
 * the random seed.
 */
import assert from "node:assert/strict";
import { seededRandom, testSeed } from "../src/streams/_testing.ts";
import { Bench, call, step } from "./_cli.ts";
import { notLinux, optional } from "./_optional.ts";

const RUNS = Number(Deno.env.get("TEST_RUNS") ?? 3);
const SEED = testSeed();

type Random = (below: number) => number;

/** One random run: its files, the model's steps, and its variables. */
interface Trial {
  readonly name: string;
  readonly old: Uint8Array<ArrayBuffer>;
  readonly input: Uint8Array<ArrayBuffer>;
  readonly steps: readonly unknown[];
  readonly env?: Record<string, string>;
}

function randomBytes(random: Random, most: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: 1 + random(most) }, () => random(256));
}

const copy = step(call("pipe", { in_fd: 3, out_fd: 1 }));
const exit = (code = 0) => step(call("exit", { code }));

/** A `write` that arrives in many chunks. */
const longWrite = (random: Random) =>
  call("write", { fd: 1, data: "word ".repeat(50 + random(200)) });

/** Opens a folder with the files of all trials of one kind. */
async function prepare(
  kind: string,
  make: (random: Random) => Omit<Trial, "name" | "old" | "input">,
  { most = 100_000 } = {},
): Promise<{ bench: Bench; trials: Trial[]; random: Random }> {
  const random = seededRandom(SEED);
  const trials = Array.from({ length: RUNS }, (_, index): Trial => ({
    name: `${kind}-${index}-`,
    old: randomBytes(random, 50_000),
    input: randomBytes(random, most),
    ...make(random),
  }));
  const bench = await Bench.open(
    trials.map(({ name, steps }) => ({ name, trigger: name, steps })),
  );
  for (const { name, old, input } of trials) {
    await bench.write(`${name}old`, old);
    await bench.write(`${name}out`, old);
    await bench.write(`${name}in`, input);
  }
  return { bench, trials, random };
}

/** The present output file. */
function outOf(bench: Bench, { name }: Trial): Promise<Uint8Array> {
  return Deno.readFile(`${bench.folder}/${name}out`);
}

const argsOf = ({ name }: Trial) => ["-o", `${name}out`, name, `${name}in`];

/** Kinds of runs that can share a process. */
const KINDS: Record<string, {
  readonly make: (random: Random) => Omit<Trial, "name" | "old" | "input">;
  readonly code: (code: number) => boolean;
}> = {
  "cut stream": {
    // The role is the first event, and content comes with the third. A stream that is cut before
    // that is requested again.
    make: (random) => ({
      steps: [copy, {
        response: { tool_calls: [longWrite(random)] },
        fault: { cut_after: 3 + random(8) },
      }],
    }),
    code: (code) => code === 3,
  },
  "given up": {
    make: (random) => ({
      steps: [copy, step(longWrite(random)), exit(1 + random(255))],
    }),
    code: (code) => code >= 1 && code <= 255,
  },
  "failed call": {
    make: (random) => {
      const failing = [
        call("pipe", { cmd: "awk 1", in_fd: 3, out_fd: 1 }),
        call("pipe", { cmd: "grep '\\('", in_fd: 3, out_fd: 1 }),
        call("pipe", { in_fd: 9, out_fd: 1 }),
        call("write", { fd: 1 }),
        call("pipe", { cmd: "sed q | base64 -d -w x", in_fd: 3, out_fd: 1 }),
      ][random(5)];
      assert.ok(failing !== undefined);
      const first = random(2) === 0 ? [copy] : [];
      return { steps: [...first, step(failing, call("exit", { code: 0 })), exit(), exit()] };
    },
    code: (code) => code === 1,
  },
  "time-out": {
    make: (random) => ({
      steps: [copy, {
        response: { tool_calls: [longWrite(random)] },
        fault: random(2) === 0 ? { hang: true } : { stall_after: 3 + random(8) },
      }],
      env: { LLMCMD_TIMEOUT: "1" },
    }),
    code: (code) => code === 6,
  },
};

for (const [kind, { make, code: expected }] of Object.entries(KINDS)) {
  Deno.test(`the old output file stays: ${kind}`, async () => {
    const { bench, trials } = await prepare(kind.replace(" ", "-"), make);
    await using _bench = bench;
    const runs = await bench.runAll(trials.map((trial) => ({
      args: argsOf(trial),
      ...(trial.env === undefined ? {} : { env: trial.env }),
    })));
    for (const [index, trial] of trials.entries()) {
      const { code, stderr } = runs[index] ?? assert.fail();
      const why = `seed ${SEED}, ${trial.name}: ${code} ${stderr}`;
      assert.ok(expected(code), why);
      assert.deepEqual(await outOf(bench, trial), trial.old, why);
    }
    assert.deepEqual(bench.names().filter((name) => name.endsWith(".tmp")), []);
    assert.deepEqual([...Deno.readDirSync(bench.temporary)], []);
  });
}

Deno.test({
  ...optional("the old output file stays: full disk", notLinux),
  async fn() {
    const { bench, trials, random } = await prepare(
      "full",
      (random) => ({ steps: [copy, step(longWrite(random)), exit()] }),
      { most: 400_000 },
    );
    await using _bench = bench;
    for (const trial of trials) {
      // No file may grow beyond this limit, so a write fails in the middle, as on a full disk.
      const blocks = random(Math.ceil(trial.input.length / 1024));
      const { code, stderr } = await bench.sh(
        `trap '' XFSZ; ulimit -f ${blocks}; llmcmd ${
          argsOf(trial).join(" ")
        } 2>&1 | while read -r line
        do echo "$line"; done >&2; exit \${PIPESTATUS[0]}`,
      );
      const why = `seed ${SEED}, ${trial.name}, ${blocks} KiB: ${code} ${stderr}`;
      assert.equal(code, 4, why);
      assert.match(stderr, /too (large|big)/, why);
      assert.deepEqual(await outOf(bench, trial), trial.old, why);
    }
    assert.deepEqual(bench.names().filter((name) => name.endsWith(".tmp")), []);
  },
});

Deno.test("the old output file stays, or is the whole new one: kill -9 at any moment", async () => {
  const written = "word ".repeat(40);
  const { bench, trials, random } = await prepare("kill", (random) => ({
    steps: [copy, {
      response: { tool_calls: [call("write", { fd: 1, data: written })] },
      fault: { chunk_delay: random(30) },
    }, exit()],
  }));
  await using _bench = bench;
  const tail = new TextEncoder().encode(written);
  let killed = 0;
  let milliseconds = Infinity;
  for (const [index, trial] of trials.entries()) {
    const begin = performance.now();
    const child = bench.start(argsOf(trial));
    // The first one runs to its end; the others are killed at random moments within its time.
    const timer = index === 0 ? undefined : setTimeout(() => {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
    }, random(Math.ceil(milliseconds)));
    const { signal, code } = await child.output();
    clearTimeout(timer);
    if (signal === null) milliseconds = Math.min(milliseconds, performance.now() - begin);
    const out = await outOf(bench, trial);
    const fresh = new Uint8Array([...trial.input, ...tail]);
    const why = `seed ${SEED}, ${trial.name}: ${signal ?? code}`;
    if (signal === null) assert.equal(code, 0, why);
    else killed++;
    const isNew = out.length === fresh.length && out.every((byte, at) => byte === fresh[at]);
    if (signal === null || isNew) assert.ok(isNew, why);
    else assert.deepEqual(out, trial.old, why);
  }
  if (RUNS >= 20) console.error(`kill -9: ${killed} of ${RUNS} runs were killed`);
});
