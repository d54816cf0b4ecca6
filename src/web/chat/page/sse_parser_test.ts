import assert from "node:assert/strict";
import { encodeSse } from "../../../streams/mod.ts";
import { sseParser } from "./sse_parser.js";

Deno.test("sseParser reads server-sent events across all borders of chunks and characters", () => {
  const events = [
    { event: "text", id: "1", data: "a \u{1f41f}\n\nb: c" },
    { event: "message", id: "2", data: " x" },
    { event: "done", id: "2", data: "{}" },
  ];
  const texts = [
    encodeSse({ event: "text", id: 1, data: "a \u{1f41f}\n\nb: c" }),
    ": a comment\n\n",
    "id: 2\ndata:  x\n\n",
    "event:done\ndata:{}\n\n",
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    // A lone CR at the very end could be half of a line's end: it waits for more.
    const text = texts.join("").replaceAll("\n", end) + (end === "\r" ? ":" : "");
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 7, 1000]) {
      const parse = sseParser();
      const decoder = new TextDecoder();
      const seen: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        seen.push(...parse(decoder.decode(bytes.subarray(at, at + size), { stream: true })));
      }
      assert.deepEqual(seen, events, JSON.stringify({ end, size }));
    }
  }
});
