import assert from "node:assert/strict";
import { agree, bytes, inputs, latin1, randomFrom, runOurs } from "../../_testing.ts";
import { testSeed } from "../../../streams/_testing.ts";

const small = Object.fromEntries(
  Object.entries(inputs).map(([name, data]) => [name, data.slice(0, 5000)]),
);

Deno.test("xxd agrees with Vim's on common use", async () => {
  await agree("xxd", [
    "",
    "-",
    "f",
    "g",
    "-b",
    "-b f",
    "-e",
    "-e g",
    "-i f",
    "-i",
    "-i g",
    "-i -n some-name",
    "-i -c 3 g",
    "-i -u g",
    "-i .",
    "-l 0 .",
    "-s +-3 .",
    "-b .",
    "-p -l 0 .",
    "-i -l 0 .",
    "-s 3 -l 0 .",
    "-s -3 -l 0 .",
    "-i -s 4 f",
    "-i -s 4",
    "-i -l 0",
    "-s - .",
    "-s -1 .",
    "-s 1 .",
    "-p",
    "-ps g",
    "-plain f",
    "-postscript",
    "-u",
    "-up",
    "-p -u",
    "-c 5",
    "-c5 g",
    "-c 0",
    "-c 256",
    "-c 257",
    "-c 4294967298",
    "-p -c 6854775807",
    "-c -1",
    "-c x",
    "-cols 4 g",
    "-p -c 4",
    "-p -c 0",
    "-p -c 1000",
    "-g 1",
    "-g1 -c 8",
    "-g 3",
    "-g 0",
    "-g 20",
    "-g 2147483648",
    "-g 4294967298",
    "-g 9223372036854775807",
    "-g 4 -b",
    "-b -c 3 -g 2",
    "-e -g 2",
    "-e -g 3",
    "-e -g 8",
    "-e -g 1 -c 7",
    "-l 5",
    "-l 0x10 f",
    "-l 0",
    "-l -1",
    "-len 3",
    "-p -l 7",
    "-i -l 4 f",
    "-s 3 f",
    "-s 0x10 -l 020 f",
    "-s 1",
    "-s 1 -l 0",
    "-s 1000000 -l 0",
    "-s +2 f",
    "-s -5 f",
    "-seek 4 f",
    "-s 100000 f",
    "-s -100000 f",
    "-d",
    "-d -c 7",
    "-r -p",
    "-r -b",
    "-r -i",
    "--c 5 g",
    "--p",
    "missing",
    "-- f",
  ], { inputs: small });
});

Deno.test("xxd -r reads all sorts of dumps as Vim's does", async () => {
  // Only with -p: without it, the digits of a plain dump are a position, and one too far ahead.
  await agree("xxd", ["-r -p", "-p -r -c 8", "-r -p -u"], {
    inputs: {
      plain: bytes("68656c6c6f\n776f726c64\n"),
      words: bytes("hello, facade!\nbad: cafe\n"),
    },
  });
  await agree("xxd", ["-r", "-r -p", "-r -c 4", "-r -s 3", "-p -r -c 8", "-r -p -u"], {
    inputs: {
      dump: bytes(
        "00000000: 6865 6c6c 6f20 776f  hello wo\n00000008: 726c 640a                rld.\n",
      ),
      holes: bytes("00000000: 41\n00000010: 42 43\n"),
      garbage: bytes("xx\n0: 41 4z 42\n\n3:43"),
      CRLF: bytes("00000000: 4142\r\n00000002: 4344\r\n"),
      spaces: bytes("  0:   41   42\n  2: 43"),
      upper: bytes("0000: 4A4B 4C\n"),
      "odd digit": bytes("414"),
      "no offset": bytes("4142 4344\n"),
      "long lines": bytes("0: 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 50 51 52 53\n13: 54\n"),
      empty: bytes(""),
    },
  });
});

Deno.test("xxd -r gives back what xxd made of any bytes", async () => {
  const seed = testSeed();
  const random = randomFrom(seed);
  for (let i = 0; i < 60; i++) {
    const data = Uint8Array.from(
      { length: Math.floor(random() * 300) },
      () => Math.floor(random() * 256),
    );
    const args = [[], ["-p"], ["-c", "7"], ["-g", "1"], ["-u"], ["-p", "-c", "0"]][i % 6] ?? [];
    const dump = await runOurs("xxd", { args, stdin: data }, random);
    const back = await runOurs("xxd", { args: ["-r", ...args], stdin: dump.stdout }, random);
    assert.deepEqual([...back.stdout], [...data], `seed ${seed}, case ${i}: ${args.join(" ")}`);
  }
});

Deno.test("xxd says what it does not do", async () => {
  const files = { in: bytes("ab") };
  const back = await runOurs("xxd", { args: ["-r"], stdin: bytes("0: 4142\n1: 43\n") });
  assert.deepEqual([latin1(back.stdout), back.status], ["AB", 5]);
  const run = async (stdin: string, ...args: string[]) => {
    const { stderr, status } = await runOurs("xxd", { args, stdin: bytes(stdin), files });
    return [stderr, status];
  };
  const refused: readonly (readonly [message: string, ...args: string[]])[] = [
    ["option '-E' is not supported", "-E"],
    ["option '-a' is not supported: leave it out", "-a"],
    ["option '-a' is not supported: leave it out", "--autoskip"],
    ["option '-o' is not supported: leave it out", "-o", "16"],
    ["option '-C' is not supported: use -n NAME, which names the variables", "-i", "-C"],
    [
      "option '-capitalize' is not supported: use -n NAME, which names the variables",
      "-capitalize",
      "-i",
    ],
    ["OUTFILE 'out' is not supported: xxd prints to standard output", "in", "out"],
    ["OUTFILE 'out' is not supported: xxd prints to standard output", "-r", "in", "out"],
  ];
  for (const [message, ...args] of refused) {
    assert.deepEqual(await run("", ...args), [`xxd: ${message}\n`, 1]);
  }
  assert.deepEqual(await run("4: 41\n0: 42\n", "-r"), ["xxd: Sorry, cannot seek backwards.\n", 5]);
  const [usage, wrong] = await run("", "-z");
  assert.match(String(usage), /^Usage: xxd /);
  assert.equal(wrong, 1);
});

Deno.test("xxd reads a pipe to the position, and fails only behind its end", async () => {
  const lines = [4, 5, 6].flatMap((at) =>
    ["", "-l 0", "-i", "-p"].map((rest) => `-s ${at} ${rest}`)
  );
  await agree("xxd", lines, { inputs: { five: bytes("12345"), none: bytes("") }, seekable: false });
});
