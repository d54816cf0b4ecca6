import { type ChatClient, openaiClient } from "../../llm/mod.ts";
import { VERSION } from "../version.ts";
import type { RunSettings } from "./run_settings.ts";

/** Returns a client for the endpoint of the settings. */
export function chatClientOf({ apiKey, baseUrl, patience }: RunSettings): ChatClient {
  return openaiClient({
    apiKey: apiKey ?? "",
    baseUrl,
    ...patience,
    headers: { "user-agent": `llmcmd/${VERSION}` },
  });
}

/** The host of an address, in the form of Deno's permissions. */
export function hostOf(baseUrl: string): string {
  const { host, hostname, port } = new URL(baseUrl);
  return port === "" ? hostname : host;
}
