import assert from "node:assert/strict";
import { welcome } from "./recap.ts";

Deno.test("welcome shows the last exchange, and whether it was interrupted", () => {
  const messages = [
    { role: "user" as const, content: "Build it" },
    { role: "assistant" as const, content: "I begin." },
  ];
  const text = "Going on with: Build\n\nYou: Build it\n\nAgent: I begin.";
  assert.equal(welcome("Build", { messages }), text);
  assert.equal(
    welcome("Build", { messages, interrupted: true }),
    `${text}\n\n[It was interrupted before it was done]`,
  );
  assert.equal(
    welcome("Build", { messages: messages.slice(0, 1), interrupted: true }),
    "Going on with: Build\n\nYou: Build it\n\n[It was stopped before it answered]",
  );
});
