/**
 * Everyday tasks, done as a model does that follows the prompt: each with its calls, through the
 * whole command. Tasks on two files are in operands_test.ts.
 */
import assert from "node:assert/strict";
import { Bench, call, step } from "./_cli.ts";

type Step = ReturnType<typeof step>;

const pipe = (cmd: string, more: Record<string, unknown> = { in_fd: 3 }) =>
  call("pipe", { cmd, out_fd: 1, ...more });
const exit = step(call("exit", { code: 0 }));

const SALES = "name,town,sum\nbob,Rome,7\nada,Oslo,12\ncy,Rome,3\n";
const LOG = "10:01 INFO started\n10:02 ERROR disk full on /dev/sda1\n10:03 INFO mail to " +
  "ann@a.example\n10:04 ERROR no route to 10.0.0.7\n10:05 INFO mail to bob@b.example\n" +
  "10:06 ERROR disk full on /dev/sdb1\n";
/** A text of about 200 kB, with multi-byte characters at the limits of a read. */
const LONG = Array.from(
  { length: 4000 },
  (_, n) => `${n}: Zeile f\u00fcr Zeile, \u20ac ${n * 7}, Gr\u00fc\u00dfe\n`,
)
  .join("");

/** The model's output for a piece of {@linkcode LONG}. */
const translated = (text: string) => text.replaceAll("Gr\u00fc\u00dfe", "regards");

/** The text in pieces as `read` returns them: whole characters, of at most `most` bytes. */
function pieces(text: string, most: number): string[] {
  const bytes = new TextEncoder().encode(text);
  const all: string[] = [];
  for (let at = 0; at < bytes.length;) {
    let end = Math.min(at + most, bytes.length);
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    all.push(new TextDecoder().decode(bytes.subarray(at, end)));
    at = end;
  }
  return all;
}

/** The pieces of {@linkcode LONG} that a model reads, in order. */
const PIECES = pieces(LONG, 65_536);

interface Task {
  readonly name: string;
  readonly input: string | Uint8Array<ArrayBuffer>;
  readonly steps: readonly Step[];
  readonly output: string | ((lines: readonly string[]) => void);
}

const TASKS: readonly Task[] = [
  {
    name: "sort, but leave the header where it is",
    input: SALES,
    steps: [step(pipe("head -n 1"), pipe("tail -n +2 | sort -t, -k3,3nr"))],
    output: "name,town,sum\nada,Oslo,12\nbob,Rome,7\ncy,Rome,3\n",
  },
  {
    name: "count by town",
    input: SALES,
    steps: [step(pipe("tail -n +2 | cut -d, -f2 | sort | uniq -c | sort -rn"))],
    output: "      2 Rome\n      1 Oslo\n",
  },
  {
    name: "the addresses in it, each once",
    input: LOG + LOG,
    steps: [step(pipe("grep -oE '[a-z]+@[a-z.]+' | sort -u"))],
    output: "ann@a.example\nbob@b.example\n",
  },
  {
    name: "the most frequent words of the errors",
    input: LOG,
    steps: [step(pipe("grep ERROR | tr -s ' ' '\\n' | sort | uniq -c | sort -rn | head -n 1"))],
    output: "      3 ERROR\n",
  },
  {
    name: "what surrounds an error",
    input: LOG,
    steps: [step(pipe("grep -n -B1 -A1 route"))],
    output: "3-10:03 INFO mail to ann@a.example\n4:10:04 ERROR no route to 10.0.0.7\n" +
      "5-10:05 INFO mail to bob@b.example\n",
  },
  {
    name: "dates the other way round",
    input: "2026-11-28 a\n2025-01-02 b\n",
    steps: [step(pipe("sed -E 's/([0-9]{4})-([0-9]{2})-([0-9]{2})/\\3.\\2.\\1/'"))],
    output: "28.11.2026 a\n02.01.2025 b\n",
  },
  {
    name: "CSV as a Markdown table",
    input: SALES,
    steps: [
      step(pipe("head -n 1 | sed 's/,/ | /g;s/^/| /;s/$/ |/'")),
      step(
        call("write", { fd: 1, data: "|---|---|---|\n" }),
        pipe("tail -n +2 | sed 's/,/ | /g;s/^/| /;s/$/ |/'"),
      ),
    ],
    output: "| name | town | sum |\n|---|---|---|\n| bob | Rome | 7 |\n| ada | Oslo | 12 |\n" +
      "| cy | Rome | 3 |\n",
  },
  {
    name: "the total, which no command counts: read and answer",
    input: SALES,
    steps: [
      step(call("pipe", { cmd: "tail -n +2 | cut -d, -f3", in_fd: 3 })),
      step(call("read", { fd: 5 })),
      step(call("write", { fd: 1, data: "22\n" })),
    ],
    output: "22\n",
  },
  {
    name: "three random lines",
    input: Array.from({ length: 100 }, (_, n) => `${n}\n`).join(""),
    steps: [step(pipe("shuf -n 3"))],
    output: (lines) => {
      assert.equal(lines.length, 3);
      assert.equal(new Set(lines).size, 3);
      for (const line of lines) assert.match(line, /^\d\d?$/);
    },
  },
  {
    name: "columns side by side, aligned",
    input: SALES,
    steps: [step(pipe("column -t -s,"))],
    output: "name  town  sum\nbob   Rome  7\nada   Oslo  12\ncy    Rome  3\n",
  },
  {
    name: "Latin-1 as UTF-8",
    input: Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0a),
    steps: [step(pipe("iconv -f latin1 -t utf-8"))],
    output: "Gr\u00fc\u00dfe\n",
  },
  {
    name: "a long text translated in pieces",
    input: LONG,
    steps: PIECES.map((piece) =>
      step(
        call("read", { fd: 3, max_size: 65_536 }),
        call("write", { fd: 1, data: translated(piece) }),
      )
    ),
    output: PIECES.map(translated).join(""),
  },
];

Deno.test("llmcmd does what people ask of it every day", async (t) => {
  await using bench = await Bench.open(
    TASKS.map(({ name, steps }) => ({ name, trigger: `Do: ${name}`, steps: [...steps, exit] })),
  );
  for (const [index, { input }] of TASKS.entries()) {
    await Deno.writeFile(
      `${bench.folder}/input.${index}`,
      typeof input === "string" ? new TextEncoder().encode(input) : input,
    );
  }
  const runs = await bench.runAll(
    TASKS.map(({ name }, index) => ({
      args: [`Do: ${name}`, `input.${index}`],
      env: { LLMCMD_READ_BUFFER_SIZE: "64K", LLMCMD_MAX_TOKENS_BUDGET: "1000000" },
    })),
  );
  for (const [index, { name, output }] of TASKS.entries()) {
    await t.step(name, () => {
      const run = runs[index] ?? assert.fail();
      assert.deepEqual([run.code, run.stderr], [0, ""], run.stdout);
      if (typeof output === "string") assert.equal(run.stdout, output);
      else output(run.stdout.split("\n").slice(0, -1));
    });
  }
});
