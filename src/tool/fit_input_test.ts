import assert from "node:assert/strict";
import { unwrapInput } from "./fit_input.ts";

const integer = { type: "integer" };
const spec = (more: Record<string, unknown> = {}) => ({
  name: "read",
  description: "",
  parameters: {
    type: "object",
    properties: { fd: integer, offset: integer },
    additionalProperties: false,
    ...more,
  },
});

Deno.test("unwrapInput unwraps arguments that were encoded twice or put under a needless key", () => {
  const inner = { fd: 3 };
  const given: unknown[] = [
    inner,
    '{"fd":3}',
    ' \n{"fd": 3}\n',
    { arguments: inner },
    { input: inner },
    { parameters: '{"fd":3}' },
    '{"args":"{\\"fd\\":3}"}',
    { read: inner },
    { name: "read", arguments: inner },
    { function: "read", parameters: '{"fd": 3}' },
  ];
  for (const value of given) {
    assert.deepEqual(unwrapInput(value, spec()), inner, JSON.stringify(value));
  }
  for (const value of [null, "", " ", {}, "{}", { arguments: {} }]) {
    assert.deepEqual(unwrapInput(value, spec()), {}, JSON.stringify(value));
  }
});

Deno.test("unwrapInput leaves what could mean something else", () => {
  const given: unknown[] = [
    { stderr: { fd: 3 } },
    { arguments: { fd: 3, file: "a" } },
    { arguments: { fd: 3 }, offset: 1 },
    { arguments: { fd: 3 }, input: { fd: 4 } },
    { name: "write", arguments: { fd: 3 } },
    { arguments: "fd 3" },
    { arguments: [3] },
    { arguments: '{"fd":' },
    { fd: { fd: 3 } },
    [{ fd: 3 }],
    '{"fd":',
    "[3]",
    "3",
    3,
  ];
  for (const value of given) assert.deepEqual(unwrapInput(value, spec()), value);
});

Deno.test("unwrapInput leaves a parameter of the tool, and what a tool with open parameters gets", () => {
  const value = { input: { fd: 3 } };
  const known = spec({ properties: { fd: integer, input: { type: "object" } } });
  assert.deepEqual(unwrapInput(value, known), value);
  for (const additionalProperties of [true, {}]) {
    assert.deepEqual(unwrapInput(value, spec({ additionalProperties })), value);
  }
  assert.deepEqual(unwrapInput({ toString: { fd: 3 } }, spec()), { toString: { fd: 3 } });
});
