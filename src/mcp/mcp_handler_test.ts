import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import assert from "node:assert/strict";
import {
  EndlessCommands,
  kept,
  outcome,
  ReportedCommands,
  TestCommands,
  testTools,
} from "./_testing.ts";
import { handlerForFactory, type McpHandler, mcpHandler } from "./mcp_handler.ts";

const about = { name: "test", version: "1.2.3" };

function handlerOf(commands: TestCommands): Promise<McpHandler> {
  const tools = testTools({ commands, limits: { progressInterval: 1 } });
  return mcpHandler({ tools, about, onError: () => {} });
}

/** The handler as a `fetch` without a network. */
function fetchOf(handler: McpHandler): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.method === "POST" ? await request.clone().json() : undefined;
    const response = await handler.fetch(request, body);
    // As over a network, a client that disconnects reads no further.
    const { signal } = request;
    const read = response.body?.pipeThrough(new TransformStream(), { signal }) ?? null;
    return new Response(read, response);
  };
}

const url = new URL("http://localhost/mcp");

async function connect(handler: McpHandler, mode: "legacy" | { pin: string }): Promise<Client> {
  const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(url, { fetch: fetchOf(handler) });
  await client.connect(transport);
  return client;
}

for (const revision of ["2025-11-25", "2026-07-28"]) {
  const mode = revision === "2026-07-28" ? { pin: revision } : "legacy" as const;

  Deno.test(`mcpHandler serves the SDK's client of revision ${revision}`, async () => {
    const commands = new ReportedCommands(outcome({ stdout: kept("hi\n") }));
    const handler = await handlerOf(commands);
    const client = await connect(handler, mode);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 7);
    // The state is in the tools, not in the connection: CliRun sees the changes by CliEnv.
    await client.callTool({ name: "CliEnv", arguments: { action: "set", name: "A", value: "1" } });
    const reports: number[] = [];
    const result = await client.callTool(
      { name: "CliRun", arguments: { command: "echo hi" } },
      {
        onprogress: ({ progress }) => {
          reports.push(progress);
          commands.end();
        },
      },
    );
    assert.deepEqual(result.structuredContent, {
      ...{ status: "success", exitCode: 0, stdout: "hi\n", stderr: "", duration: 0.013 },
      workingDirectory: "/work",
    });
    assert(reports.length > 0);
    assert.deepEqual(commands.runs[0]?.options.env, { A: "1" });
    await client.close();
    await handler.close();
  });

  for (const how of ["cancels", "leaves"]) {
    Deno.test(`mcpHandler stops a call that a client of revision ${revision} ${how}`, async () => {
      const commands = new EndlessCommands();
      const handler = await handlerOf(commands);
      const client = await connect(handler, mode);
      const cancel = new AbortController();
      const call = client.callTool(
        { name: "CliRun", arguments: { command: "sleep" } },
        { signal: cancel.signal },
      );
      await commands.started;
      if (how === "cancels") cancel.abort("enough");
      else await client.close();
      await assert.rejects(call);
      await commands.stopped;
      await client.close();
      await handler.close();
    });
  }
}

Deno.test("handlerForFactory takes a question to an older client, and the answer back", async () => {
  const factory = () => {
    const server = new McpServer(about);
    server.registerTool("greet", {}, async ({ mcpReq }) => {
      const { content } = await mcpReq.elicitInput({
        message: "Who are you?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } } },
      });
      return { content: [{ type: "text", text: `Hello ${content?.name}` }] };
    });
    return server;
  };
  const handler = await handlerForFactory(factory, { onError: () => {} });
  const client = new Client({ name: "t", version: "1" }, {
    capabilities: { elicitation: {} },
    versionNegotiation: { mode: "legacy" },
  });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { name: "Ada" } };
  });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: fetchOf(handler) }));
  const { content } = await client.callTool({ name: "greet", arguments: {} });
  assert.deepEqual([asked, content], [["Who are you?"], [{ type: "text", text: "Hello Ada" }]]);
  await client.close();
  await handler.close();
});

const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: {
    ...{ protocolVersion: "2025-11-25", capabilities: {} },
    clientInfo: { name: "t", version: "1" },
  },
};

function post(handler: McpHandler, body: unknown, session?: string): Promise<Response> {
  const request = new Request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
    },
    body: JSON.stringify(body),
  });
  return handler.fetch(request, body);
}

Deno.test("mcpHandler keeps connections of older clients, until they are deleted or many", async () => {
  const handler = await handlerOf(new TestCommands(() => outcome()));
  const open = async () => {
    const response = await post(handler, initialize);
    await response.text();
    return response.headers.get("mcp-session-id") ?? "";
  };
  const list = async (session: string) => {
    const message = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const response = await post(handler, message, session);
    await response.text();
    return response.status;
  };
  const first = await open();
  assert.equal(await list(first), 200);
  const headers = { "mcp-session-id": first };
  const deleted = await handler.fetch(new Request(url, { method: "DELETE", headers }));
  assert.equal(deleted.status, 200);
  assert.equal(await list(first), 404);
  const second = await open();
  const third = await open();
  assert.equal(await list(second), 200);
  // The second was used more recently, so the third is closed.
  for (let count = 0; count < 63; count++) await open();
  assert.deepEqual([await list(second), await list(third)], [200, 404]);
  await handler.close();
  assert.equal(await list(second), 404);
});

Deno.test("mcpHandler answers older clients that keep no connection", async () => {
  const handler = await handlerOf(new TestCommands(() => outcome()));
  const response = await post(handler, { jsonrpc: "2.0", id: 2, method: "tools/list" });
  assert.equal(response.status, 200);
  assert.match(await response.text(), /"name":"CliRun"/);
  await handler.close();
});
