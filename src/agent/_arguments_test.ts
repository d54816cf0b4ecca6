import assert from "node:assert/strict";
import { decodeArguments } from "./_arguments.ts";

Deno.test("decodeArguments takes nothing for no arguments", () => {
  for (const text of ["", " ", "\n"]) {
    assert.deepEqual(decodeArguments(text), { ok: true, value: {} });
  }
  assert.deepEqual(decodeArguments(' {"a":[1]} '), { ok: true, value: { a: [1] } });
  assert.deepEqual(decodeArguments("null"), { ok: true, value: null });
});

Deno.test("decodeArguments takes control characters in strings as they are", () => {
  const text = '{\n"a\tb": "c\n\\"d\r\n\\\\",\t"e": ["\u0001\\n"]}\n';
  assert.deepEqual(decodeArguments(text), {
    ok: true,
    value: { "a\tb": 'c\n"d\r\n\\', e: ["\u0001\n"] },
  });
  assert.equal(decodeArguments('{"a":"b\\\nc"}').ok, false);
});

Deno.test("decodeArguments names the position of every error", () => {
  const positions: [string, number][] = [
    ["{", 1],
    ['{"a":', 5],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{"a":tru}', 8],
    ['{"a":x}', 5],
    ['{"a":"b\nc",x}', 7],
    ['{"a":1} x', 8],
    ["{a:1}", 1],
    ['{"a":"b', 7],
    [`{"a":"${"y".repeat(500)}",x}`, 508],
  ];
  for (const [text, position] of positions) {
    const decoded = decodeArguments(text);
    assert(!decoded.ok);
    assert.match(decoded.error, new RegExp(`position ${position}\\b`), `${text}: ${decoded.error}`);
  }
});
