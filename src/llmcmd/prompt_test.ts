import assert from "node:assert/strict";
import { FdTable, MemorySink, memorySource } from "../streams/mod.ts";
import { PoisonSource } from "../testing/poison_source.ts";
import { openFds } from "./_testing.ts";
import { defaultLimits } from "./limits.ts";
import { systemPrompt } from "./prompt.ts";

Deno.test("systemPrompt lists every descriptor with what is known of it", () => {
  const fds = openFds({ inputs: ["abcde", new PoisonSource("x")], dup: true });
  const prompt = systemPrompt(fds, defaultLimits);
  assert.ok(prompt.includes(
    "Open file descriptors:\n- fd 0: stdin (size unknown until it is read)\n- fd 1: stdout\n- fd 2: stderr\n" +
      "- fd 3: file3 (5 bytes)\n- fd 4: file4 (stream, size unknown)\n- fd 5: stdin (the same as fd 0)\n\n",
  ));
});

Deno.test("systemPrompt names the output file, and says that a terminal is empty", () => {
  const fds = new FdTable();
  fds.open({ name: "stdin", source: memorySource("") });
  fds.open({ name: "out.json", sink: new MemorySink() });
  const prompt = systemPrompt(fds, defaultLimits, { terminal: true });
  assert.ok(prompt.includes("- fd 0: stdin (terminal: empty)\n- fd 1: out.json\n"));
  const task = systemPrompt(fds, defaultLimits, { instructionsFromInput: true });
  assert.ok(task.includes("- fd 0: stdin (empty: the task was read from it)\n"));
});

Deno.test("systemPrompt keeps a file name with line breaks on its line", () => {
  const fds = openFds();
  fds.open({ name: "a\n- fd 9: \u65e5", source: memorySource("", { seekable: true }) });
  assert.ok(
    systemPrompt(fds, defaultLimits).includes('- fd 3: "a\\n- fd 9: \u65e5" (0 bytes)\n'),
  );
});
