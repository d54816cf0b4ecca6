import { FileError, readEnv, readTextFile } from "../sys/mod.ts";
import { ConfigError, parseConfig } from "./config_file.ts";
import { baseUrlOption, dummyKeyHint, type Setting } from "./endpoint_settings.ts";
import { type Key, KEYS } from "./pages/mod.ts";
import { addEntries, checkSettings, type Settings } from "./settings.ts";
import { readUsualConfig } from "./usual_config.ts";

/** Settings, and what could not be read for want of a permission. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Variables and files that are not covered by a permission, as flags that would allow them. */
  readonly hidden: readonly string[];
}

/**
 * Reads environment and configuration files. The environment counts before the files. A file that
 * isn't there says nothing; one that can't be read is a warning, unless it is `configFile`.
 *
 * `baseUrl` is the address from the command line, which counts before all.
 *
 * @throws {ConfigError} A value is wrong, or `configFile` can't be read.
 * @throws {PermissionError} `--allow-read` doesn't cover `configFile`.
 */
export async function loadSettings(
  { config: configFile, baseUrl }: { readonly config?: string; readonly baseUrl?: string },
  warn: (message: string) => void,
): Promise<LoadedSettings> {
  const environment = readEnv([...KEYS, "HOME", "XDG_CONFIG_HOME"]);
  const hidden: string[] = [];
  const denied = Object.entries(environment).flatMap(([name, { state }]) =>
    state === "denied" ? [name] : []
  );
  if (denied.length > 0) hidden.push(`--allow-env=${denied.join(",")}`);
  const settings = new Map<Key, Setting>();
  if (baseUrl !== undefined) settings.set("OPENAI_BASE_URL", baseUrlOption(baseUrl));
  for (const key of KEYS) {
    const variable = environment[key];
    if (variable.state === "set" && !settings.has(key)) {
      settings.set(key, { value: variable.value, from: "the environment" });
    }
  }
  if (configFile !== undefined) {
    addEntries(settings, parseConfig(await readChosen(configFile), configFile), configFile, warn);
  } else {
    const { HOME: home, XDG_CONFIG_HOME: xdg } = environment;
    const usual = await readUsualConfig(
      home.state === "set" ? home.value : undefined,
      xdg.state === "set" ? xdg.value : undefined,
      warn,
    );
    hidden.push(...usual.hidden.map((file) => `--allow-read=${file}`));
    for (const { file, entries } of usual.files) addEntries(settings, entries, file, warn);
  }
  return { settings: checkSettings(settings, warn), hidden };
}

async function readChosen(file: string): Promise<string> {
  try {
    return await readTextFile(file);
  } catch (error) {
    if (error instanceof FileError) throw new ConfigError(error.message, { cause: error });
    throw error;
  }
}

/** The error for a run without a key. */
export function missingKey(hidden: readonly string[], baseUrl: string): ConfigError {
  const how = "set OPENAI_API_KEY in the environment or in ~/.llmcmdrc" + dummyKeyHint(baseUrl);
  const flags = hidden.filter((flag) => flag.includes("OPENAI_API_KEY") || flag.includes("read="));
  const hint = flags.length === 0 ? "" : ` (not looked at, for want of ${flags.join(" ")})`;
  return new ConfigError(`The API key is missing: ${how}${hint}`);
}
