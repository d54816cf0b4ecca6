import assert from "node:assert/strict";
import { importsOf, wholePage } from "../../page/_testing.ts";
import { sharedFiles } from "../../page/mod.ts";
import { ask, coderChat, PlayedTurns } from "../_fixtures_test.ts";
import html from "./index.html" with { type: "text" };
import { pageFiles } from "./page.ts";

const app = () => coderChat({ startTurn: new PlayedTurns().start });

/** The text of a file that the page uses. */
async function fileText(name: string): Promise<string> {
  const file = await pageFiles.get(name, undefined) ?? await sharedFiles.get(name, undefined) ??
    assert.fail(`There is no ${name}`);
  return await file.text();
}

/** Libraries, which `deno task page` bundles. */
const BUNDLES = ["highlighter.js", "markdown_it.js"];

const modules = [...pageFiles.names, ...sharedFiles.names].filter((name) => name.endsWith(".js"));
const ownModules = modules.filter((name) => !BUNDLES.includes(name));

/** The paths of all files of the page. */
const paths = [
  ...pageFiles.names.map((name) => `/chat/page/${name}`),
  ...sharedFiles.names.map((name) => `/page/${name}`),
].sort();

Deno.test("the chat serves all that the page and its modules name, and nothing is left over", async () => {
  const chat = app();
  const { files } = await wholePage((path) => ask(chat, "GET", path), "/");
  assert.deepEqual([...files.keys()].sort(), paths);
});

Deno.test("the page names all its modules, so that none waits for another one to be read", async () => {
  const chat = app();
  const { named } = await wholePage((path) => ask(chat, "GET", path), "/");
  assert.deepEqual(named.sort(), paths.filter((path) => path.endsWith(".js")));
});

Deno.test("the page's files are kept by browsers, and answered with 304 as long as they are the same", async () => {
  const chat = app();
  const response = await ask(chat, "GET", "/chat/page/main.js");
  const etag = response.headers.get("etag") ?? "";
  assert.match(etag, /^"[A-Za-z0-9+/]{43}="$/);
  assert.equal(response.headers.get("cache-control"), "no-cache");
  assert.equal(response.headers.get("set-cookie"), null);
  for (const given of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const same = await ask(chat, "GET", "/chat/page/main.js", undefined, {
      "if-none-match": given,
    });
    assert.equal(same.status, 304, given);
    assert.equal(same.headers.get("etag"), etag);
    assert.equal(same.headers.get("cache-control"), "no-cache");
    assert.equal(await same.text(), "");
  }
  for (const given of ['"x"', etag.replaceAll('"', "")]) {
    const other = await ask(chat, "GET", "/chat/page/main.js", undefined, {
      "if-none-match": given,
    });
    assert.equal(other.status, 200, given);
    assert.equal(await other.text(), await fileText("main.js"));
  }
  const others = await Promise.all(pageFiles.names.map((name) => pageFiles.get(name, etag)));
  assert.deepEqual(others.filter((file) => file?.status === 304).length, 1);
});

Deno.test("the page's files answer HEAD without a body, and other names with 404", async () => {
  const chat = app();
  const head = (path: string) =>
    Promise.resolve(chat.fetch(new Request(`http://localhost:8765${path}`, { method: "HEAD" })));
  const file = await head("/chat/page/style.css");
  assert.equal(file.status, 200);
  assert.equal(file.headers.get("content-type"), "text/css; charset=utf-8");
  const { length } = new TextEncoder().encode(await fileText("style.css"));
  assert.equal(file.headers.get("content-length"), String(length));
  assert.match(file.headers.get("etag") ?? "", /^"/);
  assert.equal(await file.text(), "");
  assert.equal((await head("/")).status, 200);
  for (const name of ["none.js", "page.ts", "index.html", "__proto__", "..%2Fchat_app.ts", ""]) {
    for (const folder of ["/page/", "/chat/page/"]) {
      const response = await ask(chat, "GET", folder + name);
      assert.equal(response.status, 404, name);
      assert.equal(response.headers.get("cache-control"), "no-store");
      await response.body?.cancel();
    }
  }
});

Deno.test("the page's markup has no script, style or handler of its own, which its policy forbids", () => {
  assert.deepEqual([...html.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map((it) => it[1]), [""]);
  assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|javascript:/i);
});

Deno.test("the page's modules are checked, and make no markup, script or style out of text", async () => {
  for (const name of ownModules) {
    const text = await fileText(name);
    assert.match(text, /^\/\/ @ts-check\n/, name);
    assert.doesNotMatch(text, /@ts-(ignore|nocheck|expect-error)|@\w+ \{[^}]*\bany\b/, name);
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|import\(|cssText/,
      name,
    );
  }
});

Deno.test("the page's modules find their elements in its markup", async () => {
  const tags = new Map(
    [...html.matchAll(/<(\w+)\b[^>]*?\sid="([^"]+)"/g)].map(([, tag = "", id = ""]) => [id, tag]),
  );
  const kinds: Record<string, RegExp> = {
    HTMLElement: /./,
    HTMLButtonElement: /^button$/,
    HTMLDialogElement: /^dialog$/,
    HTMLDetailsElement: /^details$/,
    HTMLFormElement: /^form$/,
    HTMLInputElement: /^input$/,
    HTMLTextAreaElement: /^textarea$/,
  };
  let found = 0;
  for (const name of modules) {
    for (
      const [, id = "", kind = ""] of (await fileText(name)).matchAll(/byId\("(.*?)", (\w+)\)/g)
    ) {
      assert.match(tags.get(id) ?? "", kinds[kind] ?? assert.fail(kind), `${name}: ${id}`);
      found++;
    }
  }
  assert.ok(found > 20, `only ${found} were found`);
  for (const [, id = ""] of html.matchAll(/(?:for|aria-\w+)="([a-z-]+)"/g)) {
    if (!/^(true|false)$/.test(id)) assert.ok(tags.has(id), id);
  }
});

Deno.test("the page's modules import each other in no circle", async () => {
  const imports = new Map<string, string[]>();
  for (const name of modules) {
    imports.set(
      name,
      importsOf(await fileText(name)).map((specifier) => specifier.replace(/^.*\//, "")),
    );
  }
  const visit = (name: string, above: readonly string[]): void => {
    assert.equal(above.includes(name), false, [...above, name].join(" > "));
    for (const other of imports.get(name) ?? []) visit(other, [...above, name]);
  };
  visit("main.js", []);
});
