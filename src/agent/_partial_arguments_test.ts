import assert from "node:assert/strict";
import { partialArguments } from "./_partial_arguments.ts";

const CASES: readonly [text: string, fields: Record<string, unknown> | undefined][] = [
  ['{"fd":1,"data":"one\\ntw', { fd: 1, data: "one\ntw" }],
  ['{"fd":1,"data":"one\n\ttwo\n', { fd: 1, data: "one\n\ttwo\n" }],
  ['{"data":"a","eof":tr', { data: "a" }],
  ['{"data":"a","e', { data: "a" }],
  ['{"data":"a","eof":', { data: "a" }],
  ['{"data":"a', { data: "a" }],
  ['{"data":"', { data: "" }],
  ['{"data"', {}],
  ["{", {}],
  ['{"data":"ends in a backslash\\', { data: "ends in a backslash" }],
  ['{"data":"two\\\\', { data: "two\\" }],
  ['{"data":"\\u00e', { data: "" }],
  ['{"data":"x\\ud83d', { data: "x" }],
  ['{"data":"x\\ud83d\\ude', { data: "x" }],
  ['{"data":"x\\ud83d\\ude00', { data: "x\u{1f600}" }],
  ['{"list":[1,{"a":"b', { list: [1, { a: "b" }] }],
  ['{"list":[1,2],"fd":12', { list: [1, 2], fd: 12 }],
  ['{"a":"}{][,"', { a: "}{][," }],
  ['"{\\"fd\\":1,\\"data\\":\\"a\\\\nb', { fd: 1, data: "a\nb" }],
  ['"{\\"data\\":\\"a\\', { data: "a" }],
  ['"{\\"data\\":\\"a\\\\', { data: "a" }],
  ['"text', undefined],
  ["[1", undefined],
  ["text", undefined],
];

for (const [text, fields] of CASES) {
  Deno.test(`partialArguments reads ${text}`, () => {
    if (fields === undefined) {
      assert.ok(["{}", "undefined"].includes(String(JSON.stringify(partialArguments(text)))));
    } else assert.deepEqual(partialArguments(text), fields);
  });
}
