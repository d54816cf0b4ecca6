import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { LimitError, memorySource } from "../../../streams/mod.ts";
import { LineOutput } from "../../text/line_output.ts";
import { putReversed } from "./lines.ts";
import { Stage } from "../../run/stage.ts";
import { agree, bytes, inputs, latin1, runOurs } from "../../_testing.ts";
import { optional, thorough } from "../../../../tests/_optional.ts";

const text = Object.fromEntries(
  Object.entries(inputs).filter(([name]) => !["invalid UTF-8", "every byte"].includes(name)),
);
const noNul = Object.fromEntries(Object.entries(text).filter(([name]) => name !== "NULs"));

Deno.test("rev agrees with util-linux", async () => {
  await agree("rev", [
    "",
    "-",
    "f",
    "f g",
    "g f g",
    "- g",
    "-- f",
    "missing",
    "f missing g",
    "-x",
    "-0",
    "--nosuch",
    "--help=1",
    "g g g g",
    "g - f",
    "missing missing",
    "--he=x",
    "-xh",
    "f -- g",
    "g -y",
    "-z f",
    "--version=",
    "g f",
    "f f f",
    "- -",
    "-- - g",
    "g missing",
    "--no f",
    "-- -x",
    "g g missing f",
  ], { inputs: noNul });
});

Deno.test("rev keeps bytes that are no characters", async () => {
  const data = new Uint8Array([
    97,
    0xff,
    98,
    0xe3,
    0x81,
    10,
    0x80,
    0x80,
    99,
    10,
    ...bytes("\u00e9x\0y"),
  ]);
  const { stdout, status } = await runOurs("rev", { args: [], stdin: data });
  assert.equal(latin1(stdout), "\x81\xe3b\xffa\nc\x80\x80\ny\0x\xc3\xa9");
  assert.equal(status, 0);
});

const character = ["a", "\u00e9", "\u65e5", "\u{1f388}", "\u00ff", " "];

/** A long line with some invalid bytes. */
function longLine(length: number, start: number): Uint8Array<ArrayBuffer> {
  const period = character.map((_, i) => character[(i * i + start) % 6]).join("");
  const line = bytes(period.repeat(Math.ceil(length / 6)));
  for (let i = 5; i < line.length; i += 997) line[i] = i % 256 === 10 ? 0 : i % 256;
  return line.map((byte) => byte === 10 ? 11 : byte);
}

Deno.test(optional("rev reverses lines that are not held in memory", thorough), async () => {
  for (
    const [length, start] of [[300_000, 0], [300_000, 1], [300_000, 2], [700_000, 3]] as const
  ) {
    const line = longLine(length, start);
    const stdin = new Uint8Array([...bytes("ab\n"), ...line, 10, ...line]);
    const { stdout } = await runOurs("rev", { args: [], stdin });
    const output = new LineOutput();
    putReversed(line, 0, line.length, output);
    const reversed = output.take();
    const expected = new Uint8Array([...bytes("ba\n"), ...reversed, 10, ...reversed]);
    // Not compared with assert.equal, which would print all of it.
    assert.ok(Buffer.compare(stdout, expected) === 0, `a line of ${line.length} bytes`);
  }
});

Deno.test("rev ends with a limit's error at a line that is too long where nothing can be stored", async () => {
  const stage = new Stage("rev", [], {
    stdin: memorySource("x".repeat(300_000)),
    warn: assert.fail,
    signal: new AbortController().signal,
    limits: { heldBytesWithoutTemp: 290_000 },
  });
  await assert.rejects(
    stage.next(),
    (error) => error instanceof LimitError && /heldBytesWithoutTemp/.test(error.message),
  );
});
