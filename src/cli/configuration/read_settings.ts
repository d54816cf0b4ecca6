import { FileError, readEnv, readTextFile } from "../../sys/mod.ts";
import {
  ConfigError,
  DEFAULT_BASE_URL,
  namesOf,
  type Reader,
  SETTINGS,
  variablesOf,
} from "../settings/mod.ts";
import { parseConfig } from "./config_file.ts";
import { readUsualFiles } from "./usual_files.ts";
import { SettingValues } from "./values.ts";

/** The settings of one reader. */
export interface ReadSettings {
  readonly values: SettingValues;
  /** Flags that would allow reading the variables and files which are not permitted. */
  readonly hidden: readonly string[];
}

/** Options of the command line about settings. */
export interface SettingOptions {
  /** The file of `--config`, which replaces the usual files. */
  readonly config?: string | undefined;
  /** The address of `--base-url`, which overrides all sources. */
  readonly baseUrl?: string | undefined;
}

/**
 * Reads the environment and the configuration files. The environment counts before the files, even
 * if a file has the synonym that counts first. A missing file is skipped; one that can't be read is
 * a warning, unless it is `config`.
 *
 * @throws {ConfigError} A line of a file can't be parsed, or `config` can't be read.
 * @throws {PermissionError} `--allow-read` doesn't cover `config`.
 */
export async function readSettings(
  reader: Reader,
  { config, baseUrl }: SettingOptions,
  warn: (message: string) => void,
): Promise<ReadSettings> {
  const environment = Object.entries(readEnv([...variablesOf(reader), "HOME", "XDG_CONFIG_HOME"]));
  const variables = new Map<string, string>();
  const denied: string[] = [];
  for (const [name, variable] of environment) {
    if (variable.state === "denied") denied.push(name);
    if (variable.state === "set" && variable.value.trim() !== "") {
      variables.set(name, variable.value);
    }
  }
  const hidden = denied.length > 0 ? [`--allow-env=${denied.join(",")}`] : [];
  const values = new SettingValues(reader);
  values.addOption(SETTINGS.baseUrl, baseUrl);
  values.addEnvironment(variables);
  if (config !== undefined) {
    values.addFile(parseConfig(await readChosen(config), config), config, warn);
  } else {
    const usual = await readUsualFiles(
      variables.get("HOME"),
      variables.get("XDG_CONFIG_HOME"),
      warn,
    );
    hidden.push(...usual.hidden.map((file) => `--allow-read=${file}`));
    for (const { file, entries } of usual.files) values.addFile(entries, file, warn);
  }
  const unused = values.unusedAddress();
  if (unused !== undefined) warn(unused);
  return { values, hidden };
}

async function readChosen(file: string): Promise<string> {
  try {
    return await readTextFile(file);
  } catch (error) {
    if (error instanceof FileError) throw new ConfigError(error.message, { cause: error });
    throw error;
  }
}

/** The error for a missing key; `hidden` may be the reason. */
export function missingKey(
  reader: Reader,
  hidden: readonly string[],
  baseUrl: string,
): ConfigError {
  const names = namesOf(SETTINGS.apiKey, reader);
  const how = `set ${names.join(" or ")} in the environment or in ~/.llmcmdrc` +
    (baseUrl === DEFAULT_BASE_URL ? "" : "; for a server that needs no key, any word will do");
  const flags = hidden.filter((flag) =>
    flag.startsWith("--allow-read=") || names.some((name) => flag.includes(name))
  );
  const hint = flags.length === 0
    ? ""
    : ` (some sources cannot be read without ${flags.join(" ")})`;
  return new ConfigError(`The API key is missing: ${how}${hint}`);
}
