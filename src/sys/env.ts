/** The value of an environment variable, or why there is none. */
export type EnvValue =
  | { readonly state: "set"; readonly value: string }
  | { readonly state: "unset" }
  /** `--allow-env` doesn't cover it. */
  | { readonly state: "denied" };

/**
 * Reads environment variables by name, each under its own permission, and never asks the user for
 * one. An empty variable counts as unset.
 */
export function readEnv<Name extends string>(names: readonly Name[]): Record<Name, EnvValue> {
  const values = {} as Record<Name, EnvValue>;
  for (const name of names) values[name] = readVariable(name);
  return values;
}

/** The value of an environment variable; one that is empty or may not be read counts as not set. */
export function envValue(name: string): string | undefined {
  const variable = readVariable(name);
  return variable.state === "set" ? variable.value : undefined;
}

function readVariable(variable: string): EnvValue {
  if (Deno.permissions.querySync({ name: "env", variable }).state !== "granted") {
    return { state: "denied" };
  }
  const value = Deno.env.get(variable);
  return value === undefined || value === "" ? { state: "unset" } : { state: "set", value };
}
