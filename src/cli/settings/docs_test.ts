import assert from "node:assert/strict";
import { namesOf, type Reader, ROWS, usualOf, variablesOf } from "./mod.ts";

const DOCS = new URL("../../../docs/", import.meta.url);
const PAGE = await Deno.readTextFile(new URL("configuration.md", DOCS));

/** The cells of a table's rows, from `table` in Markdown. */
function cells(table: string): string[][] {
  return table.trim().split("\n").map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
}

function code(text: string | undefined): string {
  return text === undefined ? "" : `\`${text}\``;
}

/** The rows of docs/configuration.md for a reader. */
function expected(reader: Reader): string[][] {
  return ROWS.flatMap((row) => {
    const [name, ...others] = namesOf(row, reader);
    if (name === undefined) return [];
    const usual = usualOf(row, reader);
    const fallback = usual === undefined ? row.otherwise ?? "" : code(usual);
    const option = row.option === undefined ? undefined : `--${row.option}`;
    return [[code(name), others.map(code).join(", "), code(option), fallback, row.about]];
  });
}

Deno.test("docs/configuration.md has the table of settings", () => {
  for (const [reader, title] of [["llmcmd", "llmcmd"], ["agent", "Coding agent"]] as const) {
    const [, section = ""] = PAGE.split(`\n## ${title}\n`);
    const [table = ""] = /^\| key[^]*?\n\n/m.exec(section) ?? [];
    assert.deepEqual(cells(table).slice(2), expected(reader), title);
  }
});

Deno.test("docs/permissions.md installs llmcmd with all variables that it reads", async () => {
  const page = await Deno.readTextFile(new URL("permissions.md", DOCS));
  const [, names] = /--allow-env=(\S*LLMCMD_TIMEOUT\S*)/.exec(page) ?? assert.fail();
  assert.deepEqual(names?.split(","), ["HOME", "XDG_CONFIG_HOME", ...variablesOf("llmcmd")]);
});
