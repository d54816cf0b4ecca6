import type { CoderLimits } from "../../coder/mod.ts";
import {
  type EndpointValues,
  endpointValues,
  missingKey,
  readSettings,
  type SettingValues,
} from "../configuration/mod.ts";
import { nameOf, SETTINGS } from "../settings/mod.ts";

/** The settings of the coding agent. */
export interface AgentSettings extends EndpointValues {
  /** The model for titles and summaries. */
  readonly smallModel: string;
  readonly limits: Pick<
    CoderLimits,
    "apiCalls" | "tokens" | "contextTokens" | "bashSeconds" | "names"
  >;
}

/**
 * Reads the settings of the coding agent; see `readSettings`.
 *
 * @throws {ConfigError} A value is wrong, or there is no key.
 */
export async function readAgentSettings(
  baseUrl: string | undefined,
  warn: (message: string) => void,
): Promise<AgentSettings & { readonly apiKey: string }> {
  const { values, hidden } = await readSettings("agent", { baseUrl }, warn);
  const settings = agentSettings(values);
  const { apiKey } = settings;
  if (apiKey === undefined) throw missingKey("agent", hidden, settings.baseUrl);
  return { ...settings, apiKey };
}

/**
 * Checks the values of the settings.
 *
 * @throws {ConfigError} A value is wrong.
 */
export function agentSettings(values: SettingValues): AgentSettings {
  const endpoint = endpointValues(values, "agent");
  const { turnCalls, turnTokens, contextTokens, bashSeconds } = SETTINGS;
  return {
    ...endpoint,
    smallModel: values.get(SETTINGS.smallModel) ?? endpoint.model,
    limits: {
      apiCalls: values.get(turnCalls),
      tokens: values.get(turnTokens),
      contextTokens: values.get(contextTokens),
      bashSeconds: values.get(bashSeconds),
      names: { apiCalls: nameOf(turnCalls, "agent"), tokens: nameOf(turnTokens, "agent") },
    },
  };
}
