import { agree, bytes, randomFrom } from "../../_testing.ts";

const repeats = {
  repeats: bytes("a\na\nb\nB\nb\nb\n\n\n\nc\nd\nd\nd"),
  single: bytes("x\n"),
  "two equal": bytes("x\nx"),
  fields: bytes("1 a b\n2 a b\n3  a b\n1 a b c\n\ta b\n a\tb\n\n \n"),
  prefixes: bytes("abcd\nabce\nabc\nab\nABCD\nxbcd\n"),
  NULs: bytes("a\0a\0b\nc\0b\nc\0d e\0x e"),
  "all different": bytes("1\n2\n3\n"),
  bytes: new Uint8Array([255, 10, 255, 10, 195, 169, 10, 195, 137, 10, 128, 10, 0, 10, 0, 10]),
};

Deno.test("uniq agrees with GNU on the groups it prints", async () => {
  const lines = [
    "",
    "-",
    "f",
    "-c",
    "-d",
    "-u",
    "-D",
    "-ud",
    "-cd",
    "-cu",
    "-cdu f",
    "-dD",
    "-uD",
    "--all-repeated",
    "--all-repeated=none",
    "--all-repeated=prepend",
    "--all-repeated=separate",
    "--all-repeated=s",
    "-u --all-repeated=prepend",
    "--group",
    "--group=prepend",
    "--group=append",
    "--group=separate",
    "--group=both",
    "--group=b f",
    "--count --repeated",
    "--unique",
    "-z",
    "-zc",
    "-zd",
    "-z --group",
    "-z -f1",
    "-i",
    "-ic",
    "-iD",
    "-id --ignore-case",
  ];
  await agree("uniq", lines, { inputs: repeats });
  await agree("uniq", lines);
});

Deno.test("uniq agrees with GNU on what it compares", async () => {
  await agree("uniq", [
    "-f1",
    "-f 2",
    "-f1 -s1",
    "-s1",
    "-s 2 -c",
    "-s100",
    "-w1",
    "-w 2 -c",
    "-w0",
    "-w0 -c",
    "-w3 -s1 -d",
    "-i -w2",
    "-i -f1 -w1 -D",
    "--skip-fields=1 --skip-chars=1 --check-chars=1",
    "-1",
    "-12",
    "-1 -2",
    "+1",
    "-1 +1",
    "+1 +2",
    "-f2 -1",
    "-1 -f2",
    "-f 99999999999999999999",
    "-w 99999999999999999999 -c",
    "-c2",
    "-f ' 1'",
    "-f +1",
  ], { inputs: repeats });
});

Deno.test("uniq agrees with GNU on wrong use and files", async () => {
  await agree("uniq", [
    "f o",
    "-c f o",
    "- o",
    "f -",
    "missing o",
    "-f x",
    "-s x",
    "-w x",
    "-f -1",
    "-f '1 '",
    "-f ''",
    "-cD",
    "-D -c",
    "-D --group",
    "--group -c",
    "--group -d",
    "--group -u",
    "--group=x",
    "-Dx",
    "--all-repeated=x",
    "--group=",
    "f g h",
    "-1a",
    "missing",
    ".",
    ". o",
    "-- +1",
    "+x",
    "-1 -- +1",
    "+99999999999999999999",
    "--skip",
    "--nosuch",
    "--count=1",
    "-f",
    "-- f",
  ], { inputs: { text: repeats.repeats }, compare: ["o"] });
});

Deno.test("uniq agrees with GNU on long inputs, lines and groups", async () => {
  const random = randomFrom(1);
  const below = (limit: number) => Math.floor(random() * limit);
  const text = (size: number, line: () => string): Uint8Array<ArrayBuffer> => {
    let all = "";
    while (all.length < size) all += line();
    return bytes(all);
  };
  const kinds = ["", "a", "ab", "ab".repeat(20), "abc".repeat(400), "\0", "caf\u00e9"];
  const inputs = {
    "short groups": text(150_000, () => `${kinds[below(kinds.length)]}\n`.repeat(1 + below(4))),
    "a long group": text(300_000, () => `${kinds[below(3)]}\n`.repeat(1 + below(40_000))),
    "long lines": text(900_000, () => `${"x".repeat(60_000 + below(3))}y\n`.repeat(1 + below(3))),
    "no newline at its end": text(70_000, () => `${below(3)}\n`.repeat(1 + below(99))).slice(0, -1),
    "NULs": text(70_000, () => `${below(3)}\0`.repeat(1 + below(9))),
  };
  await agree("uniq", ["-c", "-d", "-u", "-cd", "-cu", "-zc", "-zd", "", "-du", "-i -c"], {
    inputs,
  });
});
