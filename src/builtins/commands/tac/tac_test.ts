import assert from "node:assert/strict";
import { drain, MemorySink, memorySource } from "../../../streams/mod.ts";
import { agree, bytes, memoryTemp, runOurs } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";
import { optional, thorough } from "../../../../tests/_optional.ts";

const texts = {
  records: bytes("aXXbXXXcXX\nabab1 22 333\nxyabyab\n"),
  separators: bytes("\n\n\na\n\n"),
  "starts with one": bytes("aab\nb"),
  NULs: bytes("a\0b\0\0c"),
  only: bytes("XX"),
};

Deno.test("tac agrees with GNU", async () => {
  const lines = [
    "",
    "-",
    "f",
    "f g",
    "-r -s 'x*'",
    "-r -s '[aeiou]*' f",
    "-b -r -s 'o*' g",
    "g - f",
    "-b",
    "-b f g",
    "-s X",
    "-s XX",
    "-bs XX",
    "-s ab",
    "-bs ab f",
    "-s aba",
    "-s b",
    "-s ''",
    "-bs ''",
    "--separator=a --before",
    "-s nothere",
    "-r",
    "-rb",
    "-r -s '[0-9]'",
    "-r -s '[0-9]+'",
    "-rb -s '[0-9]+'",
    "-r -s 'X\\|b'",
    "-r -s 'X+'",
    "-rs '\\(ab\\)'",
    "-rs '(a)'",
    "-rs 'b$'",
    "-rs '^a'",
    "-brs '^a'",
    "-rs .",
    "-rs 'X*b'",
    "-rs 'x{2}'",
    "--regex --separator=' '",
    "-rs ''",
    "-rs '\\('",
    "-rs '[a'",
    "-s",
    "-x",
    "--nosuch",
    "missing",
    ".",
    "f missing . g",
    "-- f",
    "-sX -sb",
  ];
  await agree("tac", lines, { inputs: texts });
  await agree("tac", ["", "f", "-b", "-s y", "-s ' '"]);
});

Deno.test(optional("tac puts long inputs in temporary storage", thorough), async () => {
  const line = bytes("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n");
  const data = new Uint8Array(65 * 1024 * 1024);
  for (let i = 0; i < data.length; i += line.length) data.set(line, i);
  data[0] = 65;
  const { stdout, status } = await runOurs("tac", { args: [], stdin: data });
  assert.equal(status, 0);
  assert.equal(stdout.length, data.length);
  assert.equal(stdout[data.length - line.length], 65);
});

Deno.test(
  optional(
    "tac holds a long stream in temporary storage, and names the limit without it",
    thorough,
  ),
  async () => {
    const lines = Array.from(
      { length: 80_000 },
      (_, i) => `line ${i} of a long stream, backwards\n`,
    );
    const run = async (args: readonly string[], temp: boolean, input: string): Promise<string> => {
      const stage = new Stage("tac", args, {
        stdin: memorySource(input),
        signal: new AbortController().signal,
        warn: assert.fail,
        limits: { heldBytesWithoutTemp: 1_000_000 },
        ...(temp && { temp: () => Promise.resolve(memoryTemp()) }),
      });
      const out = new MemorySink();
      await drain(stage, out);
      return out.text();
    };
    const text = `${lines.join("")}${lines.join("")}`;
    const backwards = [...lines, ...lines].reverse().join("");
    assert.equal(await run([], true, text), backwards);
    assert.equal(await run(["-r", "-s", "[\n]"], true, text), backwards);
    const limit = { name: "LimitError", limit: "heldBytesWithoutTemp", max: 1_000_000 };
    await assert.rejects(run([], false, text), limit);
    assert.equal(await run([], false, "a\nb\n"), "b\na\n");
    const long = "x\n".repeat(17 << 20);
    await assert.rejects(run(["-r", "-s", "x"], true, long), { limit: "tac -r input size" });
  },
);

Deno.test("tac agrees with GNU on records that are longer than what it reads at once", async () => {
  const blocks = [1, 262_143, 262_144, 262_145, 70_000, 0, 600_000, 3, 262_141];
  blocks.push(131_072, 131_071, 0, 131_070, 5, 131_073);
  const text = (separator: string): string =>
    blocks.map((size, i) => String(i).repeat(size)).join(separator);
  await agree("tac", ["", "-b", "-s abc", "-b -s abc", "-s aba -", "-b -s aba"], {
    inputs: {
      newlines: bytes(text("\n")),
      "newline at its end": bytes(`${text("\n")}\n`),
      abc: bytes(text("abc")),
      ababa: bytes(`${text("ababa")}aba`),
    },
  });
});

Deno.test("tac -r takes what follows a match as GNU does: the text ends where the next one begins", async () => {
  const patterns = ["a$", "[ab]$", "a*$", "a\\+$", "a\\>", "a\\b", "a\\B", "\\Ba", "b\\<", "a\\'"];
  await agree("tac", patterns.flatMap((each) => [`-rs "${each}"`, `-brs "${each}"`]), {
    inputs: {
      one: bytes("yaa"),
      many: bytes("aaaa"),
      mixed: bytes(" aab aa"),
      lines: bytes("aa\naa"),
      "more lines": bytes("a\na\nab"),
      far: bytes(`aa${"y".repeat(700)}aba${"y".repeat(100)}aa`),
    },
  });
});
