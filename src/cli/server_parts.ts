import type { ScenarioFile } from "../mock/mod.ts";
import type { FetchApp } from "../web/mod.ts";

/**
 * The chat of `llmcmd serve` for `server.ts`, under any host name and only with the token. `warn`
 * gets warnings, such as that there is no sandbox.
 */
export async function tokenChat(
  token: string,
  warn: (message: string) => void,
): Promise<FetchApp> {
  const { openChat, UNCONFINED } = await import("./serve_chat.ts");
  const chat = await openChat({ sandbox: "auto", allow: [], hosts: "any", token, warn });
  if (!chat.sandboxed) warn(UNCONFINED);
  return chat.app;
}

/**
 * Reads scenario files for `server.ts`; of a folder all in name order.
 *
 * @throws {Error} If a path cannot be read, or holds no scenarios.
 */
export async function scenariosAt(paths: readonly string[]): Promise<ScenarioFile> {
  const { readScenarios } = await import("./scenario_files.ts");
  return await readScenarios(paths);
}
