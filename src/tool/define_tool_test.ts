import assert from "node:assert/strict";
import { z } from "zod";
import { defineTool } from "./define_tool.ts";
import { structuredResult } from "./structured_result.ts";
import type { InputSchema } from "./tool.ts";

const context = () => ({ signal: new AbortController().signal, callId: "call_1" });

const read = defineTool({
  name: "read",
  description: "Reads",
  input: z.strictObject({
    fd: z.int().min(0).default(0).describe("File descriptor"),
    max_size: z.int().optional(),
    mode: z.enum(["text", "binary"]).optional(),
    ranges: z.array(z.strictObject({ from: z.int() })).optional(),
  }),
  execute: ({ fd, max_size }) => `${fd} ${max_size}`,
});

Deno.test("defineTool derives a lean JSON schema", () => {
  assert.deepEqual(read.spec, {
    name: "read",
    description: "Reads",
    parameters: {
      type: "object",
      properties: {
        fd: { type: "integer", minimum: 0, default: 0, description: "File descriptor" },
        max_size: { type: "integer" },
        mode: { type: "string", enum: ["text", "binary"] },
        ranges: {
          type: "array",
          items: {
            type: "object",
            properties: { from: { type: "integer" } },
            required: ["from"],
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
  });
  const loose = defineTool({
    name: "loose",
    description: "",
    input: z.object({ minimum: z.number().min(1).max(9), text: z.string().default("$schema") }),
    execute: () => "",
  });
  assert.deepEqual(loose.spec.parameters, {
    type: "object",
    properties: {
      minimum: { type: "number", minimum: 1, maximum: 9 },
      text: { type: "string", default: "$schema" },
    },
    required: ["minimum"],
  });
});

Deno.test("defineTool checks input, fills defaults, and names what is wrong in one line", () => {
  assert.deepEqual(read.parse({}), { ok: true, input: { fd: 0 } });
  const errors: [unknown, string][] = [
    [{ max_size: "3x" }, "read: max_size: Invalid input: expected number, received string"],
    [{ max_size: "" }, "read: max_size: Invalid input: expected number, received string"],
    [{ max_size: "1.5" }, "read: max_size: Invalid input: expected number, received string"],
    [{ fd: -1 }, "read: fd: Too small: expected number to be >=0 (given: -1)"],
    [{ fd: "-1" }, "read: fd: Too small: expected number to be >=0 (given: -1)"],
    [{ file: 1 }, 'Unknown key "file": read takes fd, max_size, mode, ranges'],
    [
      { path: 1, "max-size": 1, fd: "x" },
      'Unknown keys "path", "max-size": read takes fd, max_size, mode, ranges ' +
      "(did you mean max_size?); read: fd: Invalid input: expected number, received string",
    ],
    [null, "read: Invalid input: expected object, received null"],
    [
      { ranges: [{ from: 1 }, { from: "x" }] },
      "read: ranges.1.from: Invalid input: expected number, received string",
    ],
    [
      { fd: "zero", mode: "x" },
      "read: fd: Invalid input: expected number, received string; " +
      'mode: Invalid option: expected one of "text"|"binary" (given: "x")',
    ],
    [
      { mode: "x".repeat(79) },
      'read: mode: Invalid option: expected one of "text"|"binary"',
    ],
  ];
  for (const [input, error] of errors) assert.deepEqual(read.parse(input), { ok: false, error });
});

Deno.test("defineTool takes numbers and booleans in strings, and null for what may be left out", () => {
  const tool = defineTool({
    name: "t",
    description: "",
    input: z.strictObject({
      n: z.int().optional(),
      x: z.number().optional(),
      on: z.boolean().optional(),
      text: z.string().optional(),
      either: z.union([z.string(), z.int()]).optional(),
      maybe: z.int().nullable().optional(),
      list: z.array(z.strictObject({ n: z.int(), on: z.boolean().optional() })).optional(),
      words: z.array(z.string()).optional(),
    }),
    execute: () => "",
  });
  const inputs: [unknown, unknown][] = [
    [{ n: "3" }, { n: 3 }],
    [{ n: "3 ", x: " -1.5", on: "true" }, { n: 3, x: -1.5, on: true }],
    [{ on: "False", n: null }, { on: false }],
    [{ text: null, other: null }, {}],
    // What fits is never changed.
    [{ text: "3", either: "3" }, { text: "3", either: "3" }],
    [{ text: "true", n: "3" }, { text: "true", n: 3 }],
    [{ maybe: null, n: "3" }, { maybe: null, n: 3 }],
    // Also within lists, and lists as JSON.
    [{ list: [{ n: "3", on: "true" }, { n: 4, on: null }] }, {
      list: [{ n: 3, on: true }, { n: 4 }],
    }],
    [{ list: '[{"n": "3"}]', words: ' ["a"]' }, { list: [{ n: 3 }], words: ["a"] }],
    [{ list: { n: 3 } }, { list: [{ n: 3 }] }],
  ];
  for (const [given, input] of inputs) {
    assert.deepEqual(tool.parse(given), { ok: true, input }, JSON.stringify(given));
  }
  for (
    const given of [
      { n: "9007199254740993" },
      { n: "0x1" },
      { n: true },
      { text: 3 },
      "{}",
      {
        words: "a",
      },
      { list: "[{" },
      { words: { n: 3 } },
    ]
  ) {
    assert.equal(tool.parse(given).ok, false, JSON.stringify(given));
  }
  const parsed = tool.parse(JSON.parse('{"__proto__": null, "n": "3"}'));
  assert.deepEqual(parsed, { ok: true, input: { n: 3 } });
  assert.equal(tool.parse(JSON.parse('{"__proto__": {"n": 1}}')).ok, false);
});

Deno.test("defineTool tells of at most eight unknown keys, and does not repeat long ones", () => {
  const keys = Array.from({ length: 20 }, (_, n) => `key ${n}${"x".repeat(100)}`);
  const parsed = read.parse(Object.fromEntries(keys.map((key) => [key, 1])));
  assert(!parsed.ok);
  assert.match(parsed.error, /^Unknown keys "key 0x{35}", .*, 12 more: read takes fd, max_size/);
});

Deno.test("defineTool tells of at most eight problems", () => {
  const ranges = Array.from({ length: 20 }, () => ({ from: "" }));
  const parsed = read.parse({ ranges });
  assert(!parsed.ok);
  assert.match(parsed.error, /ranges\.7\.from: [^;]*; 12 more$/);
});

Deno.test("defineTool takes any schema with the two standard interfaces, and only synchronous ones", () => {
  const schema = (result: ReturnType<InputSchema<number>["~standard"]["validate"]>) =>
    defineTool<number>({
      name: "t",
      description: "",
      input: {
        "~standard": {
          version: 1,
          vendor: "test",
          validate: () => result,
          jsonSchema: { input: () => ({ type: "object" }) },
        },
      },
      execute: (n) => `${n}`,
    });
  assert.deepEqual(schema({ value: 7 }).parse("x"), { ok: true, input: 7 });
  const issues = [{ message: "Bad\n  thing", path: [{ key: "a" }, 0, "b"] }];
  assert.deepEqual(schema({ issues }).parse("x"), { ok: false, error: "t: a.0.b: Bad thing" });
  assert.throws(
    () => schema(Promise.resolve({ value: 7 })).parse("x"),
    { name: "TypeError", message: "Cannot check the input of tool t: its schema is asynchronous" },
  );
  const refined = defineTool({
    name: "r",
    description: "",
    input: z.object({}).refine(() => Promise.resolve(true)),
    execute: () => "",
  });
  assert.throws(() => refined.parse({}), TypeError);
});

Deno.test("defineTool encodes what execute throws, and passes an abort on", async () => {
  const tool = (error: unknown) =>
    defineTool({
      name: "t",
      description: "",
      input: z.object({}),
      execute: () => {
        throw error;
      },
    });
  const failed = (content: string) => ({ content, error: true });
  assert.deepEqual(await tool(new Error("No")).execute({}, context()), failed("t: No"));
  assert.deepEqual(await tool(new TypeError()).execute({}, context()), failed("t: TypeError"));
  assert.deepEqual(await tool("text").execute({}, context()), failed("t: text"));
  const reason = new Error("stop");
  const signal = AbortSignal.abort(reason);
  await assert.rejects(tool(new Error("No")).execute({}, { signal, callId: "c" }), reason);
});

Deno.test("defineTool takes a string for the content", async () => {
  assert.deepEqual(await read.execute({ fd: 3 }, context()), { content: "3 undefined" });
});

Deno.test("defineTool refuses names the API refuses, and schemas that are no objects", () => {
  for (const name of ["", "a b", "a.b", "x".repeat(65)]) {
    assert.throws(
      () => defineTool({ name, description: "", input: z.object({}), execute: () => "" }),
      RangeError,
    );
  }
  assert.throws(
    () => defineTool({ name: "t", description: "", input: z.string(), execute: () => "" }),
    { name: "TypeError", message: "Cannot define tool t: its input must be an object schema" },
  );
});

Deno.test("defineTool derives the schema of structured results, and passes annotations on", async () => {
  const options = {
    name: "add",
    description: "",
    input: z.strictObject({ a: z.int(), b: z.int() }),
    annotations: { readOnlyHint: true },
    execute: ({ a, b }: { a: number; b: number }) => structuredResult({ sum: a + b }),
  };
  const add = defineTool({
    ...options,
    output: z.object({ sum: z.int(), of: z.int().default(2) }),
  });
  // What a default fills in is always there in the end.
  assert.deepEqual(add.output, {
    type: "object",
    properties: { sum: { type: "integer" }, of: { type: "integer", default: 2 } },
    required: ["sum", "of"],
    additionalProperties: false,
  });
  assert.deepEqual(add.annotations, { readOnlyHint: true });
  const result = await add.execute({ a: 1, b: 2 }, context());
  assert.deepEqual(result, { content: '{"sum":3}', structured: { sum: 3 } });
  assert.equal("output" in defineTool(options), false);
  assert.equal("output" in read, false);
  assert.throws(() => defineTool({ ...options, output: z.string() }), {
    name: "TypeError",
    message: "Cannot define tool add: its output must be an object schema",
  });
});
