/** Runs the console examples of README.md on the mock, in a shell, and compares their output. */
import assert from "node:assert/strict";
import readme from "../README.md" with { type: "text" };
import examples from "../scenarios/examples.json" with { type: "json" };
import { parseScenarios } from "../src/mock/mod.ts";
import { mockApp } from "../src/web/mod.ts";
import { llmcmdFlags } from "./_llmcmd.ts";

interface Line {
  command: string;
  output: string;
}

/** The commands of the `console` blocks, each with the output printed below it. */
function consoleLines(markdown: string): Line[] {
  const lines: Line[] = [];
  for (const [, block = ""] of markdown.matchAll(/```console\n([^]*?)```/g)) {
    for (const line of block.split(/(?<=\n)/)) {
      if (line.startsWith("$ ")) lines.push({ command: line.slice(2).trimEnd(), output: "" });
      else (lines.at(-1) ?? { output: "" }).output += line;
    }
  }
  return lines;
}

/** Programs besides the shell's that an example needs, which not every machine has. */
const OPTIONAL = ["jq", "rev"];

async function missing(command: string): Promise<string | undefined> {
  for (const program of OPTIONAL) {
    if (!new RegExp(`(^|\\W)${program} `).test(command)) continue;
    const { success } = await new Deno.Command("sh", {
      args: ["-c", `command -v ${program}`],
      stdout: "null",
    }).output();
    if (!success) return program;
  }
  return undefined;
}

Deno.test("README.md prints what its examples print", async (t) => {
  const lines = consoleLines(readme);
  assert.ok(lines.length >= 5, `only ${lines.length} example lines found`);
  const folder = await Deno.makeTempDir({ prefix: "llmcmd-readme-" });
  const app = mockApp({ scenarios: parseScenarios(examples, "examples.json"), strict: true });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => app.fetch(request),
  );
  try {
    const samples = new URL("readme/", import.meta.url);
    for (const { name } of Deno.readDirSync(samples)) {
      await Deno.copyFile(new URL(name, samples), `${folder}/${name}`);
    }
    const address = `127.0.0.1:${server.addr.port}`;
    const script = [
      "#!/bin/sh",
      `exec ${Deno.execPath()} run ${llmcmdFlags(folder, address).join(" ")} "$@"`,
      "",
    ].join("\n");
    await Deno.mkdir(`${folder}/bin`);
    await Deno.writeTextFile(`${folder}/bin/llmcmd`, script, { mode: 0o755 });
    for (const { command, output } of lines) {
      await t.step(command, async () => {
        const lacks = await missing(command);
        if (lacks !== undefined) {
          console.info(`Skipped, ${lacks} is not installed: ${command}`);
          return;
        }
        const result = await new Deno.Command("bash", {
          args: ["-c", command],
          cwd: folder,
          env: {
            PATH: `${folder}/bin:${Deno.env.get("PATH")}`,
            HOME: folder,
            XDG_CONFIG_HOME: `${folder}/config`,
            LC_ALL: "C.UTF-8",
            OPENAI_API_KEY: "test",
            OPENAI_BASE_URL: `http://${address}/v1`,
          },
        }).output();
        const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
        assert.equal(decode(result.stderr), "");
        assert.equal(decode(result.stdout), output);
      });
    }
  } finally {
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
});
