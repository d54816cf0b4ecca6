import { holdsSecret } from "./secret_shapes.ts";

/** Words of a name, separated by `_`, `.` or `-`, that mark the value as a secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  ("APIKEY AUTH COOKIE COOKIES CREDENTIAL CREDENTIALS CREDS DSN JWT KEY KEYS PASS PASSPHRASE " +
    "PASSWD PASSWORD PAT PRIVATE PW PWD SECRET SECRETS TOKEN TOKENS").split(" "),
);

/** Parts that mark a secret anywhere in a name, also inside a word: `GITHUBTOKEN`, `mysecrets`. */
const SECRET_PARTS =
  /SECRET|PASSW(OR)?D|PASSPHRASE|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL/;

/** Names that look secret but hold a path: a folder, or the socket of the SSH agent. */
const HARMLESS: ReadonlySet<string> = new Set(["PWD", "OLDPWD", "SSH_AUTH_SOCK"]);

/** Values that only switch something on or off: `DISABLE_AUTH=true`. */
const SWITCH = /^(true|false|yes|no|on|off|none)?$/i;

/** The value of an `Authorization` header. */
const HEADER = /^\s*(Bearer|Basic|token) +[\w.~+/=-]{8,}\s*$/i;

/**
 * True if the value of an environment variable is a secret, judged by its name or by the value:
 * `GITHUB_TOKEN`, `DB_PASS`, `postgres://me:pw@db/x`, `Bearer abc...`.
 *
 * A switch is not a secret, and neither is a number of tokens (`MAX_TOKENS=4096`).
 */
export function isSecretVariable(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (HARMLESS.has(upper) || SWITCH.test(value)) return false;
  if (upper.endsWith("TOKENS") && /^\d+$/.test(value)) return false;
  return SECRET_PARTS.test(upper) ||
    upper.split(/[_.-]/).some((word) => SECRET_WORDS.has(word)) ||
    HEADER.test(value) || holdsSecret(value);
}
