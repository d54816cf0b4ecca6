/** What a new process inherits from this one, if it is passed on. */
export interface ProcessHost {
  /** The operating system, such as `linux`, `darwin` or `windows`. */
  readonly os: string;
  /** The user's number; `undefined` where there is none or `--allow-sys=uid` is missing. */
  readonly uid: number | undefined;
  /** The environment as far as `--allow-env` covers it. */
  readonly env: Readonly<Record<string, string>>;
  /** False when `env` holds a few well-known names only, or less, as `--allow-env` is limited. */
  readonly wholeEnv: boolean;
}

/** The variables that are read one by one where the whole environment may not be read. */
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

/** The path of the `deno` that runs this; `undefined` in a compiled program, or if it is hidden. */
export function denoProgram(): string | undefined {
  if (Deno.build.standalone) return undefined;
  try {
    return Deno.execPath();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/** The folder this process is in. */
export function currentFolder(): string {
  return Deno.cwd();
}

function granted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}
