import assert from "node:assert/strict";
import { isSecretVariable } from "./secret_variable.ts";

Deno.test("isSecretVariable goes by the words of a name, and by the value", () => {
  const rows: readonly [name: string, value: string, secret: boolean][] = [
    ["GITHUB_TOKEN", "abcd", true],
    ["db_pass", "1234", true],
    ["npm.auth", "abcd", true],
    ["DATABASE_URL", "postgres://me:pw@db/x", true],
    ["HEADER", "Bearer abcdef123456", true],
    // Names that contain a secret word only as a part of a longer word.
    ["GIT_AUTHOR_NAME", "Fred Miller", false],
    ["KEYBOARD", "dvorak", false],
    ["PWD", "/home/me", false],
    ["SSH_AUTH_SOCK", "/run/agent", false],
    // Values that are not secrets.
    ["DISABLE_AUTH", "true", false],
    ["USE_TOKEN", "", false],
    ["MAX_TOKENS", "4096", false],
    ["ACCESS_TOKENS", "4096,77", true],
    // Commands do not get the settings of endpoints, but in a text these are not secrets.
    ["GEMINI_MODEL", "gemini-2.5-flash", false],
  ];
  for (const [name, value, secret] of rows) {
    assert.equal(isSecretVariable(name, value), secret, `${name}=${value}`);
  }
});
