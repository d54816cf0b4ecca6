import { closest } from "../base/mod.ts";
import { coderVariables, type EnvGetter } from "../coder/mod.ts";
import { envValue, readEnv } from "../sys/mod.ts";
import { baseUrlOption, checkApiKey, checkBaseUrl, type Setting } from "./endpoint_settings.ts";
import { readUsualConfig } from "./usual_config.ts";

/** The settings of the coding agent from the environment and the configuration files. */
export interface AgentEnvironment {
  /** Gives the value of a variable of `coderVariables`. */
  readonly value: EnvGetter;
  /** Where sessions are kept; `undefined` where neither HOME nor XDG_STATE_HOME is set. */
  readonly stateFolder: string | undefined;
  /** Folders with this program's own keys and sessions, which tools must not see. */
  readonly ownFolders: readonly string[];
}

/** Variables with the same meaning, in the order in which they count. */
const KEYS = ["LLM_AUTH_TOKEN", "OPENAI_API_KEY"];
const ADDRESSES = ["LLM_BASE_URL", "OPENAI_BASE_URL"];
const MODELS = ["LLM_DEFAULT_MODEL", "LLMCMD_MODEL"];

/**
 * Reads the environment and the configuration files. The environment counts before the files, even
 * if a file has the synonym that counts first; `baseUrl`, from the command line, counts before both.
 *
 * @throws {ConfigError} A file has a line that can't be parsed, or the key or the address is not
 * valid.
 */
export async function readAgentEnvironment(
  baseUrl: string | undefined,
  warn: (message: string) => void,
): Promise<AgentEnvironment> {
  const environment = readEnv([
    ...coderVariables,
    ...["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"],
  ]);
  const variable = (name: string) => {
    const found = environment[name];
    return found?.state === "set" && found.value.trim() !== "" ? found.value : undefined;
  };
  const settings = new Map<string, Setting>();
  for (const name of coderVariables) {
    const value = variable(name);
    if (value !== undefined) settings.set(name, { value, from: "the environment" });
  }
  if (baseUrl !== undefined) settings.set("LLM_BASE_URL", baseUrlOption(baseUrl));
  const home = variable("HOME");
  const { files } = await readUsualConfig(home, variable("XDG_CONFIG_HOME"), warn);
  for (const { file, entries } of files) {
    const own = new Map<string, Setting>();
    for (const { key, value, line } of entries) {
      if (!coderVariables.includes(key)) warnOfUnknown(key, `${file}, line ${line}`, warn);
      else if (value !== "") own.set(key, { value, from: file });
    }
    // All entries of a file are checked before any is added, because a file may set several
    // synonyms.
    const free = [...own].filter(([name]) => !synonyms(name).some((it) => settings.has(it)));
    for (const [name, setting] of free) settings.set(name, setting);
  }
  check(KEYS, settings, checkApiKey);
  check(ADDRESSES, settings, checkBaseUrl);
  const stateFolder = stateFolderOf(variable("XDG_STATE_HOME"), home);
  return {
    value: (name) => settings.get(name)?.value,
    stateFolder,
    ownFolders: stateFolder === undefined ? [] : [stateFolder],
  };
}

function synonyms(name: string): readonly string[] {
  return [KEYS, ADDRESSES, MODELS].find((names) => names.includes(name)) ?? [name];
}

function check(
  names: readonly string[],
  settings: ReadonlyMap<string, Setting>,
  rule: (name: string, setting: Setting) => unknown,
): void {
  for (const name of names) {
    const setting = settings.get(name);
    if (setting !== undefined) return void rule(name, setting);
  }
}

/** The files are shared with `llmcmd`, so only keys that can be meant for the agent are checked. */
function warnOfUnknown(key: string, where: string, warn: (message: string) => void): void {
  if (!/^(LLM|LLMCMD_AGENT)_/.test(key)) return;
  const near = closest(key, coderVariables);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  warn(`${where}: the key ${key} is not known${hint}`);
}

/**
 * Where the user's state is kept; `undefined` where neither variable is set. The XDG Base Directory
 * Specification says that relative paths are to be ignored.
 */
function stateFolderOf(
  xdg: string | undefined,
  home: string | undefined,
): string | undefined {
  if (xdg?.startsWith("/")) return `${xdg}/llmcmd`;
  return home === undefined ? undefined : `${home}/.local/state/llmcmd`;
}

/** {@linkcode stateFolderOf} the variables of this process; blank ones count as not set. */
export function usualStateFolder(): string | undefined {
  const [xdg, home] = ["XDG_STATE_HOME", "HOME"].map((name) => {
    const value = envValue(name);
    return value?.trim() === "" ? undefined : value;
  });
  return stateFolderOf(xdg, home);
}
