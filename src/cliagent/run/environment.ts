import { isSecretVariable } from "../../base/mod.ts";

/**
 * Variables that every CLI gets: folders, the user's name, language and time zone. An entry must
 * list all others, such as keys, addresses of endpoints and proxies.
 */
export const basicVariables: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR",
  "XDG_STATE_HOME",
];

/** Looks up a variable of the gateway's environment. */
export type LookUpVariable = (name: string) => string | undefined;

/** Makes the environment of a CLI: the basic variables, the named ones, and those with values. */
export function environmentOf(
  lookUp: LookUpVariable,
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...basicVariables, ...names]) {
    const value = lookUp(name);
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...values };
}

/** The values in an environment that must not be shown: keys, tokens, passwords. */
export function secretsOf(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment)
    .filter(([name, value]) => isSecretVariable(name, value))
    .map(([, value]) => value);
}
