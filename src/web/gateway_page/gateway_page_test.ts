import assert from "node:assert/strict";
import { gatewayPage, gatewayPageFile } from "./gateway_page.ts";

const html = await gatewayPage().text();
const ADDRESS = "http://localhost/";

/** The files that the page needs, by their paths. */
async function allFiles(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = [...html.matchAll(/\s(?:src|href)="([^"#:]+)"/g)]
    .map(([, address = ""]) => new URL(address, ADDRESS).pathname);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const file = await gatewayPageFile(path, undefined) ?? assert.fail(`There is no ${path}`);
    const text = await file.text();
    found.set(path, text);
    if (!path.endsWith(".js")) continue;
    assert.equal(file.headers.get("content-type"), "text/javascript; charset=utf-8");
    for (const [, specifier = ""] of text.matchAll(/^import \{[^}]*\} from "([^"]+)";$/gm)) {
      waiting.push(new URL(specifier, ADDRESS.slice(0, -1) + path).pathname);
    }
  }
  return found;
}

Deno.test("the gateway serves all that its page names, and loads it without waiting for imports", async () => {
  const paths = [...(await allFiles()).keys()].sort();
  const own = ["api.js", "main.js", "run_details.js", "run_words.js", "style.css", "tables.js"];
  assert.deepEqual(paths, [
    ...own.map((name) => `/gateway_page/${name}`),
    ...["dom.js", "style.css", "words.js"].map((name) => `/page/${name}`),
  ]);
  const loaded = [...html.matchAll(/(?:modulepreload" href|module" src)="([^"]+)"/g)];
  assert.deepEqual(
    loaded.map(([, path]) => `/${path}`).sort(),
    paths.filter((path) => path.endsWith(".js")),
  );
});

Deno.test("the gateway's page may run its own modules alone, and they make no markup of text", async () => {
  const policy = gatewayPage().headers.get("content-security-policy") ?? "";
  assert.match(policy, /^default-src 'none'; script-src 'self'; /);
  assert.match(policy, /require-trusted-types-for 'script'/);
  assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|javascript:|<script[^>]*>[^<]/i);
  for (const [path, text] of await allFiles()) {
    if (path.endsWith(".js")) assert.match(text, /^\/\/ @ts-check\n/, path);
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|import\(|cssText/,
      path,
    );
  }
});

Deno.test("the gateway serves no other file", async () => {
  for (const path of ["/page/chat.js", "/gateway_page/index.html", "/gateway_page/", "/x"]) {
    assert.equal(await gatewayPageFile(path, undefined), undefined, path);
  }
});
