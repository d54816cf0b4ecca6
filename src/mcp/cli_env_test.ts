import assert from "node:assert/strict";
import {
  callTool,
  dataOf,
  failureOf,
  outcome,
  TestCommands,
  TestSessions,
  testTools,
} from "./_testing.ts";

Deno.test("CliEnv gets, sets, lists and removes variables of all commands", async () => {
  const commands = new TestCommands(() => outcome());
  const tools = testTools({ commands });
  const env = (input: Record<string, unknown>) => dataOf(tools, "CliEnv", input);
  assert.deepEqual(await env({ action: "get", name: "PATH" }), {
    ...{ name: "PATH", value: "/bin", source: "global" },
  });
  assert.deepEqual(await env({ action: "set", name: "MY_VAR", value: "hello" }), {
    ...{ status: "set", name: "MY_VAR", value: "hello", scope: "global" },
  });
  assert.deepEqual(await env({ action: "set", name: "MY_TOKEN", value: "t" }), {
    ...{ status: "set", name: "MY_TOKEN", value: "t", scope: "global" },
  });
  assert.deepEqual(await env({ action: "unset", name: "HOME" }), {
    ...{ status: "unset", name: "HOME", scope: "global" },
  });
  assert.deepEqual(await env({ action: "list" }), {
    variables: { MY_TOKEN: "***", MY_VAR: "hello", PATH: "/bin" },
    ...{ count: 3, source: "global" },
  });
  assert.deepEqual(await env({ action: "get", name: "HOME" }), {
    ...{ name: "HOME", value: null, source: "global" },
  });
  assert.deepEqual(await env({ action: "get", name: "API_KEY" }), {
    ...{ name: "API_KEY", value: null, source: "global" },
    note: "It is set, but kept from commands as it looks like a secret",
  });
  await callTool(tools, "CliRun", { command: "x" });
  assert.deepEqual(commands.runs[0]?.options.env, { MY_VAR: "hello", MY_TOKEN: "t", HOME: null });
});

Deno.test("CliEnv tells and changes the variables of a session", async () => {
  const sessions = new TestSessions();
  const tools = testTools({ sessions });
  await callTool(tools, "CliSession", { sessionId: "s1" });
  const env = (input: Record<string, unknown>) =>
    dataOf(tools, "CliEnv", { sessionId: "s1", ...input });
  assert.deepEqual(await env({ action: "list" }), {
    variables: { PATH: "/bin", SESSION_KEY: "***" },
    ...{ count: 2, source: "s1" },
  });
  assert.deepEqual(await env({ action: "get", name: "SESSION_KEY" }), {
    ...{ name: "SESSION_KEY", value: "k", source: "s1" },
  });
  assert.deepEqual(await env({ action: "set", name: "A", value: "" }), {
    ...{ status: "set", name: "A", value: "", scope: "s1" },
  });
  assert.deepEqual(await env({ action: "unset", name: "A" }), {
    ...{ status: "unset", name: "A", scope: "s1" },
  });
  assert.deepEqual(sessions.get("me", "s1")?.variables, [["A", ""], ["A", null]]);
  assert.deepEqual(await dataOf(tools, "CliEnv", { action: "get", name: "A" }), {
    ...{ name: "A", value: null, source: "global" },
  });
});

Deno.test("CliEnv refuses what runs other code, what is no name, and what is too much", async () => {
  const tools = testTools({ limits: { environmentBytes: 20 } });
  const refuse = (input: Record<string, unknown>) => failureOf(tools, "CliEnv", input);
  for (
    const name of ["LD_PRELOAD", "LD_AUDIT", "NODE_OPTIONS", "BASH_ENV", "ENV", "PYTHONSTARTUP"]
  ) {
    assert.match(
      await refuse({ action: "set", name, value: "/x" }),
      new RegExp(`^CliEnv: Cannot set ${name}: it makes programs run other code`),
    );
  }
  assert.match(
    await refuse({ action: "set", name: "UID", value: "0" }),
    /^CliEnv: Cannot set UID: shells set it themselves/,
  );
  assert.match(
    await refuse({ action: "set", name: "1A", value: "" }),
    /^CliEnv: Cannot use the name/,
  );
  assert.match(await refuse({ action: "set", name: "A", value: "\0" }), /it has a NUL character$/);
  const long = "x".repeat(100_001);
  assert.match(await refuse({ action: "set", name: "A", value: long }), /100001 bytes/);
  assert.equal(await refuse({ action: "get" }), "CliEnv: get needs a name");
  assert.equal(await refuse({ action: "set", name: "A" }), "CliEnv: set needs a value");
  assert.match(await refuse({ action: "clear" }), /^CliEnv: action: Invalid option/);
  await dataOf(tools, "CliEnv", { action: "set", name: "A", value: "x".repeat(18) });
  assert.equal(
    await refuse({ action: "set", name: "B", value: "" }),
    "CliEnv: Cannot set B: all variables would have 22 bytes, and they may have 20; unset some, or " +
      "write it to a file",
  );
  await dataOf(tools, "CliEnv", { action: "set", name: "A", value: "y" });
  await dataOf(tools, "CliEnv", { action: "set", name: "B", value: "" });
});
