/** Checks the documentation: links lead to files, and the short pages are short. */
import assert from "node:assert/strict";
import config from "../deno.json" with { type: "json" };

const ROOT = new URL("../", import.meta.url);

const PAGES = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "KNOWN_DIFFERENCES.md",
  "THREAT_MODEL.md",
  "desktop/README.md",
  "scenarios/README.md",
  "bench/README.md",
  ...pagesOf("docs/"),
  ...pagesOf("docs/decisions/"),
];

/** The Markdown files of a folder. */
function pagesOf(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))]
    .filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => folder + name);
}

/** The targets of a page's links into this repository. */
function localLinks(markdown: string): string[] {
  const prose = markdown.replace(/```[^]*?```/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

Deno.test("documentation: every link within the repository leads to a file", async () => {
  const broken: string[] = [];
  for (const page of PAGES) {
    const at = new URL(page, ROOT);
    for (const target of localLinks(await Deno.readTextFile(at))) {
      const found = await Deno.stat(new URL(target.replace(/#.*/, ""), at)).catch(() => undefined);
      if (found === undefined) broken.push(`${page}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

/** The paths of all source files, from the root. */
function sources(folder = ""): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    if (/^\.|^(?:coverage|dist|node_modules)$/.test(name)) return [];
    return isDirectory ? sources(`${folder}${name}/`) : [`${folder}${name}`];
  });
}

Deno.test("documentation: every source file that a page names with its folder is there", async () => {
  const files = sources().map((file) => `/${file}`);
  const missing: string[] = [];
  for (const page of PAGES) {
    const prose = (await Deno.readTextFile(new URL(page, ROOT))).replace(/```[^]*?```/g, "");
    for (const [, path = ""] of prose.matchAll(/`(\w+\/[\w/.-]+\.(?:ts|py|sh|json|wat))`/g)) {
      if (!files.some((file) => file.endsWith(`/${path}`))) missing.push(`${page}: ${path}`);
    }
  }
  assert.deepEqual(missing, []);
});

Deno.test("documentation: every test that THREAT_MODEL.md names is there", async () => {
  const text = await Deno.readTextFile(new URL("THREAT_MODEL.md", ROOT));
  const named = [...text.matchAll(/\| `([\w/]+_test\.ts)`: (.+?) +\|$/gm)];
  assert.ok(named.length >= 20, `only ${named.length} found`);
  for (const [, path = "", name = ""] of named) {
    const test = await Deno.readTextFile(new URL(path, ROOT));
    assert.ok(test.includes(name), `${path}: ${name}`);
  }
});

Deno.test("documentation: every page of docs/ is linked from the read-me", async () => {
  const readme = localLinks(await Deno.readTextFile(new URL("README.md", ROOT)));
  assert.deepEqual(pagesOf("docs/").filter((page) => !readme.includes(page)), []);
});

Deno.test("documentation: every decision is linked from their index", async () => {
  const index = localLinks(await Deno.readTextFile(new URL("docs/decisions/README.md", ROOT)));
  const pages = pagesOf("docs/decisions/").map((page) => page.replace("docs/decisions/", ""));
  assert.deepEqual(pages.filter((page) => page !== "README.md" && !index.includes(page)), []);
});

Deno.test("documentation: docs/library.md lists the entry points of the package", async () => {
  const text = await Deno.readTextFile(new URL("docs/library.md", ROOT));
  const rows = text.split("\n").filter((line) => line.startsWith("| `/"));
  const listed = rows.flatMap((row) => row.split("|")[1]?.match(/\/[a-z]+/g) ?? []);
  const entries = Object.keys(config.exports).filter((entry) => entry !== ".");
  assert.deepEqual(listed.sort(), entries.map((entry) => entry.slice(1)).sort());
});

Deno.test("documentation: pages that are read first stay short", async () => {
  const pages: [page: string, most: number][] = [
    ["README.md", 140],
    ["ARCHITECTURE.md", 150],
    ["CHANGELOG.md", 60],
    ["KNOWN_DIFFERENCES.md", 80],
    ...pagesOf("docs/decisions/").map((page): [string, number] => [page, 60]),
  ];
  for (const [page, most] of pages) {
    const lines = (await Deno.readTextFile(new URL(page, ROOT))).split("\n").length - 1;
    assert.ok(lines <= most, `${page} has ${lines} lines, ${most} are allowed`);
  }
});
