import assert from "node:assert/strict";
import {
  answers,
  call,
  checkConversation,
  done,
  play,
  say,
  ScriptedClient,
} from "./_fixtures_test.ts";

Deno.test("runAgent unwraps arguments, and sends the call back as it was meant", async () => {
  const client = new ScriptedClient(
    [
      call("echo", JSON.stringify('{"text":"x"}'), "a"),
      call("echo", '{"arguments":{"text":"y"}}', "b"),
      call("echo", '{"name":"echo","parameters":"{\\"text\\":\\"z\\"}"}', "c"),
      call("fail", "null", "d"),
      call("echo", '{"note":{"text":"y"}}', "e"),
      done("tool_calls"),
    ],
    [say("ok"), done()],
  );
  const { events, result } = await play(client);
  assert.deepEqual(answers(result.messages), [
    "a: x",
    "b: y",
    "c: z",
    "d: fail: Cannot do it",
    'e: Unknown key "note": echo takes text; ' +
    "echo: text: Invalid input: expected string, received undefined",
  ]);
  const inputs = [{ text: "x" }, { text: "y" }, { text: "z" }, {}, { note: { text: "y" } }];
  const starts = events.flatMap((event) => event.type === "tool_start" ? [event.input] : []);
  assert.deepEqual(starts, inputs);
  const sent = client.requests[1]?.messages[1];
  assert(sent?.role === "assistant");
  assert.deepEqual(
    sent.tool_calls?.map((call) => JSON.parse(call.function.arguments)),
    inputs,
  );
  checkConversation(result.messages);
});

Deno.test("runAgent tells of what fails outside a tool in the words of its program", async () => {
  const client = new ScriptedClient([
    call("echo", '{"text":', "a"),
    call("echo", "{}", "b"),
    call("ecoh", "{}", "c"),
    call("fail", "{}", "d"),
    call("exit", "{}", "e"),
    call("echo", "{}", "f"),
    done("tool_calls"),
  ]);
  const describeFailure = (message: string, tool: string) => `<${tool}> ${message}`;
  const { result } = await play(client, { describeFailure });
  assert.deepEqual(answers(result.messages), [
    "a: <echo> echo: arguments are not JSON: Unexpected end of JSON input (position 8)",
    "b: <echo> echo: text: Invalid input: expected string, received undefined",
    'c: <ecoh> Unknown tool "ecoh" (available: echo, fail, exit); did you mean echo?',
    "d: fail: Cannot do it",
    "e: exit 0",
    "f: <echo> Not run: exit ended the run",
  ]);
  const cut = new ScriptedClient([call("echo", '{"text":"x"}', "a"), done("content_filter")]);
  const { result: withheld } = await play(cut, { describeFailure });
  assert.deepEqual(answers(withheld.messages), [
    "a: <echo> Not run: the answer was cut off (content_filter)",
  ]);
});
