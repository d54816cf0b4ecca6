/** Runs the console examples of README.md on the mock, in a shell, and compares their output. */
import assert from "node:assert/strict";
import readme from "../README.md" with { type: "text" };
import examples from "../scenarios/examples.json" with { type: "json" };
import { Bench } from "./_cli.ts";
import { optional } from "./_optional.ts";

interface Line {
  command: string;
  output: string;
}

/** The commands of the `console` blocks, each with the output printed below it. */
function consoleLines(markdown: string): Line[] {
  const lines: Line[] = [];
  for (const [, block = ""] of markdown.matchAll(/```console\n([^]*?)```/g)) {
    for (const line of block.split(/(?<=\n)/)) {
      const last = lines.at(-1);
      if (line.startsWith("$ ")) lines.push({ command: line.slice(2).trimEnd(), output: "" });
      else if (last !== undefined) last.output += line;
    }
  }
  return lines;
}

/** Programs that an example needs and not every machine has. */
const OPTIONAL = ["jq", "rev"] as const;

Deno.test("README.md prints what its examples print", async (t) => {
  const lines = consoleLines(readme);
  assert.ok(lines.length >= 5, `only ${lines.length} example lines found`);
  await using bench = await Bench.open(examples.scenarios);
  const samples = new URL("readme/", import.meta.url);
  for (const { name } of Deno.readDirSync(samples)) {
    await Deno.copyFile(new URL(name, samples), `${bench.folder}/${name}`);
  }
  for (const { command, output } of lines) {
    const needs = OPTIONAL.filter((program) => new RegExp(`(^|\\W)${program}( |$)`).test(command));
    await t.step({
      ...optional(command, ...needs),
      async fn() {
        const { stdout, stderr } = await bench.sh(command);
        assert.deepEqual({ stdout, stderr }, { stdout: output, stderr: "" });
      },
    });
  }
});

Deno.test("README.md names with each endpoint the --allow-net that covers its base URL", () => {
  const rows = readme.split("\n").filter((line) => /^\|.*`https?:/.test(line));
  assert.equal(rows.length, 7);
  for (const row of rows) {
    const [, , url = "", , , host = ""] = row.split("|").map((cell) => /`(.*?)`/.exec(cell)?.[1]);
    assert.equal(new URL(url).host, host.toLowerCase(), row);
  }
});
