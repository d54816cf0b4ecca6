import assert from "node:assert/strict";
import { LlmError, type Message } from "../llm/mod.ts";
import { ScriptedClient } from "./_testing.ts";
import { isContextOverflow } from "./_failures.ts";
import { transcript } from "./_transcript.ts";
import { compact } from "./compact.ts";
import { title } from "./title.ts";
import { estimateTokens, messageText } from "./tokens.ts";

const user = (content: string): Message => ({ role: "user", content });
const agent = (content: string): Message => ({ role: "assistant", content });
const calling = (id: string): Message => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "bash", arguments: '{"command":"x"}' } }],
});
const result = (id: string, content: string): Message => ({
  role: "tool",
  tool_call_id: id,
  content,
});
const system: Message = { role: "system", content: "System" };
const long = "word ".repeat(400);

Deno.test("compact keeps the system prompt and the recent messages as they are", async () => {
  const recent = [user("Recent"), calling("c"), result("c", "R"), agent("Yes")];
  const client = new ScriptedClient("  A summary.\n");
  const messages = [system, user(long), agent(long), ...recent];
  const done = await compact(messages, { client, model: "small", keepTokens: 100 });
  assert.deepEqual(done.messages, [
    system,
    user("[The conversation so far was compacted. Summary:]\n\nA summary."),
    ...recent,
  ]);
  assert.equal(done.summary, "A summary.");
  assert.equal(done.before, estimateTokens(messages));
  assert.equal(done.after, estimateTokens(done.messages));
  const [request] = client.requests;
  assert.equal(request?.model, "small");
  assert.equal(messageText(request?.messages[1] ?? system), `User: ${long}\n\nAgent: ${long}`);
});

Deno.test("compact never parts a result from its call, and keeps the user's last words", async () => {
  const messages = [system, user("Do it"), agent(long), calling("c"), result("c", long)];
  for (const keepTokens of [0, 10, 400, 510]) {
    const client = new ScriptedClient("S.", "T.");
    const done = await compact(messages, { client, model: "m", keepTokens });
    const [first, summary, ...rest] = done.messages;
    assert.deepEqual(first, system);
    assert.match(messageText(summary ?? system), /S\.\n\n\[The user's last message.*:\]\n\nDo it$/);
    assert.equal(["", "assistant tool"].includes(rest.map(({ role }) => role).join(" ")), true);
    // Again: the last words don't nest.
    const more = [...done.messages, agent(long), calling("d"), result("d", long)];
    const again = await compact(more, { client, model: "m", keepTokens: 0 });
    assert.match(
      messageText(again.messages[1] ?? system),
      /T\.\n\n\[The user's last [^[]*\n\nDo it$/,
    );
  }
});

Deno.test("compact refuses where it would not help", async () => {
  const client = new ScriptedClient("S.");
  const nothing = compact([system, user("a")], { client, model: "m" });
  await assert.rejects(nothing, {
    name: "RangeError",
    message: "Cannot compact the conversation: there is nothing but recent messages",
  });
  assert.equal(client.requests.length, 0);
  await assert.rejects(compact([system, user(long)], { client, model: "m", keepTokens: 0 }), {
    name: "RangeError",
    message: "Cannot compact the conversation: a summary would not be shorter",
  });
});

Deno.test("compact shows less to a model with a small context", async () => {
  const full = () => new LlmError("Too long", { status: 400, code: "context_length_exceeded" });
  const messages = [system, ...Array.from({ length: 40 }, () => agent(long)), user("Last")];
  const client = new ScriptedClient(full(), full(), "S.");
  await compact(messages, { client, model: "m", keepTokens: 50, readTokens: 20_000 });
  const sizes = client.requests.map((request) => estimateTokens(request.messages));
  assert(
    sizes.every((size, index) => index === 0 || size < (sizes[index - 1] ?? 0) / 2),
    `${sizes}`,
  );
  await assert.rejects(
    compact(messages, { client: new ScriptedClient(""), model: "m", keepTokens: 50 }),
    { name: "LlmError", message: "Model m answered without text" },
  );
});

Deno.test("transcript shows beginnings and ends, and leaves out the middle", () => {
  const text = transcript([user("First"), calling("c"), result("c", `A${"b".repeat(5000)}C`)], 9e9);
  assert.match(text, /^User: First\n\nCall: bash\(\{"command":"x"\}\)\n\nResult: Ab+\n\[3002 char/);
  assert.match(text, /C$/);
  const messages = Array.from({ length: 10 }, (_, n) => user(`${n} ${long}`));
  const short = transcript(messages, 2000);
  assert.match(
    short,
    /^User: 0 [^]*\n\n\[\d messages left out\]\n\nUser: [678] [^]*User: 9 [a-z ]*$/,
  );
});

Deno.test("transcript cuts no character in two", () => {
  for (let length = 995; length < 1005; length++) {
    const text = transcript(
      [calling("c"), result("c", `${"a".repeat(length)}\u{1f600}${"b".repeat(2000)}`)],
      9e9,
    );
    assert.equal(text.isWellFormed(), true, `${length}`);
  }
});

Deno.test("transcript and messageText leave out what a model thinks before it speaks", () => {
  const message = agent("<think>\nsecret\n</think>\n\nDone");
  assert.equal(messageText(message), "Done");
  assert.equal(transcript([message], 9e9), "Agent: Done");
  assert.equal(messageText(user("<think>a</think>b")), "<think>a</think>b");
});

Deno.test("estimateTokens counts text and calls, wide characters more", () => {
  const extras = { origin: "o", message: { reasoning: "x".repeat(400) } };
  const thinking: Message = { role: "assistant", content: "Hi", extras };
  assert.ok(estimateTokens([thinking]) > 100 + estimateTokens([agent("Hi")]));
  assert.equal(estimateTokens([user("abcd")]), 7);
  assert.equal(estimateTokens([user("\u65e5\u672c")]), 8);
  assert.equal(estimateTokens([calling("c")]), 6 + 6 + 1 + 4);
  assert.equal(estimateTokens([{ role: "user", content: [{ type: "text", text: "abcd" }] }]), 7);
});

Deno.test("isContextOverflow knows how endpoints say it", () => {
  const yes = [
    "Endpoint answered 400: This model's maximum context length is 8192 tokens",
    "Endpoint answered 400: prompt is too long: 210000 tokens > 200000 maximum",
    "Endpoint answered 400: the request exceeds the available context size",
    "Endpoint answered 400: The input token count (1050000) exceeds the maximum",
    "Endpoint answered 413: Request too large: too many tokens",
  ];
  for (const message of yes) {
    assert.equal(isContextOverflow({ message, status: 400 }), true, message);
  }
  assert.equal(isContextOverflow({ message: "x", code: "context_length_exceeded" }), true);
  assert.equal(isContextOverflow({ message: "Invalid parameter: tools", status: 400 }), false);
  assert.equal(isContextOverflow({ message: "too many tokens per minute", status: 429 }), false);
});

Deno.test("title is short and plain, and falls back to the first message", async () => {
  const messages = [system, user("Please fix the bug\nin a.ts"), agent("Done")];
  const made = (answer: string | Error) =>
    title(messages, { client: new ScriptedClient(answer), model: "m" });
  assert.equal(await made('"Fixing a bug."\nmore'), "Fixing a bug");
  assert.equal(await made("# Title: Bug \u001b[1m"), "Title: Bug  [1m");
  for (
    const text of ["hm</think>Bug", "Sure. <think>hm</think>\nBug", "<thinking>hm</thinking>Bug"]
  ) {
    assert.match(await made(text), /^(Bug|Sure)$/);
  }
  assert.equal(await made("<thinking>never closed"), "Please fix the bug");
  assert.equal(await made("x".repeat(100)), `${"x".repeat(57)}...`);
  assert.equal(await made(new LlmError("No")), "Please fix the bug");
  const said = [user("a".repeat(1999) + "\u{1f600}"), agent("<think>hm</think>Done")];
  const asked = new ScriptedClient("T");
  await title(said, { client: asked, model: "m" });
  assert.equal(
    messageText(asked.requests[0]?.messages[1] ?? system),
    `User: ${"a".repeat(1999)}\n\nAgent: Done`,
  );
  assert.equal(await title([system], { client: new ScriptedClient(), model: "m" }), "");
  const client = new ScriptedClient("T");
  await title(messages, { client, model: "m" });
  assert.equal(
    messageText(client.requests[0]?.messages[1] ?? system),
    "User: Please fix the bug\nin a.ts\n\nAgent: Done",
  );
});
