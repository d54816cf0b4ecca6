import assert from "node:assert/strict";
import { LimitError, MemorySink, memorySource } from "../../../streams/mod.ts";
import { PoisonSource } from "../../../testing/poison_source.ts";
import { Stage } from "../../run/stage.ts";
import { agree, bytes, latin1 } from "../../_testing.ts";

const pages = {
  pages: bytes(
    "before\n\\:\\:\\:\nhead\n\n\\:\\:\nbody one\n\nbody 2\n\n\n\nx\n\\:\nfoot\n\\:\\:\\:\n\\:\\:\nlast",
  ),
  blanks: bytes("\n\n\na\n\n\n\n\nb\n\n"),
  others: bytes("aa\na:\na:a:\na:a:a:\nxyz\nxyzxyz\n1\nab\nabab\n"),
};

Deno.test("nl agrees with GNU", async () => {
  const lines = [
    "",
    "-",
    "f",
    "f g f",
    "- g",
    "-ba",
    "-bt",
    "-bn",
    "-b pa",
    "-b 'p^b'",
    "-b 'p\\(o\\)\\|x$'",
    "-b p",
    "-b ab",
    "-ha -fa",
    "-ha -fa -ba",
    "-ht -ft -bn",
    "-hp. -fp[fo]",
    "-i 10",
    "-i -3 -ba",
    "-i 0",
    "-l 2 -ba",
    "-l 3 -ba -ha",
    "-nln",
    "-nrz",
    "-nrn",
    "-p -ha -fa",
    "-s :",
    "-s ''",
    "-s '-->' -ba",
    "-v 100",
    "-v -5 -ba",
    "-v -5 -n rz",
    "-v -5 -n ln",
    "-w 1",
    "-w 20",
    "-w 2 -v 98 -ba",
    "-d a",
    "-d ab -ha",
    "-d xyz -fa",
    "-d '' -ha",
    "-d ab -d : -ha",
    "-d xyz -d : -ha",
    "-d xyz -d ab -ha",
    "-d a -d :b -ha",
    ["-d", "\u00e9", "-d", "a"],
    "--body-numbering=a --number-width=3 --number-separator=' '",
    "--start=5 --line-inc 2 --number-f ln",
    "--no-renumber --join-blank-lines=2 --section-delimiter=a",
  ];
  await agree("nl", lines, { inputs: pages });
  await agree("nl", ["", "-ba", "-bp.", "-nrz -s '' g -"]);
});

Deno.test("nl reads patterns as glibc does", async () => {
  const patterns = String.raw`
    [:s:] [:space:] . .. [^a] [a-\ [z-a] [z-ab] [^z-a] [[:alpha:]-z] [[:foo:]] \{1\} a\{1 a\{2,1\}
    a**b *a \(*a\) ^*a a^b \(a\)\1 \1 \(a \) a\) a\|b a\+ b\? x$ \(x$\) \<b \bb \W \w\w [[.a.]] [[=a=]]
    [a [ [] [] []a] a\{,2\}b \{x
  `.trim().split(/\s+/);
  await agree("nl", patterns.map((pattern) => ["-b", `p${pattern}`]), {
    inputs: { ...pages, NULs: bytes("\0\na\0b\nab\n[:s:]\n{1}\n\n") },
  });
});

Deno.test("nl agrees with GNU on wrong use", async () => {
  await agree("nl", [
    "-b x",
    "-b",
    "-b ''",
    "-h q -f z -n k",
    "-w x",
    "-w 0",
    "-w -1",
    "-w 99999999999",
    "-w 2147483648",
    "-v x",
    "-v 9223372036854775807 -ba",
    "-v 9223372036854775808",
    "-v -9223372036854775808 -i -1 -ba",
    "-i x",
    "-i 99999999999999999999",
    "-l 0",
    "-l -1",
    "-l x",
    "-n x",
    "-n ''",
    "-n rnx",
    "-b 'p\\('",
    "-b 'p[a'",
    "-s",
    "-z",
    "-z -b '' --nosuch --width=x",
    "-zq -n x --page-increment -h",
    "-b x -f y -n z",
    "--number --no-renumber=3 -n x",
    "--nosuch",
    "--number",
    "missing",
    ".",
    "f missing . g",
  ], { inputs: pages });
});

/** Runs `nl` on lines that are longer than the limit. */
async function nlLong(args: string[], text: string): Promise<string> {
  const stage = new Stage("nl", args, {
    stdin: new PoisonSource(bytes(text), [7, 1, 30]),
    warn: assert.fail,
    signal: new AbortController().signal,
    limits: { lineBytes: 20 },
  });
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  return latin1(out.bytes());
}

Deno.test("nl holds a line only where a pattern is to be found in it", async () => {
  const long = "x".repeat(200);
  assert.equal(
    await nlLong(["-hn", "-ba"], `${long}\n\\:\\:\\:\n${long}\n\\:\\:\\:${long}`),
    `     1\t${long}\n\n       ${long}\n       \\:\\:\\:${long}\n`,
  );
  await assert.rejects(
    nlLong(["-bpx"], long),
    (error) =>
      error instanceof LimitError && /longer than lineBytes \(20 bytes\)/.test(error.message),
  );
});

Deno.test("nl passes on what a slow source has sent of a line", async () => {
  const sizes: number[] = [];
  const source = memorySource("a\nlonger line", { chunkSize: 4 });
  const stage = new Stage("nl", [], {
    stdin: {
      next: () => {
        sizes.push(-1);
        return source.next();
      },
      return: () => source.return(),
      [Symbol.asyncIterator]() {
        return this;
      },
    },
    warn: assert.fail,
    signal: new AbortController().signal,
  });
  for await (const chunk of stage) sizes.push(chunk.length);
  // A line's first bytes are held until they cannot be a section delimiter.
  assert.deepEqual(sizes, [-1, 9, -1, -1, 17, -1, 1, -1, 1, -1]);
});
