import assert from "node:assert/strict";
import { mergeScenarios, parseScenarios, parseScenarioText } from "./mod.ts";
import spec from "../../scenarios/spec.json" with { type: "json" };

/** A file with one scenario of one step, with these fields in place of the good ones. */
function withStep(step: unknown): unknown {
  return { scenarios: [{ name: "a", trigger: "b", steps: [{ response: {} }, step] }] };
}

function assertRefused(value: unknown, message: string) {
  assert.throws(() => parseScenarios(value, "scenarios.json"), { name: "TypeError", message });
}

Deno.test("parseScenarios gives the example of scenarios/spec.json back unchanged", () => {
  assert.deepEqual(parseScenarios(spec, "spec.json"), spec);
});

Deno.test("parseScenarios drops $schema", () => {
  assert.deepEqual(parseScenarios({ $schema: "./s.json", scenarios: [] }, "f"), { scenarios: [] });
});

Deno.test("parseScenarios names the file and the place of a wrong value", () => {
  assertRefused(
    withStep({ response: { tool_calls: [{ function: { name: "read", arguments: 3 } }] } }),
    "scenarios.json: scenarios[0].steps[1].response.tool_calls[0].function.arguments: " +
      "Expected an object or its JSON text",
  );
  assertRefused(
    withStep({ response: { content: 1 } }),
    "scenarios.json: scenarios[0].steps[1].response.content: Expected string, received number",
  );
  assertRefused([], "scenarios.json: Expected object, received array");
  assertRefused({}, "scenarios.json: scenarios: Expected array, received undefined");
});

Deno.test("parseScenarios refuses a misspelt field at every level", () => {
  assertRefused(
    withStep({ response: {}, falut: {} }),
    'scenarios.json: scenarios[0].steps[1]: Unrecognized key: "falut"',
  );
  assertRefused(
    withStep({ fault: { statu: 500 } }),
    'scenarios.json: scenarios[0].steps[1].fault: Unrecognized key: "statu"',
  );
});

Deno.test("parseScenarios says how many more errors there are", () => {
  assertRefused(
    { scenarios: [{ name: "", trigger: 1, steps: [] }] },
    "scenarios.json: scenarios[0].name: Expected a name (and 2 more)",
  );
});

Deno.test("parseScenarios refuses a scenario that matches nothing and a step that says nothing", () => {
  assertRefused(
    { scenarios: [{ name: "a", steps: [{ response: {} }] }] },
    "scenarios.json: scenarios[0].trigger: A scenario needs a trigger or a match",
  );
  assertRefused(
    withStep({}),
    "scenarios.json: scenarios[0].steps[1].response: A step needs a response or a fault",
  );
});

Deno.test("parseScenarios refuses a broken regular expression", () => {
  assert.throws(
    () =>
      parseScenarios(
        { scenarios: [{ name: "a", match: { regex: "(" }, steps: [{ response: {} }] }] },
        "f.json",
      ),
    /^TypeError: f\.json: scenarios\[0\]\.match\.regex: Invalid regular expression/,
  );
  assert.throws(
    () =>
      parseScenarios(
        {
          scenarios: [{ name: "a", match: { regex: "a", flags: "g" }, steps: [{ response: {} }] }],
        },
        "f.json",
      ),
    /match\.flags: Expected some of the flags i, m, s, u, v/,
  );
});

Deno.test("parseScenarios refuses faults that contradict each other", () => {
  const place = "scenarios.json: scenarios[0].steps[1].fault";
  for (
    const [fault, message] of [
      [
        { status: 500, cut_after: 1 },
        ".cut_after: status replaces the answer, so cut_after has no effect; remove one",
      ],
      [
        { cut_after: 1, stall_after: 2 },
        ".stall_after: cut_after ends the stream already; remove one",
      ],
      [
        { hang: true, status: 500 },
        ".hang: A request that hangs gets no status, page or redirect; remove one",
      ],
      [{ status: 302 }, ".status: Expected 400 to 599, or 300 to 399 together with redirect"],
      [
        { status: 500, redirect: "/" },
        ".status: Expected 400 to 599, or 300 to 399 together with redirect",
      ],
      [{ error: { message: "m" } }, ".error: An error body needs a status or error_after"],
      [
        [{ status: 429 }, { status: 500 }],
        "[0].times: Expected a number: without it the next fault never comes",
      ],
      [{ headers: { "a b": "c" } }, '.headers["a b"]: Invalid key in record'],
      [{ headers: { a: "b\nc" } }, ".headers.a: Expected a header value in Latin-1"],
      [{ latency: -1 }, ".latency: Too small: expected number to be >=0"],
    ] as const
  ) {
    assertRefused(withStep({ fault }), place + message);
  }
});

Deno.test("parseScenarioText skips a byte order mark and names the file in a syntax error", () => {
  assert.deepEqual(parseScenarioText('\ufeff{"scenarios":[]}', "f.json"), { scenarios: [] });
  assert.throws(() => parseScenarioText("{", "f.json"), /^SyntaxError: f\.json: /);
});

Deno.test("mergeScenarios keeps the order of files and the first default response", () => {
  const file = (name: string, content?: string) =>
    parseScenarios({
      scenarios: [{ name, trigger: name, steps: [{ response: { content: name } }] }],
      ...(content === undefined ? {} : { default_response: { content } }),
    }, name);
  const merged = mergeScenarios([file("a"), file("b", "first"), file("c", "second")]);
  assert.deepEqual(merged.scenarios.map(({ name }) => name), ["a", "b", "c"]);
  assert.deepEqual(merged.default_response, { content: "first" });
  assert.deepEqual(mergeScenarios([]), { scenarios: [] });
});
