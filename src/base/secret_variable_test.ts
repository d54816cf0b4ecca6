import assert from "node:assert/strict";
import { isSecretVariable } from "./secret_variable.ts";

Deno.test("isSecretVariable goes by the words of a name, and by the value", () => {
  const rows: readonly [name: string, value: string, secret: boolean][] = [
    ["GITHUB_TOKEN", "abcd", true],
    ["db_pass", "1234", true],
    ["npm.auth", "abcd", true],
    ["DATABASE_URL", "postgres://me:pw@db/x", true],
    ["HEADER", "Bearer abcdef123456", true],
    // Where a part of a name looks like a word of that list.
    ["GIT_AUTHOR_NAME", "Fred Miller", false],
    ["KEYBOARD", "dvorak", false],
    ["PWD", "/home/me", false],
    ["SSH_AUTH_SOCK", "/run/agent", false],
    // Values that are none.
    ["DISABLE_AUTH", "true", false],
    ["USE_TOKEN", "", false],
    ["MAX_TOKENS", "4096", false],
    ["ACCESS_TOKENS", "4096,77", true],
    // Settings of endpoints are kept from commands, but are no secrets in a text.
    ["GEMINI_MODEL", "gemini-2.5-flash", false],
  ];
  for (const [name, value, secret] of rows) {
    assert.equal(isSecretVariable(name, value), secret, `${name}=${value}`);
  }
});
