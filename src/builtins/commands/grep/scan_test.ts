import assert from "node:assert/strict";
import { withSeed } from "../../../streams/_testing.ts";
import { type ByteScan, scanBytes } from "./scan.ts";

/** Compares a scan with the simple way. */
function check({ nul, ascii }: ByteScan, bytes: Uint8Array): void {
  assert.equal(nul, bytes.indexOf(0));
  if (nul < 0) assert.equal(ascii, bytes.every((byte) => byte < 0x80));
}

Deno.test("scanBytes finds a single NUL and a single byte beyond ASCII at every place", () => {
  for (let at = 0; at < 4200; at += at < 100 || at > 4050 ? 1 : 37) {
    for (const [nul, high] of [[at, -1], [-1, at], [at, at + 1], [at + 1, at]] as const) {
      const bytes = new Uint8Array(4203).fill(0x61);
      if (nul >= 0) bytes[nul] = 0;
      if (high >= 0) bytes[high] = 0xc3;
      check(scanBytes(bytes), bytes);
      check(scanBytes(bytes.subarray(3)), bytes.subarray(3));
    }
  }
});

Deno.test("scanBytes agrees with a loop on large blocks, with what an earlier one left behind", () =>
  withSeed((below) => {
    for (let round = 0; round < 100; round++) {
      const bytes = new Uint8Array(4096 + below(200_000)).fill(0x0a);
      for (let i = below(4); i > 0; i--) bytes[below(bytes.length)] = below(2) * 0xe2;
      const part = bytes.subarray(below(5));
      check(scanBytes(part), part);
    }
    return Promise.resolve();
  }));
