import assert from "node:assert/strict";
import { LimitError, MemorySink, memorySource } from "../../../streams/mod.ts";
import { Stage } from "../../run/stage.ts";
import { agree, bytes, memoryTemp } from "../../_testing.ts";
import { optional, thorough } from "../../../../tests/_optional.ts";

/** A line that is too long to be held in one piece. */
function longLine(field: string): string {
  return Array.from({ length: Math.ceil(600_000 / (field.length + 1)) }, (_, i) => `${field}${i}`)
    .join(":");
}

const long = {
  "short fields": bytes(`a:b\n${longLine("x")}\nc:d:e\n`),
  "long fields": bytes(`${longLine("y".repeat(50_000))}\n:\n${longLine("z")}`),
  "no delimiter": bytes(`${"n".repeat(700_000)}\na:b\n${"m".repeat(700_000)}`),
  "one long field": bytes(`${"n".repeat(700_000)}:b:c\nx:${"n".repeat(700_000)}:c\n`),
  "delimiter at the end": bytes(`${"n".repeat(700_000)}:\n${"m".repeat(700_000)}:`),
  "empty fields": bytes(`${":".repeat(700_000)}\n::`),
  "long with NUL": bytes(`${"n".repeat(700_000)}:b\0${"m".repeat(700_000)}:`),
};

Deno.test(
  optional("cut agrees with GNU on fields of lines that are not held", thorough),
  async () => {
    const names = Object.keys(long);
    const commands = [
      "-d: -f1",
      "-d: -f2",
      "-d: -f2-",
      "-d: -f1-",
      "-d: -f1,3-5,1000-2000,2002-",
      "-d: --complement -f1",
      "-d: --complement -f2-3,7",
      "-sd: -f1",
      "-sd: -f2-",
      "-sd: -f1,7",
      "-sd: -f500000",
      "-zd: -f1",
      "-zd: -f2",
      "-zsd: -f1",
      "-zsd: -f2",
      "-d: -f1,3 --output-delimiter=<>",
      "-d: -f2- --output-delimiter=",
      "-sd: -f1-3 --output-delimiter=0123456789012345678901234567890123456789",
    ];
    // The inputs are long, so each command runs on three of them, and all inputs are used.
    for (const [at, [name, input]] of Object.entries(long).entries()) {
      const turn = commands.filter((_, i) => [0, 2, 3].includes((i + at) % names.length));
      await agree("cut", turn, { inputs: { [name]: input } });
    }
  },
);

Deno.test("cut agrees with GNU on a text between fields that is longer than a line", async () => {
  const between = "-".repeat(2000);
  await agree(
    "cut",
    ["-f1", "-f2", "-f1,3-", "-sf1-", "-zf1,2"].map((fields) => [
      "-d:",
      ...fields.split(" "),
      `--output-delimiter=${between}`,
    ]),
    { inputs: { lines: bytes(`a:b:c\n\nx\n:\n${longLine("x").slice(0, 2000)}\n::y`) } },
  );
});

Deno.test("cut agrees with GNU on long lines that are the fields", async () => {
  const n = "n".repeat(300_000);
  const inputs = {
    one: bytes(n),
    ended: bytes(`${n}\n`),
    two: bytes(`${n}\nb`),
    three: bytes(`a\n${n}\nb\n`),
  };
  await agree(
    "cut",
    ["1", "2", "1,3", "2-", "1-"].flatMap((list) =>
      [[], ["-s"], ["--output-delimiter=:"]].map((more) => ["-d", "\n", "-f", list, ...more])
    ),
    { inputs },
  );
});

/** Size of the output of `cut` with limited memory, with or without temporary storage. */
async function sizeOf(args: string[], text: string, temp: boolean): Promise<number> {
  const stage = new Stage("cut", args, {
    stdin: memorySource(text),
    warn: assert.fail,
    signal: new AbortController().signal,
    limits: { heldBytesWithoutTemp: 400_000 },
    ...(temp && { temp: () => Promise.resolve(memoryTemp()) }),
  });
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  return out.length;
}

Deno.test("cut holds a first field only up to the limit where there is no temporary storage", async () => {
  const line = `${"n".repeat(500_000)}:b\n`;
  await assert.rejects(
    sizeOf(["-d:", "-f2"], line, false),
    (error) => error instanceof LimitError && /heldBytesWithoutTemp/.test(error.message),
  );
  assert.equal(await sizeOf(["-d:", "-f1"], line, false), 500_001);
  assert.equal(await sizeOf(["-sd:", "-f2"], line, false), 2);
});

Deno.test("cut writes a very long first field to temporary storage", async () => {
  const field = "n".repeat(9_000_000);
  assert.equal(await sizeOf(["-d:", "-f2"], `${field}\n${field}:b\n${field}`, true), 18_000_004);
});
