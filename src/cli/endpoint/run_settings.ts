import { defaultLimits, type LlmcmdLimits } from "../../llmcmd/mod.ts";
import {
  type EndpointValues,
  endpointValues,
  readSettings,
  type SettingOptions,
  type SettingValues,
} from "../configuration/mod.ts";
import { nameOf, SETTINGS } from "../settings/mod.ts";

/** The settings of a run of `llmcmd`. */
export interface RunSettings extends EndpointValues {
  /** The model of the operation LLMCMD with `top_level` false; see `llmcmd fsproxy`. */
  readonly internalModel: string;
  /** Most tokens of one answer. */
  readonly maxTokens: number;
  readonly limits: LlmcmdLimits;
}

/** The variables that raise the limits of a run. */
export const LIMIT_NAMES = {
  apiCalls: nameOf(SETTINGS.apiCalls, "llmcmd"),
  inputBytes: nameOf(SETTINGS.inputBytes, "llmcmd"),
  outputBytes: nameOf(SETTINGS.outputBytes, "llmcmd"),
  seconds: nameOf(SETTINGS.seconds, "llmcmd"),
  tokens: nameOf(SETTINGS.tokens, "llmcmd"),
} as const;

/** Most bytes that the read tool returns at once. */
const MOST_READ = 64 * 1024;

/**
 * Reads the settings of a run; see `readSettings`.
 *
 * @throws {ConfigError} A value is wrong, or the file of `--config` can't be read.
 * @throws {PermissionError} `--allow-read` doesn't cover the file of `--config`.
 */
export async function readRunSettings(
  options: SettingOptions,
  warn: (message: string) => void,
): Promise<{ settings: RunSettings; hidden: readonly string[] }> {
  const { values, hidden } = await readSettings("llmcmd", options, warn);
  return { settings: runSettings(values, warn), hidden };
}

/**
 * Checks the values of the settings.
 *
 * @throws {ConfigError} A value is wrong.
 */
export function runSettings(values: SettingValues, warn: (message: string) => void): RunSettings {
  const readBufferSize = values.get(SETTINGS.readBufferSize);
  if (readBufferSize > MOST_READ) {
    const name = nameOf(SETTINGS.readBufferSize, "llmcmd");
    warn(`${name} is ${readBufferSize}: a read gives at most ${MOST_READ} bytes`);
  }
  return {
    ...endpointValues(values, "llmcmd"),
    internalModel: values.get(SETTINGS.internalModel),
    maxTokens: values.get(SETTINGS.maxTokens),
    limits: {
      ...defaultLimits,
      names: LIMIT_NAMES,
      inputBytes: values.get(SETTINGS.inputBytes),
      outputBytes: values.get(SETTINGS.outputBytes),
      readBufferSize: Math.min(readBufferSize, MOST_READ),
      apiCalls: values.get(SETTINGS.apiCalls),
      seconds: values.get(SETTINGS.seconds),
      tokens: values.get(SETTINGS.tokens),
    },
  };
}
