import { hexadecimal, messageOf } from "../../base/mod.ts";
import { appendFile, isMissing, readTextFile } from "../../sys/mod.ts";
import { randomName } from "./door.ts";

/** Most bytes of the file with the name. */
const LIMIT = 4096;

/**
 * The name under which the desktop's sessions of a folder are kept: the same each time, and each
 * folder has its own. It is made of a random name in the state folder, so that nobody else's
 * browser can have it.
 */
export async function desktopOwner(
  stateFolder: string | undefined,
  root: string,
  warn: (message: string) => void,
): Promise<string> {
  const name = stateFolder === undefined
    ? randomName()
    : await keptName(`${stateFolder}/desktop`).catch((error) => {
      warn(`earlier sessions are not listed: ${messageOf(error)}`);
      return randomName();
    });
  const bytes = new TextEncoder().encode(`${name}\n${root}`);
  return hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** The name in a file, which is made where it is missing. */
async function keptName(path: string): Promise<string> {
  const kept = await readTextFile(path, LIMIT).catch((error) => {
    if (isMissing(error)) return "";
    throw error;
  });
  if (kept.trim() !== "") return kept.trim();
  const name = randomName();
  const file = await appendFile(path);
  try {
    await file?.append(`${name}\n`);
  } finally {
    file?.close();
  }
  return name;
}
