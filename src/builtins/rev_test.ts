import assert from "node:assert/strict";
import { agree, bytes, inputs, latin1, runOurs } from "./_testing.ts";

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
