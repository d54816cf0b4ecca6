/**
 * The gateway's page, and the style sheet and modules that it is made of, as the server gives them.
 * It shares the chat's colours and its module for elements, which are served at the same path as
 * the chat's (`/page/`); so the addresses are right both in the browser and for `deno check`.
 */
import { PAGE_FOLDER, pageFile } from "../page/page.ts";
import { htmlPage, StaticFiles } from "../static_files.ts";
import apiJs from "./api.js" with { type: "text" };
import html from "./index.html" with { type: "text" };
import mainJs from "./main.js" with { type: "text" };
import runDetailsJs from "./run_details.js" with { type: "text" };
import runWordsJs from "./run_words.js" with { type: "text" };
import tablesJs from "./tables.js" with { type: "text" };
import styleCss from "./style.css" with { type: "text" };

/** Under which path the files are that the page names. */
export const GATEWAY_PAGE_FOLDER = "/gateway_page/";

const files = new StaticFiles(
  new Map([
    ["api.js", apiJs],
    ["main.js", mainJs],
    ["run_details.js", runDetailsJs],
    ["style.css", styleCss],
    ["tables.js", tablesJs],
    ["run_words.js", runWordsJs],
  ]),
);

/** What the page uses of the chat's. */
const SHARED: ReadonlySet<string> = new Set(["dom.js", "style.css", "words.js"]);

/** The page itself. It holds nothing that is secret: what it shows it asks for with the key. */
export function gatewayPage(): Response {
  return htmlPage(html);
}

/**
 * A file of the page by its path; `undefined` if there is none.
 *
 * @param ifNoneMatch The header `If-None-Match` of the request.
 */
export async function gatewayPageFile(
  path: string,
  ifNoneMatch: string | undefined,
): Promise<Response | undefined> {
  if (path.startsWith(GATEWAY_PAGE_FOLDER)) {
    return await files.get(path.slice(GATEWAY_PAGE_FOLDER.length), ifNoneMatch);
  }
  return isSharedPageFile(path)
    ? await pageFile(path.slice(PAGE_FOLDER.length), ifNoneMatch)
    : undefined;
}

/** Whether a path is that of a file of the chat's page that this page uses, too. */
export function isSharedPageFile(path: string): boolean {
  return path.startsWith(PAGE_FOLDER) && SHARED.has(path.slice(PAGE_FOLDER.length));
}
