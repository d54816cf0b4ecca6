/** Tests `llmcmd mcp` and the /mcp of `llmcmd serve` with clients. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import assert from "node:assert/strict";
import { parseScenarios } from "../src/mock/mod.ts";
import { alive, newToken, until } from "../src/terminal/_testing.ts";
import { CLIENT_OPTIONS, connectMcp, inFolder, RUN } from "./_mcp_client.ts";
import { notLinux, optional } from "./_optional.ts";
import { serving } from "./_serving.ts";

/** A client of a server whose environment has a secret. */
const connect = (folder: string, args: string[]) =>
  connectMcp(folder, { args, env: { MY_API_KEY: "sk-secret", LD_AUDIT: "" } });

Deno.test("llmcmd mcp runs commands for a client over standard streams, and ends with it", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/sub`);
    const { client, child, call, said } = await connect(folder, ["--allow-dir", folder]);
    const platform = await call("CliGetPlatform");
    assert.equal(platform.platform, Deno.build.os);
    assert.deepEqual(platform.allowedDirectories, [folder]);
    // The client has checked this against the schema of the server.
    await client.listTools();
    await call("CliEnv", { action: "set", name: "GREETING", value: "hello" });
    const line = "echo $GREETING; echo ${MY_API_KEY-no key} >&2; pwd; exit 3";
    const { duration, ...ran } = await call("CliRun", { command: line, workingDirectory: "sub" });
    assert.deepEqual(ran, {
      ...{ status: "error", exitCode: 3, stdout: `hello\n${folder}/sub\n`, stderr: "no key\n" },
      workingDirectory: `${folder}/sub`,
    });
    assert.equal(typeof duration, "number");
    const outside = await client.callTool({
      name: "CliRun",
      arguments: { command: "ls", workingDirectory: "/" },
    });
    assert.equal(outside.isError, true);
    assert.match(JSON.stringify(outside.content), /Cannot work in \/: it is not in/);
    const wrong = await call("CliRun", { command: "slepe 1" });
    assert.match(`${wrong.suggestion}`, /^There is no command slepe\. Similar commands: .*sleep/);
    await client.close();
    assert.equal((await child.status).code, 0);
    assert.doesNotMatch(await said, /rror/);
  });
});

Deno.test({
  ...optional(
    "llmcmd mcp types into a program that waits, and reads what it answers",
    "python3",
    notLinux,
  ),
  fn: () =>
    inFolder(async (folder) => {
      const { client, child, call } = await connect(folder, []);
      const command = 'python3 -IS -c \'name = input("Name? "); print("Hello", name)\'';
      const { sessionId, initialOutput, ...begun } = await call("CliSession", { command });
      assert.deepEqual([initialOutput, begun.waitingForInput], ["Name? ", true]);
      const input = "Ada{enter}";
      const { responseOutput, ...ended } = await call("CliWrite", {
        ...{ sessionId, input, until: "exit" },
      });
      assert.match(`${responseOutput}`, /Hello Ada\n$/);
      assert.deepEqual([ended.keys, ended.isRunning, ended.exitCode], [["enter"], false, 0]);
      await client.close();
      assert.equal((await child.status).code, 0);
    }),
});

Deno.test({
  ...optional("llmcmd mcp leaves nothing of a command when it is cancelled or killed", notLinux),
  fn: async () => {
    await inFolder(async (folder) => {
      const { client, child, call, said } = await connect(folder, []);
      const token = newToken();
      const line = `(setsid sleep ${token} &); sleep ${token}`;
      const cancel = new AbortController();
      const cancelled = call("CliRun", { command: line }, { signal: cancel.signal });
      assert(await until(() => alive(token, "mcp").length >= 2, 20_000));
      cancel.abort();
      await assert.rejects(cancelled);
      assert(await until(() => alive(token).length === 0, 20_000));
      const killed = call("CliRun", { command: line });
      assert(await until(() => alive(token, "mcp").length >= 2, 20_000));
      child.kill("SIGKILL");
      await assert.rejects(killed);
      assert(await until(() => alive(token).length === 0, 20_000));
      await client.close();
      await child.status;
      await said;
    });
  },
});

const COMMANDS = { "llmcmd mcp --http": ["mcp", "--http"], "llmcmd serve": ["serve"] };
for (const [name, args] of Object.entries(COMMANDS)) {
  Deno.test(`${name} runs commands for a client that has the key, and for no other`, async () => {
    const scenarios = parseScenarios({ scenarios: [] }, "mcp.json");
    await serving({ args: [], scenarios, command: [...RUN, ...args] }, async ({ start }) => {
      const served = await start();
      const url = new URL(`${served.url}/mcp`);
      const client = new Client({ name: "test", version: "1" }, CLIENT_OPTIONS);
      await client.connect(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: served.headers } }),
      );
      const { structuredContent } = await client.callTool({
        name: "CliRun",
        arguments: { command: "echo hi; cat .state/llmcmd/key" },
      });
      assert(typeof structuredContent === "object" && structuredContent !== null);
      assert.match(JSON.stringify(structuredContent), /"stdout":"hi\\n/);
      const refused = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      assert.equal(refused.status, 401);
      await refused.body?.cancel();
      await client.close();
      const { code, signal } = await served.end("SIGTERM");
      assert.deepEqual([code, signal], [143, "SIGTERM"]);
    });
  });
}
