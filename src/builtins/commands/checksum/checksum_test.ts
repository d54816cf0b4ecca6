import { agree, agreeOn, bytes, latin1, randomFrom, runOurs } from "../../_testing.ts";

const common = [
  "",
  "-",
  "f",
  "f g",
  "g - f",
  "- -",
  "-b",
  "-b f g",
  "-t f",
  "-bt f",
  "-tb f",
  "-z f g",
  "-z -",
  "--tag",
  "--tag f g",
  "--tag -b f",
  "--tag -t f",
  "-t --tag f",
  "--tag -z f",
  "--binary f",
  "--text f",
  "--zero g",
  "'a\\b' f",
  "--tag 'a\\b' 'n\nl'",
  "-z 'a\\b' 'n\nl'",
  "'n\nl'",
  "missing",
  "f missing g",
  ".",
  "g . f",
  "'b c' missing\\ x",
  "--nosuch",
  "-q",
  "--tag=1",
  "--quiet f",
  "--status f",
  "--warn f",
  "--strict f",
  "--ignore-missing f",
  "-w --strict f",
  "--st",
  "--t",
  "-c -b f",
  "-c -t f",
  "-c -z f",
  "-c --tag f",
  "-c -tz",
  "-- f",
  "''",
];

const files = { "a\\b": bytes("x"), "n\nl": bytes("y"), "b c": bytes("z") };

for (const command of ["md5sum", "sha256sum"]) {
  Deno.test(`${command} agrees with GNU on common use`, async () => {
    await agree(command, common, { files });
  });

  Deno.test(`${command} --check agrees with GNU on lists of every format`, async () => {
    const listed = { ...files, a: bytes("alpha\n"), b: bytes("beta\n"), "-x": bytes("1") };
    const made = async (...args: string[]): Promise<string> => {
      const { stdout } = await runOurs(command, { args, files: listed });
      return latin1(stdout);
    };
    const plain = await made("a", "b");
    const hex = plain.split(" ")[0] ?? "";
    const wrong = hex.replace(/./, (digit) => digit === "0" ? "1" : "0");
    const label = command === "md5sum" ? "MD5" : "SHA256";
    const mixed = [
      plain.trimEnd(),
      "",
      "# comment",
      "junk",
      `${hex}  missing`,
      `${wrong}  a`,
      `${wrong} *b`,
      `${label} (a) = ${hex}`,
      `${label}(a)= ${hex.toUpperCase()}`,
      `${label}  (a) = ${hex}`,
      `XX (a) = ${hex}`,
      `${hex} a`,
      `${hex}  .`,
      `  ${hex}  a\r`,
      `\\${hex}  n\\nl`,
      `\\${hex}  n\\xl`,
      `\\${hex}  a\\\\b`,
      `${hex}0  a`,
      `${hex}`,
      `${hex}  `,
      `${label} (x) y) = ${hex}`,
    ].join("\n");
    const inputs = {
      plain: bytes(plain),
      tagged: bytes(await made("--tag", "a", "b", "a\\b")),
      binary: bytes(await made("-b", "a", "n\nl", "a\\b", "b c")),
      mixed: bytes(mixed),
      "wrong only": bytes(`${wrong}  a\n`),
      "missing only": bytes(`${hex}  missing\n`),
      reversed: bytes(`${hex} a\n${wrong} b\n${hex}  b\n${hex} *b\n`),
      "standard input": bytes(`${hex}  -\n`),
      nothing: bytes(""),
      "blank lines": bytes("\n\n\r\n"),
      NUL: bytes(`${hex}  a\0b\n\\${hex}  a\0b\n`),
    };
    await agree(command, [
      "-c",
      "-c f",
      "--check f",
      "-c f f",
      "-c --quiet",
      "-c --quiet f",
      "-c --status f",
      "-c --strict f",
      "-cw",
      "-cw f",
      "-c --warn --quiet f",
      "-c --quiet --warn f",
      "-cw --status f",
      "-c --ignore-missing f",
      "-c --ignore-missing --strict",
      "-c --ignore-missing --quiet f",
      "-c missing",
      "-c .",
      "-c g",
      "-c g f",
      "-c - f",
    ], { inputs, files: listed });
  });

  Deno.test(`${command} agrees with GNU at every length around the size of a block`, async () => {
    const random = randomFrom(1);
    const cases = Array.from({ length: 140 }, (_, length) => ({
      args: [],
      stdin: Uint8Array.from({ length }, () => Math.floor(random() * 256)),
    }));
    await agreeOn(command, cases);
  });
}
