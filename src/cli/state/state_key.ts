import { hexadecimal } from "../../base/mod.ts";
import type { PrivateFiles } from "../../sys/mod.ts";
import { ConfigError } from "../settings/mod.ts";

/** The key of this user's own servers. */
export interface StateKey {
  /** At least 32 letters, digits, hyphens and underscores. */
  readonly key: string;
  /** The file of the key. */
  readonly path: string;
}

/**
 * Returns the key of this user's own servers: 256 random bits, made once and stored in the state
 * folder (mode 0600), so that clients still work after a restart. Servers that start at the same
 * time get the same key.
 *
 * @throws {ConfigError} Other users have access to the file, or it holds no key.
 * @throws {FileError | PermissionError} The file can't be read or created.
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
  // If another server was faster, its key counts.
  return await files.create(path, text) ? text : await files.readText(path) ?? "";
}

function randomKey(): string {
  return `llmcmd-${hexadecimal(crypto.getRandomValues(new Uint8Array(32)))}`;
}
