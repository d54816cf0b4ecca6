import assert from "node:assert/strict";
import { Stage } from "../src/builtins/mod.ts";
import { splitWords } from "../src/llmcmd/mod.ts";
import { type ByteSource, MemorySink, memorySource } from "../src/streams/mod.ts";
import { files } from "./_one_liner_files.ts";
import { oneLiners } from "./_one_liners.ts";
import { gnuAnswers } from "./gnu/answers.ts";
import { shownData } from "./gnu/case.ts";

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line as one pipeline of builtins, on the files in memory. */
async function run(line: string): Promise<Outcome> {
  let stderr = "";
  let input: ByteSource = memorySource("");
  for (const [name = "", ...args] of splitWords(line)) {
    input = new Stage(name, args, {
      stdin: input,
      signal: new AbortController().signal,
      warn: (message) => void (stderr += `${message}\n`),
      open: (path) => {
        const data = files[path];
        if (data !== undefined) return Promise.resolve(memorySource(data, { seekable: true }));
        return Promise.reject(Object.assign(new Error(path), { code: "ENOENT" }));
      },
      create: () => Promise.resolve(new MemorySink()),
    });
  }
  const out = new MemorySink();
  for await (const chunk of input) await out.write(chunk);
  return { stdout: out.text(), stderr };
}

Deno.test("command lines as people and models write them print what they should", async () => {
  for (const [line, stdout, stderr = ""] of oneLiners) {
    assert.deepEqual(await run(line), { stdout, stderr }, line);
  }
});

Deno.test("GNU's tools print the same for the command lines", () => {
  const encoder = new TextEncoder();
  const folder = Object.fromEntries(
    Object.entries(files).map(([name, data]) => [name, encoder.encode(data)]),
  );
  const cases = oneLiners.map(([line]) => ({ args: ["-c", line], files: folder }));
  const answers = gnuAnswers("bash", cases);
  for (const [i, answer] of answers?.entries() ?? []) {
    const [line, stdout, stderr = ""] = oneLiners[i] ?? [""];
    assert.deepEqual(
      [shownData(answer.stdout), shownData(answer.stderr)],
      [stdout, stderr].map((text = "") => shownData(encoder.encode(text))),
      line,
    );
  }
});
