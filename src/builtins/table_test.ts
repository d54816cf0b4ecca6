/**
 * Checks that everything listed for each builtin elsewhere agrees with the table in
 * `commands/mod.ts`.
 */
import assert from "node:assert/strict";
import readme from "../../README.md" with { type: "text" };
import { type Chunk, memorySource, Source } from "../streams/mod.ts";
import * as door from "./mod.ts";
import { builtinNames, loadBuiltin } from "./mod.ts";

/** Command lines to try: at least one makes a builtin read standard input if it ever does. */
const ATTEMPTS = [[], ["x"], ["x", "y"], ["-", "x"], ["-f1"]];

/** An empty standard input that records if it was read. */
class WatchedSource extends Source {
  asked = false;

  protected override pull(): Promise<Chunk | undefined> {
    this.asked = true;
    return Promise.resolve(undefined);
  }
}

async function readsStandardInput(name: string): Promise<boolean> {
  const builtin = await loadBuiltin(name);
  for (const args of ATTEMPTS) {
    const stdin = new WatchedSource();
    const run = builtin(args, {
      stdin,
      warn: () => {},
      signal: new AbortController().signal,
      open: () => Promise.resolve(memorySource("")),
    });
    // One block is enough, as `yes` has no last one.
    await run.next();
    await run.return(0);
    if (stdin.asked) return true;
  }
  return false;
}

const factories = Object.entries(door).filter((entry): entry is [string, door.TransformFactory] =>
  door.isBuiltinName(entry[0]) && typeof entry[1] === "function"
);

Deno.test("every builtin that reads standard input has a factory of its name, and no other", async () => {
  const reading: string[] = [];
  for (const name of builtinNames) if (await readsStandardInput(name)) reading.push(name);
  assert.deepEqual(factories.map(([name]) => name).sort(), reading);
});

Deno.test("every factory runs the command that it is named after", async () => {
  for (const [name, factory] of factories) {
    const help = factory(["--help"]);
    const text = await new Response(help.readable).text();
    assert.ok(text.startsWith(`Usage: ${name} `), `${name}: ${text}`);
    assert.equal(await help.status, 0);
  }
});

/** The comma-separated names in the section "Builtins" of a page. */
function listed(markdown: string): string[] {
  const [, section = ""] = /^#+ Builtins\n([^]*?)(?=^#|(?![^]))/m.exec(markdown) ?? [];
  const [list = ""] = /\w+(?:,\s+\w+){9,}/.exec(section.replaceAll("`", "")) ?? [];
  return list.split(/,\s+/).sort();
}

/** The page of the builtins, or the README if there is no such page. */
async function listPage(): Promise<string> {
  try {
    return await Deno.readTextFile(new URL("../../docs/builtins.md", import.meta.url));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return readme;
    throw error;
  }
}

Deno.test("the documentation lists exactly the builtins that there are", async () => {
  assert.deepEqual(listed(await listPage()), [...builtinNames]);
});
