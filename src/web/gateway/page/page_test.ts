import assert from "node:assert/strict";
import { wholePage } from "../../page/_testing.ts";
import { gatewayPage, gatewayPageFile } from "./page.ts";

/** Answers as the gateway does. */
async function get(path: string): Promise<Response> {
  const response = path === "/gateway"
    ? gatewayPage("")
    : await gatewayPageFile(path, undefined) ?? assert.fail(`There is no ${path}`);
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

Deno.test("the gateway serves all that its page names, and loads it without waiting for imports", async () => {
  const { files, named } = await wholePage(get, "/gateway");
  const paths = [...files.keys()].sort();
  const own = ["api.js", "main.js", "run_details.js", "run_words.js", "style.css", "tables.js"];
  assert.deepEqual(paths, [
    ...own.map((name) => `/gateway/page/${name}`),
    ...["base.css", "dom.js", "words.js"].map((name) => `/page/${name}`),
  ]);
  assert.deepEqual(named.sort(), paths.filter((path) => path.endsWith(".js")));
});

Deno.test("the gateway's page may run its own modules alone, and they make no markup of text", async () => {
  const policy = gatewayPage("").headers.get("content-security-policy") ?? "";
  assert.match(policy, /^default-src 'none'; script-src 'self'; /);
  assert.match(policy, /require-trusted-types-for 'script'/);
  const { html, files } = await wholePage(get, "/gateway");
  assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|javascript:|<script[^>]*>[^<]/i);
  for (const [path, text] of files) {
    if (path.endsWith(".js")) assert.match(text, /^\/\/ @ts-check\n/, path);
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|import\(|cssText/,
      path,
    );
  }
});

Deno.test("the gateway serves no other file", async () => {
  for (const path of ["/page/chat.js", "/gateway/page/index.html", "/gateway/page/", "/x"]) {
    assert.equal(await gatewayPageFile(path, undefined), undefined, path);
  }
});
