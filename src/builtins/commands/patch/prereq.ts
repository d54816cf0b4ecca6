import { type LineFile, LineView } from "../../hold/mod.ts";
import type { PatchSettings } from "./options.ts";
import { PatchError, type Talk } from "./talk.ts";
import { byteText, toUnicode } from "./text.ts";
import { quoteName } from "../../text/mod.ts";

/**
 * Looks for the word that a patch's `Prereq:` line asks of its file.
 *
 * @throws {PatchError} If it is not there, unless `-f` says that the file is to be patched anyway.
 */
export async function checkPrerequisite(
  word: string,
  lines: LineFile | undefined,
  { flags }: PatchSettings,
  talk: Talk,
): Promise<void> {
  const name = quoteName(toUnicode(word));
  if (lines !== undefined && await hasWord(lines, word)) {
    if (talk.verbose) talk.say(`Good.  This file appears to be the ${name} version.\n`);
    return;
  }
  const not = `his file doesn't appear to be the ${name} version --`;
  if (flags.has("force")) {
    if (!talk.silent) talk.say(`Warning: t${not} patching anyway.\n`);
    return;
  }
  if (flags.has("batch")) throw new PatchError(`T${not} aborting.`);
  talk.say(`T${not} patch anyway? [n] \n`);
  throw new PatchError("aborted");
}

const SPACE = /[ \t\n\v\f\r]/;

/**
 * Whether a word stands between white space. As for GNU's, the very end of a file does not count for
 * it, but its last byte does.
 */
async function hasWord(file: LineFile, word: string): Promise<boolean> {
  const view = new LineView(file);
  for (let line = 0; view.has(line) || await view.load(line); line++) {
    const text = byteText(view.bytes, view.start, view.end + (view.incomplete ? 0 : 1));
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      const end = at + word.length;
      const before = at === 0 || SPACE.test(text[at - 1] as string);
      const after = SPACE.test(text[end] ?? "x") || (view.incomplete && end === text.length - 1);
      if (before && after) return true;
    }
  }
  return false;
}
