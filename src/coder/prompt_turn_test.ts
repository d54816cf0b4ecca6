import assert from "node:assert/strict";
import type { Message } from "../llm/mod.ts";
import { memoryVfs, writeFile } from "../vfs/mod.ts";
import { play, ScriptedClient } from "./_testing.ts";

/** The system prompt of the last request. */
function promptOf(client: ScriptedClient): string {
  const [first] = client.requests.at(-1)?.messages ?? [];
  return first?.role === "system" && typeof first.content === "string" ? first.content : "";
}

Deno.test("each turn tells the model how things are now", async () => {
  const vfs = memoryVfs({ root: "/work", files: { "/work/AGENTS.md": "Be kind" } });
  const client = new ScriptedClient("One", "Two", "Three");
  const at = (day: number) => ({ vfs, now: () => new Date(2026, 10, day).getTime() });
  const facts = { sandbox: { kind: "bwrap", network: true, writable: ["/work"] } } as const;
  const first = await play(client, { ...at(27), facts });
  assert.match(promptOf(client), /Date: 2026-11-27\n.*bwrap/s);
  assert.deepEqual(first.notices, ["Using /work/AGENTS.md"]);
  const none = { sandbox: { kind: "none", reason: "chosen" } } as const;
  const { messages } = first.result;
  const second = await play(client, { ...at(28), messages, facts: none });
  assert.match(promptOf(client), /Date: 2026-11-28\n.*without a sandbox.*Be kind$/s);
  assert.doesNotMatch(promptOf(client), /bwrap/);
  // What has not changed is not told again.
  assert.deepEqual(second.notices, []);
  assert.equal(second.result.messages.filter(({ role }) => role === "system").length, 1);
  await writeFile(vfs, "AGENTS.md", new TextEncoder().encode("Be quick"));
  const third = await play(client, { ...at(29), messages: second.result.messages, facts: none });
  assert.match(promptOf(client), /Be quick$/);
  assert.deepEqual(third.notices, ["Using /work/AGENTS.md"]);
  assert.equal(third.result.messages.length, 7);
});

Deno.test("a system prompt that was not made here is left as it is", async () => {
  const client = new ScriptedClient("One");
  const messages: Message[] = [{ role: "system", content: "You are a pirate." }];
  await play(client, { messages });
  assert.equal(promptOf(client), "You are a pirate.");
});
