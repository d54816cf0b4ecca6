import { type ChatClient, openaiClient } from "../llm/mod.ts";
import { PATIENCE_NAMES } from "./endpoint_settings.ts";
import type { Settings } from "./settings.ts";
import { VERSION } from "./version.ts";

/** The endpoint of the settings. */
export function chatClientOf(settings: Settings): ChatClient {
  return openaiClient({
    apiKey: settings.apiKey ?? "",
    baseUrl: settings.baseUrl,
    ...settings.patience,
    names: PATIENCE_NAMES,
    headers: { "user-agent": `llmcmd/${VERSION}` },
  });
}

/** The host of an address as permissions name it. */
export function hostOf(baseUrl: string): string {
  const { host, hostname, port } = new URL(baseUrl);
  return port === "" ? hostname : host;
}
