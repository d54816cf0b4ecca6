import { agree, bytes } from "../_testing.ts";

/** Command lines that are valid for both commands. */
const BOTH = [
  "",
  "-",
  "f",
  "f g",
  "- f",
  "g missing f",
  "missing",
  ".",
  ". g",
  "-n 1",
  "-n1 f",
  "-n 0",
  "-n0 f g",
  "-n 3 -",
  "-n 100",
  "-1",
  "-2 f",
  "-0",
  "-5c",
  "-c 5",
  "-c5 f",
  "-c 0",
  "-c 1K",
  "-c 1kB",
  "-c 1b f",
  "-c 700001",
  "-q f g",
  "-v",
  "-v f",
  "-qv f g",
  "-vq f g",
  "-z",
  "-zn1",
  "-zc 5 f",
  "--lines=2",
  "--lines 2 f",
  "--bytes=4",
  "--quiet f g",
  "--silent f g",
  "--verbose f",
  "--zero-terminated",
  "--lin=1",
  "--b 2",
  "-n ' 2'",
  "-n k -c 3",
  "-n 1M f",
  "-n 1KiB",
  "-n x",
  "-n 2x",
  "-n -x",
  "-n --2",
  "-c x",
  "-c 1kx",
  "-n 99999999999999999999999",
  "-n 1Z",
  "-n",
  "-c",
  "--lines",
  "-y",
  "--nosuch",
  "-q3 f",
  "-n ''",
  "-n 1KB",
  "''",
  "-- f",
];

const LONG = bytes(
  Array.from({ length: 15_000 }, (_, i) => `line ${i} ${"x".repeat(i % 50)}\n`).join(""),
);
/** Command lines with counts close to {@linkcode LONG}. */
const COUNTS = {
  head: [
    "-n 3000",
    "-n -3000",
    "-c 100000",
    "-c -100000",
    "-n -14999 f",
    "-c 70K f",
    "-n -2500 f",
    "-n 14999",
    "-n 15001 f",
  ],
  tail: [
    "-n 3000",
    "-n +3000",
    "-c 100000",
    "-c +100000",
    "-n 14999 f",
    "-c 70K f",
    "-n 2500 f",
    "-n 15001",
    "-n 15000 f",
    "-n 14999",
  ],
};

for (const command of ["head", "tail"] as const) {
  Deno.test(`${command} agrees with GNU on common use`, async () => {
    await agree(command, BOTH);
  });

  Deno.test(`${command} of long input agrees with GNU`, async () => {
    await agree(command, COUNTS[command], {
      inputs: {
        text: LONG,
        "no final newline": LONG.slice(0, -1),
        "only newlines": bytes("\n".repeat(200_000)),
      },
    });
  });
}
