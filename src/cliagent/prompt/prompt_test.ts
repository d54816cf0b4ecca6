import assert from "node:assert/strict";
import { AgentError } from "../errors.ts";
import { buildPrompt, escapeCommand, escapeReferences } from "./mod.ts";

const system = { role: "system", content: "You are terse." };
const user = { role: "user", content: "Extract data from report" };

Deno.test("buildPrompt puts the agent file above the marker", () => {
  assert.equal(
    buildPrompt({ agentText: "# Rules\nBe kind.\n", messages: [user] }),
    "# Rules\nBe kind.\n\n--- USER TASK ---\nExtract data from report",
  );
});

Deno.test("buildPrompt without an agent file, or with an empty one, begins at the marker", () => {
  const expected = "--- USER TASK ---\nExtract data from report";
  assert.equal(buildPrompt({ messages: [user] }), expected);
  assert.equal(buildPrompt({ agentText: "\ufeff\n", messages: [user] }), expected);
});

Deno.test("buildPrompt puts system messages above user messages, wherever they stand", () => {
  assert.equal(
    buildPrompt({
      messages: [user, system, { role: "developer", content: "No lists." }, {
        role: "user",
        content: "And the date",
      }],
    }),
    "--- USER TASK ---\nYou are terse.\n\nNo lists.\n\nExtract data from report\n\nAnd the date",
  );
});

Deno.test("buildPrompt labels the turns of a longer conversation", () => {
  const messages = [
    system,
    user,
    { role: "assistant", content: null, tool_calls: [] },
    { role: "tool", content: "42", tool_call_id: "1" },
    { role: "assistant", content: "It is 42" },
    { role: "user", content: "Why?" },
  ];
  assert.equal(
    buildPrompt({ messages }),
    "--- USER TASK ---\nYou are terse.\n\nUser:\nExtract data from report\n\nTool:\n42\n\n" +
      "Assistant:\nIt is 42\n\nUser:\nWhy?",
  );
  assert.equal(buildPrompt({ messages, onlyNew: true }), "--- USER TASK ---\nWhy?");
});

Deno.test("buildPrompt joins the text of parts", () => {
  const content = [{ type: "text", text: "one" }, { type: "text", text: "two" }];
  assert.equal(
    buildPrompt({ messages: [{ role: "user", content }] }),
    "--- USER TASK ---\none\ntwo",
  );
});

Deno.test("buildPrompt refuses what no CLI could get", () => {
  const refused: [unknown, string][] = [
    [
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] }],
      'Cannot pass a part of type "image_url" to a CLI at messages[0].content[0]: send text only',
    ],
    [[system], "Expected a user message with text in messages"],
    [[{ role: "user", content: "" }], "Expected a user message with text in messages"],
    [[], "Expected messages to be a list with at least one message"],
    ["hi", "Expected messages to be a list with at least one message"],
    [[user, { role: "boss", content: "x" }], 'Unknown role at messages[1]: "boss"'],
    [[{ role: "user", content: 7 }], "Expected text or a list of parts at messages[0].content"],
    [[null], "Expected an object at messages[0]"],
  ];
  for (const [messages, message] of refused) {
    assert.throws(() => buildPrompt({ messages }), new AgentError("bad_request", message));
  }
});

Deno.test("buildPrompt escapes the request's text, not the agent file's", () => {
  assert.equal(
    buildPrompt({
      agentText: "@docs",
      messages: [user, {
        role: "user",
        content: "see @a.txt",
      }],
      escape: escapeReferences,
    }),
    "@docs\n\n--- USER TASK ---\nExtract data from report\n\nsee \\@a.txt",
  );
});

Deno.test("escapeReferences escapes an @ that begins a path, once", () => {
  assert.equal(
    escapeReferences("@a b@c.d \\@e @ f @, (@) @.hidden @. \\\\@g @@h"),
    "\\@a b\\@c.d \\@e @ f @, (@) \\@.hidden @. \\\\@g \\@\\@h",
  );
});

Deno.test("escapeCommand keeps a prompt from beginning with a command", () => {
  assert.equal(escapeCommand("/help me"), "\n/help me");
  assert.equal(escapeCommand("?btw x"), "\n?btw x");
  assert.equal(escapeCommand("a /help"), "a /help");
});
