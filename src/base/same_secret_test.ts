import assert from "node:assert/strict";
import { hexadecimal } from "./hexadecimal.ts";
import { sameSecret } from "./same_secret.ts";

Deno.test("sameSecret knows secrets that differ anywhere, or in length", () => {
  assert.equal(sameSecret("key-1", "key-1"), true);
  assert.equal(sameSecret("", ""), true);
  for (const other of ["key-2", "Key-1", "key-", "key-11", ""]) {
    assert.equal(sameSecret("key-1", other), false, other);
  }
});

Deno.test("hexadecimal writes two digits for each byte", () => {
  assert.equal(hexadecimal(Uint8Array.of(0, 1, 0xa, 0x10, 0xff)), "00010a10ff");
  assert.equal(hexadecimal(new Uint8Array(0)), "");
});
