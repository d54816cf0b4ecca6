import assert from "node:assert/strict";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** The specifiers that a module imports. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(/^(?:import|export) (?:\{[^}]*\} from )?"([^"]+)";$/gm)]
    .map(([, specifier = ""]) => specifier);
}

/** The addresses that markup names, without data and fragments. */
export function addressesIn(markup: string): string[] {
  return [...markup.matchAll(/\s(?:src|href)="([^"#][^"]*)"/g)]
    .map(([, address = ""]) => address).filter((address) => !address.startsWith("data:"));
}

/** A page and every file that it and its modules name. */
export interface WholePage {
  readonly html: string;
  /** The paths of the modules that the page preloads or runs. */
  readonly named: string[];
  /** The text of each file by its path. */
  readonly files: ReadonlyMap<string, string>;
}

/** Loads a page as a browser does: follows every address that the page and its modules name. */
export async function wholePage(
  get: (path: string) => Promise<Response>,
  path: string,
): Promise<WholePage> {
  const origin = "http://localhost:8765";
  const page = await get(path);
  assert.equal(page.status, 200, path);
  const html = await page.text();
  const pathOf = (address: string, from: string) => new URL(address, origin + from).pathname;
  const waiting = addressesIn(html).map((address) => pathOf(address, path));
  const named = waiting.filter((file) => file.endsWith(".js"));
  const files = new Map<string, string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    const response = await get(file);
    assert.equal(response.status, 200, file);
    assert.equal(response.headers.get("content-type"), TYPES[file.split(".").at(-1) ?? ""], file);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff", file);
    const text = await response.text();
    assert.ok(text.length > 0, file);
    files.set(file, text);
    if (!file.endsWith(".js")) continue;
    for (const specifier of importsOf(text)) {
      assert.match(specifier, /^\.\.?\/[\w./]+\.js$/, file);
      waiting.push(pathOf(specifier, file));
    }
  }
  return { html, named, files };
}
