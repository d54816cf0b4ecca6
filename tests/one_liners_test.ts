import assert from "node:assert/strict";
import { Stage } from "../src/builtins/mod.ts";
import { splitWords } from "../src/llmcmd/mod.ts";
import { type ByteSource, MemorySink, memorySource } from "../src/streams/mod.ts";
import { files } from "./_one_liner_files.ts";
import { oneLiners } from "./_one_liners.ts";

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

/** The results of the machine's tools for all lines; `undefined` if one of the tools is missing. */
async function runTools(lines: readonly string[]): Promise<Outcome[] | undefined> {
  const names = new Set(lines.flatMap((line) => splitWords(line).map(([name = ""]) => name)));
  const folder = await Deno.makeTempDir({ prefix: "one-liners-" });
  try {
    await Deno.mkdir(`${folder}/files`);
    for (const [name, data] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/files/${name}`, data);
    }
    const script = [
      // Busybox and macOS have tools of these names that differ.
      "cat --version 2>/dev/null | grep -q GNU || exit 99",
      ...[...names].map((name) => `command -v ${name} >/dev/null || exit 99`),
      ...lines.map((line, i) => `{ ${line}; } </dev/null >../${i}.out 2>../${i}.err`),
      "exit 0",
    ];
    const { code } = await new Deno.Command("sh", {
      args: ["-c", script.join("\n")],
      cwd: `${folder}/files`,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
      stdin: "null",
      stderr: "null",
    }).output();
    if (code === 99) return undefined;
    return await Promise.all(lines.map(async (_, i) => ({
      stdout: await Deno.readTextFile(`${folder}/${i}.out`),
      stderr: await Deno.readTextFile(`${folder}/${i}.err`),
    })));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("command lines as people and models write them print what they should", async () => {
  for (const [line, stdout, stderr = ""] of oneLiners) {
    assert.deepEqual(await run(line), { stdout, stderr }, line);
  }
});

Deno.test("the machine's tools print the same for the command lines", async () => {
  const outcomes = await runTools(oneLiners.map(([line]) => line));
  if (outcomes === undefined) {
    console.log("SKIPPED: some of the GNU tools are not on this machine");
    return;
  }
  for (const [i, [line, stdout, stderr = ""]] of oneLiners.entries()) {
    assert.deepEqual(outcomes[i], { stdout, stderr }, line);
  }
});
