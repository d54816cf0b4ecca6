/**
 * The files that the pages of several apps share: base style sheet, elements and wording. Served below
 * {@linkcode SHARED_FOLDER}, so that a module's relative imports mean the same file in the browser and
 * for `deno check`.
 *
 * @module
 */
import { StaticFiles } from "../http/mod.ts";
import baseCss from "./base.css" with { type: "text" };
import domJs from "./dom.js" with { type: "text" };
import wordsJs from "./words.js" with { type: "text" };

/** The path of the files, below the base of the app. */
export const SHARED_FOLDER = "/page/";

/** The shared files by their names. */
export const sharedFiles: StaticFiles = new StaticFiles(
  new Map([["base.css", baseCss], ["dom.js", domJs], ["words.js", wordsJs]]),
);
