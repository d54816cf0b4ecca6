import type { ScenarioFile } from "../../mock/mod.ts";
import type { FetchApp } from "../../web/http/mod.ts";

/**
 * The chat of `llmcmd serve` for `server.ts`, under any host name and only with the token. With
 * `models`, it has the gateway of `llmcmd proxy` at `/v1` and `/gateway`. `warn` gets warnings,
 * such as that there is no sandbox, and a line about each run of a CLI agent.
 */
export async function tokenChat(
  token: string,
  warn: (message: string) => void,
  models?: string,
): Promise<FetchApp> {
  const { openChat, openGatewayOf, UNCONFINED } = await import("../chat/chat.ts");
  const chat = await openChat({
    ...{ program: "server.ts", sandbox: "auto", allow: [], hosts: "any", token, warn },
  });
  if (!chat.sandboxed) warn(UNCONFINED);
  if (models === undefined) return chat.app;
  const { gatewayBeside } = await import("../../web/gateway/mod.ts");
  const gateway = await openGatewayOf(chat, { models, hosts: "any", tell: warn, warn });
  return gatewayBeside(gateway.app, chat.app);
}

/**
 * Reads scenario files for `server.ts`; of a folder all in name order.
 *
 * @throws {Error} A path cannot be read, or holds no scenarios.
 */
export async function scenariosAt(paths: readonly string[]): Promise<ScenarioFile> {
  const { readScenarios } = await import("../mock/mock.ts");
  return await readScenarios(paths);
}
