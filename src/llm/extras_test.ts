import assert from "node:assert/strict";
import { type Fields, joinFields } from "./extras.ts";

const joined = (...pieces: Fields[]) =>
  pieces.reduce<Fields | undefined>((fields, piece) => joinFields(fields, piece), undefined);

Deno.test("joinFields joins the pieces of a text", () => {
  assert.deepEqual(joined({ reasoning_content: "Let " }, {}, { reasoning_content: "me" }), {
    reasoning_content: "Let me",
  });
});

Deno.test("joinFields joins parts of a list with the same index and type, and adds others", () => {
  const text = (text: string, more = {}) => ({
    reasoning_details: [{ type: "reasoning.text", format: "f", index: 0, text, ...more }],
  });
  assert.deepEqual(
    joined(
      text("Let "),
      text("me"),
      text("", { signature: "sig" }),
      text("", { signature: null }),
      { reasoning_details: [{ type: "reasoning.encrypted", index: 0, data: "x" }] },
      { reasoning_details: [{ type: "reasoning.text", index: 1, text: "next" }, "odd", 7] },
    ),
    {
      reasoning_details: [
        { type: "reasoning.text", format: "f", index: 0, text: "Let me", signature: "sig" },
        { type: "reasoning.encrypted", index: 0, data: "x" },
        { type: "reasoning.text", index: 1, text: "next" },
        "odd",
        7,
      ],
    },
  );
  assert.deepEqual(joined({ list: [{ a: "1" }] }, { list: [{ a: "2" }] }), {
    list: [{ a: "1" }, { a: "2" }],
  });
});

Deno.test("joinFields merges objects, where the later value counts, as it does for all else", () => {
  assert.deepEqual(
    joined(
      { extra_content: { google: { thought_signature: "a", n: 1 } }, flag: false },
      { extra_content: { google: { thought_signature: "b" }, other: [1] }, flag: true },
      { extra_content: { other: [2] }, flag: null },
    ),
    {
      extra_content: { google: { thought_signature: "b", n: 1 }, other: [1, 2] },
      flag: true,
    },
  );
});

Deno.test("joinFields sets no prototype, and changes neither of its arguments", () => {
  const evil: Fields = JSON.parse('{"__proto__":{"polluted":true},"a":{"b":1}}');
  const more: Fields = JSON.parse('{"__proto__":{"more":true},"a":{"c":2}}');
  const before = JSON.stringify([evil, more]);
  const fields = joined(evil, more) ?? {};
  assert.equal("polluted" in fields, false);
  assert.equal("polluted" in {}, false);
  assert.deepEqual(fields.a, { b: 1, c: 2 });
  assert.equal(JSON.stringify([evil, more]), before);
});
