import assert from "node:assert/strict";
import { commandEnvironment, looksSecret } from "./environment.ts";

Deno.test("looksSecret knows secrets by name, in any case and place", () => {
  const secret = [
    "OPENAI_API_KEY OPENAI_BASE_URL LLM_AUTH_TOKEN LLMCMD_MODEL ANTHROPIC_MODEL GEMINI_API_KEY",
    "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GITHUB_TOKEN GITHUBTOKEN NPM_TOKEN",
    "npm_config__auth MYSQL_PWD PGPASSWORD DB_PASS SSH_PASSPHRASE GOOGLE_APPLICATION_CREDENTIALS",
    "SENTRY_DSN SESSION_COOKIE my_secret_thing Stripe_Key SIGNING_KEYS GITLAB_PAT MYAPIKEY",
  ].join(" ").split(" ");
  assert.deepEqual(secret.filter((name) => !looksSecret(name, "x")), []);
  const plain = [
    "PATH HOME PWD OLDPWD USER LANG SHELL EDITOR JAVA_HOME CARGO_HOME GOPATH NODE_ENV KEYBOARD",
    "SSH_AUTH_SOCK XDG_SESSION_ID DESKTOP_SESSION COMPASS PATTERN MONKEY AUTHOR VIRTUAL_ENV TERM",
  ].join(" ").split(" ");
  assert.deepEqual(plain.filter((name) => looksSecret(name, "x")), []);
});

Deno.test("looksSecret knows a URL with a password by its value", () => {
  assert.ok(looksSecret("DATABASE_URL", "postgres://me:pw@db:5432/x"));
  assert.ok(looksSecret("HTTPS_PROXY", "http://user:pw@proxy:8080"));
  assert.ok(looksSecret("REDIS_URL", "redis://:pw@cache"));
  for (const value of ["http://proxy:8080", "https://me@host/x", "http://a:1/b@c", "a:b@c"]) {
    assert.ok(!looksSecret("SOME_URL", value), value);
  }
});

Deno.test("looksSecret knows keys, headers and webhooks by their value", () => {
  // Written in parts, so that no scanner takes them for real ones.
  const secret = [
    "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIE",
    "-----BEGIN PRIVATE " + "KEY-----",
    "Bearer abcdef123456",
    "sk_" + "live_51Habcdefgh",
    "rk_" + "test_abcdefgh",
    "sk-" + "proj-abcdefghijklmnop",
    "sk-" + "ant-api03-abcdefghijkl",
    "ghp" + "_abcdefghijklmnopqrst",
    "github" + "_pat_abcdefghijklmnopqrst",
    "glpat" + "-abcdefghijklmnopqrst",
    "xoxb" + "-123456789012",
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "AIza" + "a".repeat(35),
    "npm" + "_" + "a".repeat(36),
    "eyJ" + "hbGciOiJI.eyJ" + "zdWIiOiIx.abc",
    "https://hooks.slack.com/" + "services/T0/B0/x",
    "https://discord.com/api/" + "webhooks/1/x",
    '{"key": "sk_' + 'live_51Habcdefgh"}',
  ];
  assert.deepEqual(secret.filter((value) => !looksSecret("SETTING", value)), []);
  const plain = [
    "/home/me/sk-lists",
    "-----BEGIN CERTIFICATE-----",
    "Bearer",
    "the bearer of this",
    "task-force-of-some-people",
    "risk-management-department",
    "https://slack.com/",
    "https://discord.com/channels/1",
    "sha512-abcdefghijklmnopqrstuvwxyz",
    "eyJhbGciOiJI",
    "en_US.UTF-8",
  ];
  assert.deepEqual(plain.filter((value) => looksSecret("SETTING", value)), []);
});

Deno.test("commandEnvironment leaves out what makes a shell run code first", () => {
  const base = { BASH_ENV: "value", ENV: "value", HARMLESS: "value", PATH: "/bin" };
  const added = { TERM: "xterm", ADDED_TOKEN: "1" };
  assert.deepEqual(commandEnvironment({ base, env: added }), {
    HARMLESS: "value",
    PATH: "/bin",
    PAGER: "cat",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    EDITOR: "true",
    VISUAL: "true",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    GIT_TERMINAL_PROMPT: "0",
    ...added,
  });
  assert.equal(commandEnvironment({ base, passEnv: ["BASH_ENV"] })["BASH_ENV"], "value");
  assert.equal(commandEnvironment()["PATH"], Deno.env.get("PATH"));
});
