import assert from "node:assert/strict";
import { LineOutput } from "./line_output.ts";
import { agree, bytes } from "../_testing.ts";

Deno.test("a byte that is repeated very often comes in blocks, in its place", () => {
  const out = new LineOutput();
  out.put(bytes("ab"));
  out.repeat(32, 100_000);
  out.repeat(48, 70_000);
  out.put(bytes("c"));
  out.repeat(45, 3);
  let text = "";
  let largest = 0;
  while (out.length > 0) {
    const chunk = out.take();
    largest = Math.max(largest, chunk.length);
    text += new TextDecoder().decode(chunk);
    if (text.length === 2 + 64 * 1024) out.put(bytes("!"));
  }
  assert.ok(text === `ab${" ".repeat(100_000)}${"0".repeat(70_000)}c---!`);
  assert.equal(largest, 64 * 1024);
  out.put(bytes("next"));
  assert.equal(new TextDecoder().decode(out.take()), "next");
  assert.equal(out.length, 0);
});

Deno.test("nl, expand and unexpand agree with GNU on widths beyond a block", async () => {
  const inputs = {
    text: bytes(`a\n\n\tb\tc\n${" ".repeat(40_000)}x\n`),
    spaces: bytes(`a${" ".repeat(70_000)}b\n`),
  };
  await agree("nl", ["-w 70000", "-w 70000 -n rz -v -3", "-w 70000 -n ln -ba", "-w 300 -v 8"], {
    inputs,
  });
  await agree("expand", ["-t 70000", "-t 3,70000", "-it 70000"], { inputs });
  await agree("unexpand", ["-a -t 100000", "-t 100000", "-a -t 30000"], { inputs });
});
