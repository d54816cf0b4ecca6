import assert from "node:assert/strict";
import { CLIENTS, configFor } from "./print_config.ts";

Deno.test("configFor writes what each client needs to start the server", () => {
  const args = ["mcp", "--allow-dir", '/a "b"'];
  const server = { command: "llmcmd", args };
  assert.deepEqual(JSON.parse(configFor("claude", args)), { mcpServers: { llmcmd: server } });
  assert.deepEqual(JSON.parse(configFor("vscode", args)), {
    servers: { llmcmd: { type: "stdio", ...server } },
  });
  assert.equal(
    configFor("codex", args),
    '[mcp_servers.llmcmd]\ncommand = "llmcmd"\nargs = ["mcp", "--allow-dir", "/a \\"b\\""]\n',
  );
  for (const client of CLIENTS) assert.match(configFor(client, []), /\n$/);
});
