/** The gateway's page, with its style sheet and modules. It shares files with the chat's page. */
import { htmlPage, StaticFiles } from "../../http/mod.ts";
import { SHARED_FOLDER, sharedFiles } from "../../page/mod.ts";
import apiJs from "./api.js" with { type: "text" };
import html from "./index.html" with { type: "text" };
import mainJs from "./main.js" with { type: "text" };
import runDetailsJs from "./run_details.js" with { type: "text" };
import runWordsJs from "./run_words.js" with { type: "text" };
import tablesJs from "./tables.js" with { type: "text" };
import styleCss from "./style.css" with { type: "text" };

/** The path of the page's own files, below the base of the app. */
export const GATEWAY_PAGE_FOLDER = "/gateway/page/";

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

/**
 * The page itself, without secrets: it asks for its contents with the key.
 *
 * @param base The path that the app is mounted at.
 */
export function gatewayPage(base: string): Response {
  return htmlPage(html, base);
}

/**
 * A file that the page needs, by its path below the base; `undefined` if there is none.
 *
 * @param ifNoneMatch The header `If-None-Match` of the request.
 */
export async function gatewayPageFile(
  path: string,
  ifNoneMatch: string | undefined,
): Promise<Response | undefined> {
  for (
    const [folder, some] of [[GATEWAY_PAGE_FOLDER, files], [SHARED_FOLDER, sharedFiles]] as const
  ) {
    if (path.startsWith(folder)) return await some.get(path.slice(folder.length), ifNoneMatch);
  }
  return undefined;
}
