import { agree, bytes } from "../../_testing.ts";

const delimited = {
  fields: bytes("a:b:c:d\nno delimiter\n:x:\n::\n\n:\na:b\n\n1:2:3:4:5:6:7:8:9:10:11"),
  tabs: bytes("one\ttwo\tthree\n\t\nfour\n\tfive\tsix\t\n"),
  NULs: bytes("a:b\0c\0d:e:f\n:g\0\0"),
  newlines: bytes("\n\nx\n"),
  short: bytes("a"),
  "short line": bytes("a\n"),
};

Deno.test("cut agrees with GNU on positions", async () => {
  await agree("cut", [
    "-b1",
    "-b 2-",
    "-b -3",
    "-b 2-4,6",
    "-b 1,3,5-",
    "-c1-3",
    "-c 5,1,3",
    "-c -1,4-",
    "-b1-2,3-4",
    "-nb 2-3",
    "-b1 f g",
    "-b2- f missing - g",
    "-b1 .",
    "-zb 1-2",
    "--complement -b1",
    "--complement -c 2-3,5",
    "--complement -b 1-",
    "--bytes=1 --output-delimiter=:",
    "-b1-2,4-5 --output-delimiter=:",
    "-b1-2,3-4,9 --output-delimiter=<>",
    "-c 3-,1 --output-delimiter= f",
    "--complement -b 2-3,4 --output-delimiter=xyz",
    "-b 100000-",
    "-b 3-70000,70001-",
    "--char 1",
    "-b18446744073709551614",
    "--help-me",
  ]);
});

Deno.test("cut agrees with GNU on fields", async () => {
  await agree("cut", [
    "-f1",
    "-f2",
    "-f 2-",
    "-f1,3 f g",
    "-d: -f1",
    "-d: -f2",
    "-d: -f3",
    "-d: -f2-3",
    "-d: -f2-",
    "-d: -f-2",
    "-d: -f1,3-4,6-",
    "-d: -f10-",
    "-sd: -f1",
    "-sd: -f2 f g -",
    "-s -f1,2",
    "-d: --complement -f1",
    "-d: --complement -f2",
    "-sd: --complement -f1,3",
    "-d: --complement -f1-",
    "-d: --output-delimiter= -f1-3",
    "-d: --output-delimiter=--- -f1,3-",
    "-d : -f 1,2 --output-d=x",
    "-z -d: -f1",
    "-z -d: -f2",
    "-sz -d: -f2",
    "-d '' -f1",
    "-d '' -f2 f",
    "-zd '' -f2",
    ["-d", "\n", "-f1"],
    ["-d", "\n", "-f2"],
    ["-d", "\n", "-f2-3", "f", "g"],
    ["-d", "\n", "-sf1"],
    ["-d", "\n", "-sf2,3"],
    ["-d", "\n", "-f1,3", "--output-delimiter=, "],
    ["-d", "\n", "--complement", "-f1"],
    "-d ' ' -f2 missing f",
    "-f1 --only-delimited",
    "-f '1 3'",
    "--fields=2 --delimiter=:",
  ], { inputs: delimited });
  await agree("cut", ["-d' ' -f2", "-d' ' -f1,3-", "-f1", "-d y -f 3-5,100-", "-sd o -f2"]);
});

Deno.test("cut agrees with GNU on wrong use", async () => {
  await agree("cut", [
    "",
    "-f",
    "-f 0",
    "-f x",
    "-f 1-0",
    "-f 3-2",
    "-f -",
    "-f 1-2-3",
    "-f 1,,2",
    "-f ,",
    "-f ''",
    "-b 0",
    "-b x",
    "-b 1x,2",
    "-b 5-x",
    "-c 0-",
    "-b 1-2-3",
    "-f 1 -b 2",
    "-f1 -f2",
    "-b1 -d x",
    "-b1 -s",
    "-f1 -d xy",
    "-f 99999999999999999999",
    "-f 1-99999999999999999999",
    "-f 18446744073709551615",
    "-c 99999999999999999999",
    "-f 1a",
    "-f -1-",
    "-f --",
    "-z",
    "--complement",
    "--output-delimiter",
    "--o",
    "-b -0",
    "-f1 -d \u00e9",
    "-f 0-0,x",
    "-f x,0",
    "-b 1- --out= missing",
    "--nosuch",
    "-k",
  ], { inputs: { short: bytes("a\tb\n") } });
});

Deno.test("cut agrees with GNU where short lines, long ones and plain ones take turns", async () => {
  const part = (times: number, line: (i: number) => string): string =>
    Array.from({ length: times }, (_, i) => line(i)).join("\n") + "\n";
  const mixed = bytes(
    part(30_000, (i) => ["a", "", "b c", " d", "e  f g", "caf\u00e9 h"][i % 6] ?? "") +
      part(900, (i) => `${"x".repeat(i % 90)} ${"y".repeat(i % 200)} ${i}`) +
      part(3000, (i) => `${i}`.repeat(9)) + "z".repeat(200_000) + " z\n" +
      part(40_000, (i) => `${i % 7} ${i}`) + "last line",
  );
  await agree("cut", [
    "-c 1",
    "-c 1-2,4",
    "-c 3-",
    "-c 2,5-7,300-",
    "-c 1-2,150000- --output-delimiter=<>",
    "-c 255,256",
    "--complement -c 2-40",
    "-d ' ' -f 1",
    "-d ' ' -f 1,3",
    "-d ' ' -f 1-2 --output-delimiter=:",
    "-d ' ' -f 1,3- --output-delimiter=<>",
    "-d ' ' -f 2",
    "-d ' ' -f 2-",
    "-d ' ' -sf 1",
    "-d ' ' -sf 2-",
    "-d y -f 2",
    "-d y -sf 1,20-",
    "-d ' ' -f 1,63-",
    "-zd ' ' -f 1",
  ], { inputs: { mixed, "without the last newline": mixed.slice(0, -10) } });
});
