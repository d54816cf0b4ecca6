import { agree, bytes, randomFrom } from "../../_testing.ts";

const KEYS = [
  "-n",
  "-g",
  "-h",
  "-M",
  "-V",
  "-f",
  "-d",
  "-i",
  "-b",
  "-df",
  "-bn",
  "",
  "-k2",
  "-k2n",
  "-k1.2,1.3",
  "-k2V",
  "-k2h -k1M",
  "-k2,2f -k3n",
  "-t, -k2n -k1",
  "-t, -k2,2g",
  "-t, -k3r -k1,1n",
  "-k1,1b -k2bn",
  "-t, -k2.2b,3.1",
  "-k2.1b,2.2b -k1",
];

Deno.test("sort agrees with GNU on random numbers, names and words in random orders", async () => {
  const random = randomFrom(1);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const pieces = [
    "0",
    "-0",
    "1",
    "10",
    "9",
    "-5",
    "1.5",
    "1.50",
    "01",
    "-.5",
    ".5",
    "0.05",
    "1e3",
    "1E-2",
    "0x1F",
    "inf",
    "-inf",
    "100000000000000000000.1",
    "0.10000000000000000000001",
    "0.1",
    "0.1000000000000000001",
    "1K",
    "2M",
    "-3k",
    "1.5G",
    "0K",
    "999",
    "1000000000000000000001",
    "1000000000000000000000",
    "5.",
    "-",
    "+1",
    "+",
    "JAN",
    "feb",
    "March",
    "dEc",
    "xyz",
    "ja",
    "a",
    "A",
    "b",
    "B",
    "ab",
    "aB",
    "Ab",
    "a-b",
    "a_b",
    "file1.txt",
    "file10.txt",
    "file2.txt",
    "a.b.c",
    "1.2.3",
    "1.10",
    ".",
    "..",
    ".x",
    "~",
    "a~",
    "a.~1~",
    "x1y2",
    "x01y2",
    "\u00e9",
    "\u00c9",
    "\x01",
    "",
    "\xff",
    "\0",
    "zz.tar.gz",
    "zz.tar.gz~",
    "v1.0",
    "v1.0-rc1",
    "v1.0a",
  ];
  const gaps = [" ", "  ", "\t", ",", ", ", " ,", ""];
  const text = () =>
    bytes(
      Array.from({ length: Math.floor(random() * 60) }, () =>
        (random() < 0.3 ? pick(gaps) : "") +
        Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(pieces)).join(pick(gaps)))
        .join("\n") + pick(["", "\n"]),
    );
  const some = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`random ${i}`, text()]));
  const lines = Array.from(
    { length: 90 },
    (_, i) =>
      `${KEYS[i % KEYS.length]} ${random() < 0.3 ? "-r" : ""} ${random() < 0.25 ? "-s" : ""} ${
        random() < 0.25 ? "-u" : ""
      } ${random() < 0.1 ? "-c" : random() < 0.1 ? "-z" : ""}`,
  );
  await agree("sort", lines, { inputs: some });
});

Deno.test("sort agrees with GNU on small units with -f and on sizes beyond 64 bits", async () => {
  await agree("sort", [
    "-f -h",
    "-h",
    "-rh -f",
    "-k1,1fh",
    "-cfh",
    "-S 22337203685477580",
    "-S 18014398509481983",
    "-S 18014398509481984",
    "--buffer-size=99999999999999999999%",
    "-S 99999999999999999999b",
  ], {
    inputs: { units: new TextEncoder().encode("7\n1e\n5m\n3\n2k\n1M\n9y\n-1g\n1G\n0t\n") },
  });
});
