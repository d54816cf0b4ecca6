import { Client } from "@modelcontextprotocol/client";
import * as format from "@modelcontextprotocol/server";
import assert from "node:assert/strict";
import {
  EndlessCommands,
  kept,
  outcome,
  ReportedCommands,
  TestCommands,
  testTools,
} from "./_testing.ts";
import { serveStreams } from "./serve_streams.ts";
import { StreamTransport } from "./stream_transport.ts";

const about = { name: "test", version: "1.2.3", instructions: "Use them well" };

/** A server with these commands, and both ends of its streams. */
function serve(commands: TestCommands) {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const end = new AbortController();
  const errors: string[] = [];
  const served = serveStreams({
    tools: testTools({ commands, limits: { progressInterval: 1 } }),
    about,
    readable: input.readable,
    writable: output.writable,
    signal: end.signal,
    onError: ({ message }) => errors.push(message),
  });
  return { served, end, errors, readable: output.readable, writable: input.writable };
}

for (const revision of ["2025-11-25", "2026-07-28"]) {
  const mode = revision === "2026-07-28" ? { pin: revision } : "legacy" as const;

  Deno.test(`serveStreams serves the SDK's client of revision ${revision}`, async () => {
    const commands = new ReportedCommands(outcome({ stdout: kept("hi\n") }));
    const { served, errors, readable, writable } = serve(commands);
    const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } });
    const transport = new StreamTransport(readable, writable, format);
    await client.connect(transport);
    assert.equal(client.getServerVersion()?.version, "1.2.3");
    assert.equal(client.getInstructions(), "Use them well");
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), [
      ...["CliGetPlatform", "CliRun", "CliSession", "CliRead", "CliWrite", "CliStop", "CliEnv"],
    ]);
    const run = tools[1];
    assert.equal(run?.title, "Run a command");
    assert.deepEqual(run?.annotations, {
      title: "Run a command",
      ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    });
    assert.deepEqual(run?.inputSchema.required, ["command"]);
    assert.equal(run?.outputSchema?.type, "object");
    const reports: number[] = [];
    // The client checks the result against the tool's output schema.
    const result = await client.callTool(
      { name: "CliRun", arguments: { command: "echo hi" } },
      {
        onprogress: ({ progress }) => {
          reports.push(progress);
          commands.end();
        },
      },
    );
    const data = {
      ...{ status: "success", exitCode: 0, stdout: "hi\n", stderr: "", duration: 0.013 },
      workingDirectory: "/work",
    };
    assert.deepEqual(result.structuredContent, data);
    assert.deepEqual(result.content, [{ type: "text", text: JSON.stringify(data) }]);
    assert(reports.length > 0);
    const failed = await client.callTool({ name: "CliRun", arguments: { comand: "x" } });
    assert.equal(failed.isError, true);
    assert.match(JSON.stringify(failed.content), /did you mean command/);
    await assert.rejects(client.callTool({ name: "CliRum", arguments: {} }), {
      code: -32602,
      message: /There is no tool .*CliRum.* \(did you mean CliRun\?\)/,
    });
    await client.close();
    await served;
    assert.deepEqual(errors, []);
  });

  Deno.test(`serveStreams stops a call that a client of revision ${revision} cancels`, async () => {
    const commands = new EndlessCommands();
    const { served, readable, writable } = serve(commands);
    const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } });
    const transport = new StreamTransport(readable, writable, format);
    await client.connect(transport);
    const cancel = new AbortController();
    const call = client.callTool(
      { name: "CliRun", arguments: { command: "sleep" } },
      { signal: cancel.signal },
    );
    await commands.started;
    cancel.abort("enough");
    await assert.rejects(call);
    await commands.stopped;
    const { tools } = await client.listTools();
    assert.equal(tools.length, 7);
    await client.close();
    await served;
  });
}

const line = (id: number, method: string, params: unknown) =>
  new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
const hello = line(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
});

Deno.test("serveStreams answers what came before the end of its input, then ends", async () => {
  const commands = new TestCommands(() => outcome({ stdout: kept("hi\n") }));
  const { served, errors, readable, writable } = serve(commands);
  const writer = writable.getWriter();
  const answers = new Response(readable).text();
  void writer.write(hello);
  void writer.write(new TextEncoder().encode("what is this?\n\n"));
  void writer.write(line(2, "tools/call", { name: "CliRun", arguments: { command: "x" } }));
  await writer.close();
  await served;
  const ids = (await answers).trim().split("\n").map((text) => JSON.parse(text).id);
  assert.deepEqual(ids, [1, 2]);
  assert.equal(errors.length, 1);
  assert.match(errors[0] ?? "", /is not valid JSON/);
});

Deno.test("serveStreams aborts calls when its signal fires, and when nobody reads any more", async () => {
  for (const how of ["signal", "reader"]) {
    const commands = new EndlessCommands();
    const { served, end, readable, writable } = serve(commands);
    const writer = writable.getWriter();
    void writer.write(hello);
    const reader = readable.getReader();
    await reader.read();
    void writer.write(line(2, "tools/call", { name: "CliRun", arguments: { command: "x" } }));
    await commands.started;
    if (how === "signal") end.abort();
    else {
      await reader.cancel();
      // The server notices it with the next answer.
      void writer.write(line(3, "ping", {})).catch(() => {});
    }
    await commands.stopped;
    await served;
    await reader.cancel();
    await writer.abort().catch(() => {});
  }
});

Deno.test("StreamTransport takes messages in pieces, and none that is too long", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const transport = new StreamTransport(readable, new WritableStream(), format);
  const messages: unknown[] = [];
  const errors: string[] = [];
  let both = () => {};
  const arrived = new Promise<void>((resolve) => both = resolve);
  transport.onmessage = (message) => {
    if (messages.push(message) === 2) both();
  };
  transport.onerror = ({ message }) => errors.push(message);
  await transport.start();
  const writer = writable.getWriter();
  const message = {
    jsonrpc: "2.0",
    method: "notifications/x",
    params: { text: "h\u00e4 \u{1F600}" },
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
  for (const byte of [...bytes, ...bytes]) await writer.write(new Uint8Array([byte]));
  await arrived;
  assert.deepEqual(messages, [message, message]);
  const long = new Uint8Array(1024 * 1024).fill(0x61);
  for (let count = 0; count < 11; count++) void writer.write(long).catch(() => {});
  await transport.closed;
  assert.deepEqual(errors, ["A message has more than 10485760 bytes: the connection is closed"]);
  await assert.rejects(
    transport.send({ jsonrpc: "2.0", method: "x" }),
    /has closed the connection/,
  );
});
