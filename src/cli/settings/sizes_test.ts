import assert from "node:assert/strict";
import { parseSize } from "./sizes.ts";

Deno.test("parseSize counts K, M, G and T in 1024s, KB and its like in 1000s, digits as bytes", () => {
  const cases: [string, number][] = [
    ["0", 0],
    ["10485760", 10_485_760],
    ["512B", 512],
    ["64K", 65_536],
    ["64k", 65_536],
    ["20M", 20_971_520],
    ["10MiB", 10_485_760],
    ["10mib", 10_485_760],
    ["10MB", 10_000_000],
    ["1G", 1_073_741_824],
    ["1kB", 1000],
    ["2TiB", 2_199_023_255_552],
  ];
  for (const [text, bytes] of cases) assert.equal(parseSize(text), bytes, text);
});

Deno.test("parseSize refuses what is no size, and what can't be counted exactly", () => {
  const words = ["", "M", "-1", "+1", "1.5G", "1e3", "10 M", "10X", "1Mi", "0x10", "many"];
  for (const text of [...words, "9007199254740993", "9000T"]) {
    assert.equal(parseSize(text), undefined, text);
  }
});
