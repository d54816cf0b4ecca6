import assert from "node:assert/strict";
import { memorySource } from "../../../streams/mod.ts";
import { READER_LEFT } from "../../builtin.ts";
import { Stage } from "../../run/stage.ts";
import { agree, bytes, latin1, runOurs } from "../../_testing.ts";

const lines = [
  "",
  "x",
  "1 2 3 4",
  "1 0 3",
  "-f x 3",
  "-f %d 3",
  "-f %g%g 3",
  "-f % 3",
  "-f %% 3",
  "-f %s 3",
  "-f %a 1",
  "-f %A 3",
  "-f %5.2f -w 3",
  "-w -f %g 2",
  "0x10",
  "0x1p3",
  "nan",
  "1e3 3",
  "-5",
  "-s , 3",
  "-s",
  "-3 -1",
  "3 -1 1",
  "1 -0 3",
  "''",
  "' 3'",
  "'3 '",
  "3x",
  "1 nan 2",
  "-f %lg 3",
  "-f %Lf 3",
  "-f %-5gx 3",
  "-f %05g 3",
  "-f %+g 3",
  "-f %#g 3",
  "-f %*g 3",
  "-f %5.g 3",
  "-f %.g 3",
  "-f '%g\\n' 2",
  "-w 8 10",
  "-w -5 5 5",
  "-w 0 .5 1",
  "-w 1e1 12",
  "-w 1. 3",
  "0 0.1 1",
  "1 .1 1.5",
  "0 1e-2 0.03",
  "1.0 2",
  "-0 2",
  "+1 3",
  "00 02",
  "-w 01 3",
  "1e-1 2",
  "-- -3 -1",
  "1 1 1",
  "2 1",
  "0x1 0x3",
  "1 2.00 5",
  "-w 1 2.00 5",
  "1e20 1e20",
  "99999999999999999998 99999999999999999999",
  "-f %e 2",
  "-f %.30f 0 .125 .5",
  "-f %-5.1f| 0 .125 .5",
  "-f %G 1e9 1e9 3e9",
  "-f %F 2",
  "--equal 3",
  "--sep=: 3",
  "-f '% g' 2",
  "-f '' 2",
  "-f '\u00e9%g%%' 2",
  "-s '' 3",
  "-s ab 1 3 9",
  "0 0.3 1",
  "-0.3 0.1 0.3",
  "-1 0.1 0.2",
  "1 -.25 -1",
  "-w 1 -.25 -1",
  "-w -1.5 .5 1",
  "-w 9.5 .5 11",
  "1 0.5 2.25",
  "0 .000001 .000005",
  "1e15 1e15",
  "1e-5 1e-5 3e-5",
  "5 1",
  "5 -2 0",
  "0x1.8p1 5",
  "0 0x.8p0 2",
  "-w 0x9 0xb",
  "1e2 -1e1 6e1",
  "-w 1e-1 .05 .3",
  "-w 1.e1 12",
  "10000000000000000000 10000000000000000002",
  "0.1 0.1 0.95",
  "3 1 inf -x",

  "1 inf 3",
  "100000 1 100005",
  "1000000 1 1000003",
  "-f %g 999999 1 1000002",
  "1 201 1000",
  "-1 2 3",
  "-f %3.1f, -s ' ' 1 3",
  "-z",
  "--nosuch",
  "-x 3",
  "-s: -w 9 11",
  "-.5 1",
  "-f %010.3e 1",
  "-f %-10.1fx 1",
  "1.5e1 1e0 17",
  "0 1e-7 5e-7",
  "-s '\\n' 2",
  "-f %.3a 1 2",
];

Deno.test("seq agrees with GNU", async () => {
  await agree("seq", lines, { inputs: { none: bytes("") } });
});

Deno.test("seq does not lose its last number to rounding", async () => {
  for (const format of ["%.1f", "%-9.1f", "%9.1f", "%-30000.1f"]) {
    const { stdout } = await runOurs("seq", { args: ["-f", format, "0", "0.1", "0.3"] });
    assert.deepEqual(latin1(stdout).match(/\S+/g), ["0.0", "0.1", "0.2", "0.3"], format);
  }
});

Deno.test("seq refuses whole numbers that a double cannot hold, but counts them up", async () => {
  const big = "10000000000000000001";
  for (const args of [["-w", "1", big], ["-f", "%g", big], ["1", "500", big], [`-${big}`]]) {
    const { stderr, status } = await runOurs("seq", { args });
    assert.equal(
      stderr,
      `seq: ${args.at(-1)}: whole numbers above 9007199254740991 are possible in a plain ` +
        "'seq FIRST LAST' only\n",
    );
    assert.equal(status, 1);
  }
  const { stdout } = await runOurs("seq", { args: [big, "10000000000000000002"] });
  assert.equal(latin1(stdout), `${big}\n10000000000000000002\n`);
});

Deno.test("seq keeps to GNU's numbers in long runs", async () => {
  await agree("seq", ["1 100000", "0 0.01 300", "-w 0 .001 20", "-f %g 0 0.1 2000", "5 -.01 -5"], {
    inputs: { none: bytes("") },
  });
});

Deno.test("seq without an end goes on until its reader leaves", async () => {
  const io = {
    stdin: memorySource(""),
    signal: new AbortController().signal,
    warn: (message: string) => assert.fail(message),
  };
  const stage = new Stage("seq", ["inf"], io);
  const { value } = await stage.next();
  assert.equal(new TextDecoder().decode(value?.subarray(0, 6)), "1\n2\n3\n");
  await stage.return();
  assert.equal(stage.status, READER_LEFT);
});

Deno.test("seq agrees with GNU where whole numbers get more digits", async () => {
  await agree("seq", [
    "0 12",
    "8 200 12345",
    "1 7 20000",
    "995 3 1010",
    "9 99 100100",
    "98000 200 102000",
    "999999999999999999998 1 1000000000000000000003",
    "99999999999999999999999999999999998 150 100000000000000000000000000000003000",
    "-s , 5",
    "-s , 999 1001",
    "5 1 4",
    "200000",
  ], { inputs: { none: bytes("") } });
});
