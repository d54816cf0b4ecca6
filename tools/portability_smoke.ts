/**
 * Uses the portable entries as a program without Deno would. `tools/portability.ts` bundles it and
 * runs it on Node. Throws if a result is wrong.
 */
import { strict as assert } from "node:assert";
import {
  builtinNames,
  FdTable,
  follow,
  grep,
  MemorySink,
  memorySource,
  run,
  runBuiltin,
  sort,
} from "../mod.ts";
import { loadBuiltin } from "../src/builtins/mod.ts";
import { compileRegex } from "../src/regex/mod.ts";
import { memorySessionStore } from "../src/store/mod.ts";
import { mockClient } from "../src/testing/mod.ts";
import { chatApp } from "../src/web/chat/mod.ts";

const encode = (text: string) => new TextEncoder().encode(text);

// Builtins as transform streams.
const lines = new ReadableStream<Uint8Array>({
  start(controller) {
    controller.enqueue(encode("b\nx\n"));
    controller.enqueue(encode("a\n"));
    controller.close();
  },
});
const piped = lines.pipeThrough(grep(["-v", "x"])).pipeThrough(sort([]));
assert.equal(await new Response(piped).text(), "a\nb\n");

// Every builtin loads and prints its help.
for (const name of builtinNames) {
  assert.equal(typeof await loadBuiltin(name), "function");
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const text = new Response(output.readable).text();
  const stderr = new WritableStream<Uint8Array>();
  const status = await runBuiltin([name, "--help"], { stdout: output.writable, stderr });
  await output.writable.close();
  assert.equal(status, name === "false" ? 1 : 0, name);
  assert.match(await text, /^Usage: /, name);
}

// The regular expressions.
const bytes = encode("a caf\u00e9 bar");
const found = compileRegex("(b|c)[[:alpha:]]+", { syntax: "extended" }).exec(
  bytes,
  0,
  bytes.length,
);
assert.deepEqual([...(found ?? [])].slice(0, 4), [2, 7, 2, 3]);

// A whole run, from the mock's answers to the bytes on descriptor 1, without a socket.
const client = mockClient([{
  name: "smoke",
  trigger: "upper",
  steps: [{
    response: {
      tool_calls: [
        { function: { name: "pipe", arguments: { cmd: "tr a-z A-Z", in_fd: 3, out_fd: 1 } } },
        { function: { name: "exit", arguments: { code: 3 } } },
      ],
    },
  }],
}], { strict: true });
const stdout = new MemorySink();
const fds = new FdTable();
fds.open({ name: "stdin", number: 0, source: memorySource("") });
fds.open({ name: "stdout", number: 1, sink: stdout });
fds.open({ name: "stderr", number: 2 });
fds.open({ name: "words.txt", number: 3, source: memorySource("one\n", { seekable: true }) });
const result = await follow(run({ instructions: "In upper case", fds, model: "mock", client }));
await fds[Symbol.asyncDispose]();
assert.equal(result.reason, "tool");
assert.equal(result.exitCode, 3);
assert.equal(stdout.text(), "ONE\n");

// The chat's page: the bundle contains files that were imported as text.
const chat = chatApp({
  store: memorySessionStore(),
  about: { root: "/work", model: "mock" },
  startTurn: () => assert.fail("No turn was begun"),
});
for (
  const [path, type] of [["/", "text/html"], ["/chat/page/main.js", "text/javascript"]] as const
) {
  const response = await chat.fetch(new Request(`http://localhost${path}`));
  assert.equal(response.status, 200, path);
  assert.equal(response.headers.get("content-type"), `${type}; charset=utf-8`);
  assert.ok((await response.text()).length > 1000, path);
}
