/** Variables that make programs run other code before their own. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "BASH_ENV",
  "ENV",
  "LD_AUDIT",
  "LD_PRELOAD",
  "NODE_OPTIONS",
  "PYTHONSTARTUP",
]);

/** Variables that shells set themselves and make read-only. */
const READ_ONLY: ReadonlySet<string> = new Set([
  "BASHOPTS",
  "BASH_VERSINFO",
  "EUID",
  "PPID",
  "SHELLOPTS",
  "UID",
]);

/** Longest value in bytes: the system's limit for one variable, less room for the name. */
const MOST_VALUE = 100_000;

/**
 * Checks the name and the new value of a variable.
 *
 * @throws {RangeError} The name is invalid, or makes programs run other code; the value has a NUL
 * character or is too long.
 */
export function checkVariable(name: string, value: string | null): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new RangeError(
      `Cannot use the name ${JSON.stringify(name)}: a variable has letters, digits and _, ` +
        "and does not begin with a digit",
    );
  }
  if (READ_ONLY.has(name)) {
    throw new RangeError(`Cannot set ${name}: shells set it themselves`);
  }
  if (value === null) return;
  if (FORBIDDEN.has(name) || name.startsWith("BASH_FUNC_")) {
    throw new RangeError(
      `Cannot set ${name}: it makes programs run other code before their own; run that code with ` +
        "the command itself",
    );
  }
  if (value.includes("\0")) throw new RangeError(`Cannot set ${name}: it has a NUL character`);
  const { length } = new TextEncoder().encode(value);
  if (length > MOST_VALUE) {
    throw new RangeError(
      `Cannot set ${name}: it has ${length} bytes, and a variable at most ${MOST_VALUE}; ` +
        "write it to a file",
    );
  }
}

/** True if commands never get this variable, even if it is set in the environment. */
export function isForbidden(name: string): boolean {
  return FORBIDDEN.has(name);
}

/** Changes by CliEnv to the variables of all commands of one client. */
export class Variables {
  readonly #changes = new Map<string, string | null>();
  readonly #most: number;

  /** `most`: most bytes of all variables that are set, names and values together. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Values that were set, and `null` for variables that were removed. */
  get changes(): Readonly<Record<string, string | null>> {
    return Object.fromEntries(this.#changes);
  }

  /**
   * Sets a variable, or removes it (`null`).
   *
   * @throws {RangeError} The name or value is refused, or all variables together are too long.
   */
  set(name: string, value: string | null): void {
    checkVariable(name, value);
    const bytes = this.#bytesWithout(name) + (value === null ? 0 : bytesOf(name, value));
    if (value !== null && bytes > this.#most) {
      throw new RangeError(
        `Cannot set ${name}: all variables would have ${bytes} bytes, and they may have ` +
          `${this.#most}; unset some, or write it to a file`,
      );
    }
    this.#changes.set(name, value);
  }

  #bytesWithout(name: string): number {
    let bytes = 0;
    for (const [other, value] of this.#changes) {
      if (other !== name) bytes += bytesOf(other, value ?? "");
    }
    return bytes;
  }
}

function bytesOf(name: string, value: string): number {
  return new TextEncoder().encode(`${name}=${value}`).length;
}

/** Applies changes to an environment: values to set, `null` to remove a variable. */
export function changed(
  environment: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const result = new Map(Object.entries(environment));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) result.delete(name);
    else result.set(name, value);
  }
  return Object.fromEntries(result);
}
