import assert from "node:assert/strict";
import { mockOf, requestOf, toolResult, user } from "./_testing.ts";
import { geminiApi, parseScenarios } from "./mod.ts";

const by_tool = {
  exec_command: { cmd: "ls" },
  run_shell_command: { command: "ls" },
  bash: '{"command":"ls"}',
};
const scenario = (name: string, ...steps: unknown[]) => ({ name, trigger: "go", steps });
const step = { response: { tool_calls: [{ by_tool }] } };

/** Tools of these names on offer. */
const offering = (...names: string[]) => ({
  tools: names.map((name) => ({ type: "function", function: { name } })),
});

Deno.test("by_tool calls the first of its tools that the request offers", () => {
  const mock = mockOf([scenario("a", step)]);
  const called = (...names: string[]) =>
    mock.respond(requestOf([user("go")], offering(...names))).answer?.toolCalls;
  assert.deepEqual(called("bash", "read", "exec_command"), [{
    id: "call_1_1",
    type: "function",
    function: { name: "exec_command", arguments: '{"cmd":"ls"}' },
  }]);
  assert.deepEqual(called("bash")?.[0]?.function, { name: "bash", arguments: '{"command":"ls"}' });
});

Deno.test("by_tool counts as one call of its step", () => {
  const mock = mockOf([scenario("a", step, { response: { content: "end" } })]);
  const request = requestOf([user("go"), toolResult("x")], offering("bash"));
  assert.equal(mock.respond(request).answer?.content, "end");
});

Deno.test("a step none of whose tools is on offer is passed over", () => {
  const scenarios = [scenario("a", step), scenario("b", { response: { content: "no tools" } })];
  const request = requestOf([user("go")], offering("shell", "read"));
  assert.equal(mockOf(scenarios).respond(request).scenario, "b");
  const strict = mockOf([scenario("a", step)], { strict: true });
  assert.equal(
    strict.respond(request).error?.message,
    "Scenario 'a' calls one of the tools exec_command, run_shell_command, bash, " +
      "but the request offers shell, read",
  );
  assert.match(strict.respond(requestOf([user("go")])).error?.message ?? "", /offers none$/);
  assert.equal(mockOf([scenario("a", step)]).respond(request).kind, "default");
});

Deno.test("match.api ties a scenario or a step to a wire API", () => {
  const mock = mockOf([
    { name: "gemini", match: { api: "gemini" }, steps: [{ response: { content: "g" } }] },
    { name: "chat", match: { api: "chat" }, steps: [{ response: { content: "c" } }] },
  ]);
  assert.equal(mock.respond(requestOf([user("x")])).scenario, "chat");
  const request = geminiApi.parse({ contents: [{ parts: [{ text: "x" }] }] });
  assert.equal(mock.respond(request).scenario, "gemini");
});

Deno.test("parseScenarios names what is wrong with a call", () => {
  const place = "f.json: scenarios[0].steps[0].response.tool_calls[0]";
  for (
    const [call, message] of [
      [{ by_tool: {} }, `${place}.by_tool: Expected at least one tool`],
      [{ by_tool: { bash: 3 } }, `${place}.by_tool.bash: Expected an object or its JSON text`],
      [{ by_tool, function: {} }, `${place}.by_tool: A call has a function or by_tool; remove one`],
      [{ by_tool, type: "function" }, `${place}: Unrecognized key: "type"`],
      [{ by_tols: {} }, `${place}: Expected a function or by_tool`],
      ["bash", `${place}: Expected object, received string`],
      [{ function: { name: "", arguments: {} } }, `${place}.function.name: Expected a name`],
    ] as const
  ) {
    const scenarios = [scenario("a", { response: { tool_calls: [call] } })];
    assert.throws(() => parseScenarios({ scenarios }, "f.json"), { name: "TypeError", message });
  }
  const unknownApi = [{ name: "a", match: { api: "grpc" }, steps: [step] }];
  assert.throws(() => parseScenarios({ scenarios: unknownApi }, "f.json"), {
    message: "f.json: scenarios[0].match.api: Expected chat, responses, messages, gemini",
  });
  assert.throws(
    () => parseScenarios({ scenarios: [], default_response: { tool_calls: [{ by_tool }] } }, "f"),
    {
      message: "f: default_response.tool_calls[0].by_tool: " +
        "A default response can't depend on the tools on offer; use a scenario",
    },
  );
});
