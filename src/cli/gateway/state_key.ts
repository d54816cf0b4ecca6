import type { PrivateFiles } from "../../sys/mod.ts";

/**
 * The key of this user's own servers: made once, and kept in the state folder (mode 0600), so that
 * clients go on working after a restart.
 */
export async function stateKey(
  files: PrivateFiles,
  stateFolder: string,
): Promise<{ key: string; path: string }> {
  const path = `${stateFolder}/key`;
  const kept = (await files.readText(path))?.trim();
  if (kept !== undefined && /^[A-Za-z0-9_-]{32,}$/.test(kept)) return { key: kept, path };
  await files.makeFolder(stateFolder);
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const key = `llmcmd-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  await files.write(path, `${key}\n`);
  return { key, path };
}
