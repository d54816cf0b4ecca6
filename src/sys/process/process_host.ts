/** Facts about this process that a new one may get. */
export interface ProcessHost {
  /** The operating system, such as `linux`, `darwin` or `windows`. */
  readonly os: string;
  /** The user's id; `undefined` if the system has none or `--allow-sys=uid` is missing. */
  readonly uid: number | undefined;
  /** The environment as far as `--allow-env` covers it. */
  readonly env: Readonly<Record<string, string>>;
  /** False if `--allow-env` is limited: `env` then has some well-known names at most. */
  readonly wholeEnv: boolean;
}

/** Variables to read one by one if the whole environment may not be read. */
const WELL_KNOWN = ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER"];

/**
 * Reads facts about the process and the machine, as far as the permissions go, without a prompt.
 */
export function processHost(): ProcessHost {
  const wholeEnv = granted({ name: "env" });
  const env: Record<string, string> = {};
  if (wholeEnv) Object.assign(env, Deno.env.toObject());
  else {
    for (const variable of WELL_KNOWN) {
      const value = granted({ name: "env", variable }) ? Deno.env.get(variable) : undefined;
      if (value !== undefined) env[variable] = value;
    }
  }
  // Deno allows variables of the dynamic linker only with the permission to start any program.
  if (!granted({ name: "run" })) {
    for (const name of Object.keys(env)) if (/^(LD|DYLD)_/.test(name)) delete env[name];
  }
  const uid = granted({ name: "sys", kind: "uid" }) ? Deno.uid() ?? undefined : undefined;
  return { os: Deno.build.os, uid, env, wholeEnv };
}

/** Path of the `deno` that runs this; `undefined` in a compiled program or without permission. */
export function denoProgram(): string | undefined {
  if (Deno.build.standalone) return undefined;
  try {
    return Deno.execPath();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/** The current folder of this process. */
export function currentFolder(): string {
  return Deno.cwd();
}

function granted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}
