import { holdsSecret } from "./secret_shapes.ts";

/** Words of a name, between underscores, that mark the value as a secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  ("APIKEY AUTH COOKIE COOKIES CREDENTIAL CREDENTIALS CREDS DSN JWT KEY KEYS PASS PASSPHRASE " +
    "PASSWD PASSWORD PAT PRIVATE PW PWD SECRET SECRETS TOKEN TOKENS").split(" "),
);

/**
 * Parts that mark a secret anywhere in the name, also within a word: `GITHUBTOKEN`, `mysecrets`.
 */
const SECRET_PARTS =
  /SECRET|PASSW(OR)?D|PASSPHRASE|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL/;

/**
 * Variables whose name looks like a secret but whose value is none: paths, and the address of the
 * SSH agent.
 */
const HARMLESS: ReadonlySet<string> = new Set(["PWD", "OLDPWD", "SSH_AUTH_SOCK"]);

/** What switches something on or off: `DISABLE_AUTH=true`. */
const SWITCH = /^(true|false|yes|no|on|off|none)?$/i;

/** The header of a request, as a value. */
const HEADER = /^\s*(Bearer|Basic|token) +[\w.~+/=-]{8,}\s*$/i;

/**
 * Whether the value of a variable of the environment is a secret, as its name or the value itself
 * tells: `GITHUB_TOKEN`, `DB_PASS`, `postgres://me:pw@db/x`, `Bearer abc...`. A switch is none, and
 * neither is a number of tokens (`MAX_TOKENS=4096`).
 */
export function isSecretVariable(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (HARMLESS.has(upper) || SWITCH.test(value)) return false;
  if (upper.endsWith("TOKENS") && /^\d+$/.test(value)) return false;
  return SECRET_PARTS.test(upper) ||
    upper.split(/[_.-]/).some((word) => SECRET_WORDS.has(word)) ||
    HEADER.test(value) || holdsSecret(value);
}
