/** The value of an environment variable, or the reason for having none. */
export type EnvValue =
  | { readonly state: "set"; readonly value: string }
  | { readonly state: "unset" }
  /** `--allow-env` doesn't cover it. */
  | { readonly state: "denied" };

/**
 * Reads environment variables by name, without a permission prompt. Each needs its own permission.
 * An empty variable counts as unset.
 */
export function readEnv<Name extends string>(names: readonly Name[]): Record<Name, EnvValue> {
  const values = {} as Record<Name, EnvValue>;
  for (const name of names) values[name] = readVariable(name);
  return values;
}

/** The value of an environment variable; `undefined` if it is unset, empty or not permitted. */
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
