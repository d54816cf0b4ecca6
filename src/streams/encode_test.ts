import assert from "node:assert/strict";
import { encodeNdjson, encodeSse } from "./encode.ts";

Deno.test("encodeNdjson gives one line whatever the value holds", () => {
  assert.equal(encodeNdjson({ a: "x\ny\u2028" }), '{"a":"x\\ny\u2028"}\n');
  assert.equal(encodeNdjson(null), "null\n");
});

Deno.test("encodeNdjson refuses what JSON has no form for", () => {
  assert.throws(() => encodeNdjson(undefined), {
    name: "TypeError",
    message: "Cannot encode undefined as JSON",
  });
  assert.throws(() => encodeNdjson(() => 1), TypeError);
  assert.throws(() => encodeNdjson(1n), TypeError);
});

Deno.test("encodeSse writes each kind of line break as a data line of its own", () => {
  assert.equal(encodeSse({ data: "" }), "data: \n\n");
  assert.equal(
    encodeSse({ data: "a\nb\r\nc\rd\n" }),
    "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n",
  );
});

Deno.test("encodeSse writes event, id and retry before the data", () => {
  assert.equal(
    encodeSse({ event: "tool", id: 12, retry: 1500, data: " x" }),
    "event: tool\nid: 12\nretry: 1500\ndata:  x\n\n",
  );
});

Deno.test("encodeSse refuses an event or id that would break out of its line", () => {
  assert.throws(() => encodeSse({ event: "a\ndata: x", data: "" }), {
    name: "TypeError",
    message: 'Cannot encode event "a\\ndata: x": it holds a line break or NUL',
  });
  assert.throws(() => encodeSse({ id: "1\r2", data: "" }), TypeError);
  assert.throws(() => encodeSse({ id: "1\0", data: "" }), TypeError);
});
