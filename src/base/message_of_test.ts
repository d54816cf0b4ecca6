import assert from "node:assert/strict";
import { messageOf } from "./mod.ts";

Deno.test("messageOf gives an error's message, else its name, and anything else as text", () => {
  assert.equal(messageOf(new TypeError("not a number")), "not a number");
  assert.equal(messageOf(new RangeError()), "RangeError");
  assert.equal(messageOf(new DOMException("", "AbortError")), "AbortError");
  assert.equal(messageOf("gone"), "gone");
  assert.equal(messageOf(undefined), "undefined");
});
