import assert from "node:assert/strict";
import { clip, clipEnd } from "./mod.ts";

const FACE = "\u{1f600}";

Deno.test("clip gives the beginning of a text, never half of a character", () => {
  assert.equal(clip("abc", 3), "abc");
  assert.equal(clip("abc", 2), "ab");
  assert.equal(clip("abc", 0), "");
  assert.equal(clip(`a${FACE}b`, 2), "a");
  assert.equal(clip(`a${FACE}b`, 3), `a${FACE}`);
  assert.equal(clip(FACE, 1), "");
});

Deno.test("clipEnd gives the end of a text, never half of a character", () => {
  assert.equal(clipEnd("abc", 3), "abc");
  assert.equal(clipEnd("abc", 2), "bc");
  assert.equal(clipEnd("abc", 0), "");
  assert.equal(clipEnd(`a${FACE}b`, 2), "b");
  assert.equal(clipEnd(`a${FACE}b`, 3), `${FACE}b`);
});
