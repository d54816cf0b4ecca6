import assert from "node:assert/strict";
import type { ChatClient, ChatDelta } from "../llm/mod.ts";
import { BrokenPipeError, type ByteSink, MemorySink } from "../streams/mod.ts";
import { runScript } from "./_testing.ts";

/** A model that writes one text in pieces, then exits. `onPiece` is called before each is sent. */
function writer(
  pieces: readonly string[],
  onPiece: (piece: string) => void = () => {},
): ChatClient & { requests: number } {
  const call = (name: string, args: string): ChatDelta => ({
    type: "tool_call",
    index: 0,
    arguments: args,
    ...(name === "" ? {} : { id: name, name }),
  });
  return {
    requests: 0,
    stream(_request, { quota }) {
      quota?.startCall();
      const deltas = this.requests++ === 0
        ? [call("write", ""), ...pieces.map((piece) => call("", piece))]
        : [call("exit", "{}")];
      const steps = [...deltas, { type: "finish", reason: "tool_calls" } as const].values();
      return new ReadableStream({
        pull(controller) {
          const { done, value } = steps.next();
          if (done === true) return controller.close();
          if (value.type === "tool_call") onPiece(value.arguments ?? "");
          controller.enqueue(value);
        },
      }, { highWaterMark: 0 });
    },
  };
}

const PIECES = ['{"fd":1,"data":"', "one ", "two ", 'three"', "}"];

Deno.test("run writes what the model writes before the next piece of it is asked for", async () => {
  const out = new MemorySink();
  const seen: [string, string][] = [];
  const client = writer(PIECES, (piece) => seen.push([piece, out.text()]));
  const { result } = await runScript(client, { sink: out });
  assert.equal(result.exitCode, 0);
  assert.equal(out.text(), "one two three");
  assert.deepEqual(seen.slice(1, 6), [
    ['{"fd":1,"data":"', ""],
    ["one ", ""],
    ["two ", "one "],
    ['three"', "one two "],
    ["}", "one two three"],
  ]);
});

Deno.test("run asks for no further piece while the output is slow", async () => {
  let asked = 0;
  const at: number[] = [];
  const sink: ByteSink = {
    async write() {
      const before = asked;
      // Far more turns than a piece takes.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
      at.push(asked - before);
    },
    close: () => Promise.resolve(),
  };
  await runScript(writer(PIECES, () => asked++), { sink });
  assert.deepEqual(at, [0, 0, 0]);
});

Deno.test("run ends at once, telling of it once, when the reader of what flows has gone", async () => {
  const sink: ByteSink = {
    write: () => Promise.reject(new BrokenPipeError()),
    close: () => Promise.resolve(),
  };
  const asked: string[] = [];
  const client = writer(PIECES, (piece) => asked.push(piece));
  const { result, events } = await runScript(client, { sink });
  assert.deepEqual([result.outputClosed, result.reason, client.requests], [true, "error", 1]);
  assert.deepEqual(asked, ["", '{"fd":1,"data":"', "one "]);
  assert.equal(events.filter(({ type }) => type === "error").length, 1);
});

Deno.test("run holds its output limit in the middle of an answer", async () => {
  const out = new MemorySink();
  const { result, events } = await runScript(writer(PIECES), { sink: out }, {
    limits: { outputBytes: 6 },
  });
  assert.deepEqual([out.text(), result.outputBytes], ["one tw", 6]);
  assert.equal(result.error?.limit, "outputBytes");
  assert.equal(events.filter(({ type }) => type === "error").length, 1);
});

Deno.test("run that ends in the middle of what flows keeps what was written, and fails", async () => {
  const out = new MemorySink();
  const client = writer(PIECES, (piece) => {
    if (piece.startsWith("three")) throw new Error("Connection lost");
  });
  const { result } = await runScript(client, { sink: out });
  assert.deepEqual([result.reason, result.error?.message], ["error", "Connection lost"]);
  assert.deepEqual([out.text(), result.outputBytes], ["one two ", 8]);
});
