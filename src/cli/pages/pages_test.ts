import assert from "node:assert/strict";
import manifest from "../../../deno.json" with { type: "json" };
import { optional } from "../../../tests/_optional.ts";
import { completionScript, manualPage, pageHelp } from "../../command_line/mod.ts";
import { ABOUT, LLMCMD_PAGE } from "../run/page.ts";
import { variablesOf } from "../settings/mod.ts";
import { allPages, SUBCOMMANDS } from "../subcommands.ts";
import { VERSION } from "../version.ts";

const PAGES = await allPages();

/** The folder of the snapshots, for any file that imports this one. */
const SNAPSHOTS = { path: new URL("__snapshots__/pages_test.ts.snap", import.meta.url).pathname };

Deno.test("every subcommand's page has the subcommand's name", () => {
  assert.deepEqual(PAGES.map(({ page }) => page.name), PAGES.map(({ word }) => `llmcmd ${word}`));
});

Deno.test("VERSION is the one of deno.json", () => {
  assert.equal(VERSION, manifest.version);
});

Deno.test("pageHelp shows all options, subcommands, variables and exit statuses", async (t) => {
  const help = pageHelp(LLMCMD_PAGE, SUBCOMMANDS);
  assert.equal(Math.max(...help.split("\n").map((line) => line.length)) <= 80, true);
  for (const key of variablesOf("llmcmd")) assert.ok(help.includes(key), key);
  await t.assertSnapshot(help, SNAPSHOTS);
  for (const { page } of PAGES) await t.assertSnapshot(pageHelp(page), SNAPSHOTS);
});

Deno.test("every command of the coding agent names all variables that it reads", () => {
  for (const word of ["agent", "serve", "desktop"]) {
    const { page } = PAGES.find((each) => each.word === word) ?? assert.fail(word);
    const help = pageHelp(page);
    assert.deepEqual(variablesOf("agent").filter((name) => !help.includes(name)), [], word);
  }
});

Deno.test("manualPage shows all of the command", async (t) => {
  const page = await manualPage(LLMCMD_PAGE, PAGES, { about: ABOUT, version: "1.2.3" });
  await t.assertSnapshot(page, SNAPSHOTS);
});

Deno.test({
  ...optional("manualPage is roff that groff takes without a warning", "groff"),
  async fn() {
    const page = await manualPage(LLMCMD_PAGE, PAGES, { about: ABOUT, version: "1.2.3" });
    const child = new Deno.Command("groff", {
      args: ["-man", "-Tascii", "-ww"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const input = new Response(page).body ?? assert.fail();
    const [{ stdout, stderr }] = await Promise.all([child.output(), input.pipeTo(child.stdin)]);
    assert.equal(new TextDecoder().decode(stderr), "");
    // Without the overstriking that makes bold.
    // deno-lint-ignore no-control-regex
    const text = new TextDecoder().decode(stdout).replace(/.\x08|\x1b\[\d*m/g, "");
    assert.ok(text.includes("-o, --output=FILE"), text);
    assert.ok(text.includes(`llmcmd "Count the lines that mention 'error'" access.log`), text);
  },
});

Deno.test("completionScript makes a script for each shell, and refuses others", async (t) => {
  for (const shell of ["bash", "zsh", "fish"]) {
    await t.assertSnapshot(await completionScript(shell, LLMCMD_PAGE, PAGES), SNAPSHOTS);
  }
  for (const shell of ["tcsh", "toString"]) {
    await assert.rejects(completionScript(shell, LLMCMD_PAGE, PAGES), {
      name: "UsageError",
      message: `no completions for '${shell}': give bash, zsh or fish`,
    });
  }
});

/** The completions of bash after these words; the last is being typed. */
async function complete(folder: string, ...words: string[]): Promise<string[]> {
  const script = await completionScript("bash", LLMCMD_PAGE, PAGES);
  const list = words.map((word) => `'${word}'`).join(" ");
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: [
      "--norc",
      "-c",
      `${script}\nCOMP_WORDS=(${list}) COMP_CWORD=${words.length - 1}\n_llmcmd\n` +
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    cwd: folder,
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "").sort();
}

Deno.test("bash completes options, their arguments, files and subcommands", async () => {
  const folder = await Deno.makeTempDir();
  for (const name of ["a b.txt", "c.txt", "\u8868.csv"]) {
    await Deno.writeTextFile(`${folder}/${name}`, "");
  }
  const files = ["a b.txt", "c.txt", "\u8868.csv"];
  assert.deepEqual(await complete(folder, "llmcmd", "--co"), ["--completions", "--config"]);
  assert.deepEqual(await complete(folder, "llmcmd", "--completions", ""), ["bash", "fish", "zsh"]);
  assert.deepEqual(await complete(folder, "llmcmd", "--completions", "=", "f"), ["fish"]);
  assert.deepEqual(await complete(folder, "llmcmd", "--completions", "="), ["bash", "fish", "zsh"]);
  assert.deepEqual(await complete(folder, "llmcmd", "-o", ""), files);
  assert.deepEqual(await complete(folder, "llmcmd", "Do", ""), files);
  assert.deepEqual(await complete(folder, "llmcmd", "Do", "a"), ["a b.txt"]);
  assert.deepEqual(await complete(folder, "llmcmd", "-p", ""), []);
  assert.deepEqual(await complete(folder, "llmcmd", "mo"), ["mock"]);
  assert.deepEqual(await complete(folder, "llmcmd", "mock", "--s"), ["--scenarios", "--strict"]);
  assert.deepEqual(await complete(folder, "llmcmd", "mock", "--scenarios", "c"), ["c.txt"]);
  assert.deepEqual(await complete(folder, "llmcmd", "mock", ""), []);
  assert.deepEqual(await complete(folder, "llmcmd", "overlay", "di"), ["diff", "discard"]);
  assert.deepEqual(await complete(folder, "llmcmd", "overlay", "diff", ""), []);
  await Deno.remove(folder, { recursive: true });
});
