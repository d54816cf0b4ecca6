import { hexadecimal, isSecretVariable } from "../base/mod.ts";
import { processHost } from "../sys/mod.ts";

/** The options for a command's environment. */
export interface EnvironmentOptions {
  /** The environment to start from; this process's own if absent. Secrets in it are left out. */
  readonly base?: Readonly<Record<string, string>> | undefined;
  /** Variables to add or replace, whatever their names. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables to pass on although they look like secrets. */
  readonly passEnv?: readonly string[] | undefined;
  /**
   * True if a person sits at the command's terminal, so that `TERM`, pagers and editors stay as
   * they are; false if absent.
   */
  readonly attended?: boolean | undefined;
}

/**
 * Prefixes of variables that are all secret: settings of LLM endpoints, those of this program
 * included.
 */
const SECRET_PREFIXES = /^(OPENAI|ANTHROPIC|GEMINI|LLM|LLMCMD)_/i;

/** Variables with code that a shell would run before the command. */
const SHELL_START = /^(BASH_ENV|ENV|BASH_FUNC_.*)$/;

/**
 * True if a variable of the environment looks like a secret, by its name or its value:
 *
 * - a word of the name, between underscores, is KEY, TOKEN, SECRET, PASSWORD, PASSWD, PASS, PWD,
 *   PASSPHRASE, CREDENTIALS, AUTH, COOKIE, JWT, DSN, PAT, PRIVATE or the like, in upper or lower
 *   case, except in PWD, OLDPWD and SSH_AUTH_SOCK;
 * - the name contains SECRET, PASSWORD, PASSPHRASE, TOKEN, API_KEY, ACCESS_KEY, PRIVATE_KEY or
 *   CREDENTIAL;
 * - it begins with OPENAI_, ANTHROPIC_, GEMINI_, LLM_ or LLMCMD_;
 * - the value is or has a URL with a password (`https://user:password@host`), a private key, an
 *   `Authorization` header, a key of a well-known service (`sk-`, `sk_live_`, `ghp_`, `AKIA`), a
 *   JSON web token, or the address of a webhook.
 *
 * Except for those prefixes, a switch (`true`, `off`, empty) is not a secret, nor is a number of
 * TOKENS.
 *
 * @example
 * ```ts
 * import { looksSecret } from "@llmcmd/llmcmd/terminal";
 *
 * if (!looksSecret("GITHUB_TOKEN", "x")) throw new Error("a token is a secret");
 * if (!looksSecret("DATABASE_URL", "postgres://me:pw@db/x")) throw new Error("so is a password");
 * if (looksSecret("JAVA_HOME", "/opt/java")) throw new Error("a folder is not");
 * ```
 */
export function looksSecret(name: string, value: string): boolean {
  return SECRET_PREFIXES.test(name) || isSecretVariable(name, value);
}

/** Variables that keep programs from waiting for a person. */
export const UNATTENDED: Readonly<Record<string, string>> = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
};

/**
 * The environment for a command: this process's own or `base`, without secrets (see
 * {@linkcode looksSecret}) and without variables that make a shell run code first, plus those of
 * the options. Unless it is attended, `TERM` is `dumb`, because there is no terminal, and no
 * program waits for a person: `GIT_TERMINAL_PROMPT` is 0 so that git fails instead of asking,
 * pagers are `cat`, and editors are `true`, which takes the text as it is.
 *
 * Variables that `--allow-env` doesn't cover are not passed on.
 */
export function commandEnvironment(options: EnvironmentOptions = {}): Record<string, string> {
  const passed = new Set(options.passEnv);
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.base ?? processHost().env)) {
    if (passed.has(name) || !looksSecret(name, value) && !SHELL_START.test(name)) {
      result[name] = value;
    }
  }
  result["PATH"] ??= "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  return { ...result, ...options.attended === true ? {} : UNATTENDED, ...options.env };
}

/**
 * The id that marks all processes of one command in their variable `LLMCMD_RUN_ID`: 128 random
 * bits. If this process itself runs in such a command, the id of that command comes first.
 */
export function newRunId(): { id: string; marker: string } {
  const id = hexadecimal(crypto.getRandomValues(new Uint8Array(16)));
  const outer = processHost().env["LLMCMD_RUN_ID"];
  const valid = outer !== undefined && /^[0-9a-f:]{32,1000}$/.test(outer);
  return { id, marker: valid ? `${outer}:${id}` : id };
}
