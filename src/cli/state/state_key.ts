import { hexadecimal } from "../../base/mod.ts";
import type { PrivateFiles } from "../../sys/mod.ts";
import { ConfigError } from "../settings/mod.ts";

/** The key of this user's own servers. */
export interface StateKey {
  /** At least 32 letters, digits, hyphens and underscores. */
  readonly key: string;
  /** The file that it is kept in. */
  readonly path: string;
}

/**
 * The key of this user's own servers: 256 random bits that are made once and kept in the state
 * folder (mode 0600), so that browsers and other clients go on working after a restart. Of servers
 * that start at the same time, all get the same.
 *
 * @throws {ConfigError} Other users have access to the file, or it has no key in it.
 * @throws {FileError | PermissionError} The file can't be read or made.
 */
export async function stateKey(files: PrivateFiles, stateFolder: string): Promise<StateKey> {
  const path = `${stateFolder}/key`;
  const kept = await files.readText(path) ?? await make(files, stateFolder, path);
  const again = "remove it, and a new one is made";
  if (!await files.isPrivate(path)) {
    throw new ConfigError(`Other users have access to the key in ${path}: ${again}`);
  }
  const key = kept.trim();
  if (!/^[\w-]{32,}$/.test(key)) throw new ConfigError(`There is no key in ${path}: ${again}`);
  return { key, path };
}

async function make(files: PrivateFiles, stateFolder: string, path: string): Promise<string> {
  await files.makeFolder(stateFolder);
  const text = `${randomKey()}\n`;
  // Where another server was faster, its key counts.
  return await files.create(path, text) ? text : await files.readText(path) ?? "";
}

function randomKey(): string {
  return `llmcmd-${hexadecimal(crypto.getRandomValues(new Uint8Array(32)))}`;
}
