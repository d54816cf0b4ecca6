import { agree, bytes } from "../../_testing.ts";
import { seededRandom } from "../../../streams/_testing.ts";

/** Lines in which the patterns below match often, rarely, twice, at the ends and never. */
function text(size: number, end: string): Uint8Array<ArrayBuffer> {
  const random = seededRandom(1);
  const words = [
    "INFO",
    "error",
    "a",
    "user=u17",
    "user=x",
    "caf\u00e9",
    "",
    " ",
    "b=2",
    "INFINFO",
  ];
  let made = "";
  while (made.length < size) {
    for (let count = random(8); count > 0; count--) made += `${words[random(words.length)]} `;
    made += `${words[random(words.length)]}\n`;
  }
  return bytes(made.slice(0, size) + end);
}

const scripts = [
  ["s/INFO/info/"],
  ["s/INFO/info/g"],
  ["s/INFO/<&>/2"],
  ["s/INFO/<&>/2g"],
  ["s/info/x/I"],
  ["s/user=\\(u[0-9]*\\)/\\1/"],
  ["-E", "s/user=u([0-9]+)/id=\\1/g"],
  ["-E", "s/(a|INF)+/[&]/g"],
  ["-E", "s/ *$//"],
  ["s/^/> /"],
  ["s/$/ </"],
  ["s/$/&\\n\\U&x/"],
  ["s/^/> /;s/$/ </;s/^/\\t/"],
  ["s/$/ </2"],
  ["s/^/> /g"],
  ["-n", "s/^/> /p"],
  ["-n", "s/$//p"],
  ["-z", "s/$/!/"],
  ["s/$/!/", "f", "g"],
  ["-E", "s/[a-z]+|$/-/g"],
  ["s/INFO//;s/user=/u:/;s/^ *//"],
  ["s/INFO/\\n/"],
  ["s/INFO/\\n/;s/^/> /"],
  ["s/caf./\\U&/g"],
  ["s/\\(a\\) \\(a\\)/\\2\\1/"],
  ["s/\\(IN\\)F\\1/x/"],
  ["-z", "s/INFO/info/g"],
  ["-z", "s/\\n/,/g"],
  ["-s", "s/INFO/info/", "f", "g", "f"],
  ["s/beta/BETA/", "f", "g"],
  ["-i", "s/INFO/info/", "f", "g"],
  ["--posix", "s/INFO/info/"],
  ["s/a/b/", "missing", "f"],
  ["-n", "s/INFO/info/p"],
  ["-n", "s/a/b/gp", "f", "g"],
  ["-n", "s/.*user=\\(u[0-9]*\\).*/\\1/p"],
  ["-n", "s/INFO/\\n/p"],
  ["-n", "s/INFO/x/"],
  ["s/INFO/x/p"],
];

Deno.test("sed with nothing but s agrees with GNU on more than one block", async () => {
  await agree("sed", scripts, {
    inputs: {
      whole: text(150_000, "\n"),
      cut: text(70_000, "INFO"),
      bytes: Uint8Array.from(text(70_000, "\n"), (byte, i) => i % 97 === 0 ? 0xff : byte),
    },
    compare: ["f", "g"],
  });
});
