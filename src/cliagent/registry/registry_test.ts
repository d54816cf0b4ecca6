import assert from "node:assert/strict";
import { AgentError } from "../errors.ts";
import { hashKey, matchesKey } from "../keys.ts";
import { openRegistry, parseRegistry } from "./mod.ts";

const place = { file: "models.json", folder: "/etc/gateway", home: "/home/marcus" };

/** A file with three drivers, as in the documentation. */
const EXAMPLE = `{
  "codex-repoX": {
    "driver": "codex", "repoPath": "/home/marcus/projects/repoX", "agentFile": "AGENTS.md"
  },
  "qwen-repoY": {
    "driver": "qwen", "repoPath": "/home/marcus/projects/repoY", "agentFile": "AGENTS.md"
  },
  "gemini-repoZ": {
    "driver": "gemini", "repoPath": "/home/marcus/projects/repoZ", "agentFile": "AGENTS.md"
  }
}`;

function parse(entry: Record<string, unknown>) {
  return parseRegistry(JSON.stringify({ m: { driver: "codex", repoPath: "/r", ...entry } }), place);
}

Deno.test("parseRegistry reads the specification's example, with the defaults", () => {
  const models = parseRegistry(EXAMPLE, place);
  assert.deepEqual([...models.keys()], ["codex-repoX", "qwen-repoY", "gemini-repoZ"]);
  assert.deepEqual(models.get("codex-repoX"), {
    name: "codex-repoX",
    driver: "codex",
    repoPath: "/home/marcus/projects/repoX",
    agentFile: "AGENTS.md",
    worktree: false,
    setup: undefined,
    command: undefined,
    args: [],
    env: [],
    model: undefined,
    timeout: 300,
    maxConcurrent: 1,
    maxQueue: 64,
    commit: false,
    mayCreate: undefined,
    sandbox: "none",
    apiKeys: undefined,
  });
});

Deno.test("parseRegistry resolves paths and fills in what depends on worktree", () => {
  const entry = parse({
    repoPath: "~/x/../y",
    command: "./bin/codex",
    worktree: true,
    setup: "npm ci",
    agentFile: null,
    commit: true,
    mayCreate: ["tools/**"],
  }).get("m");
  assert.equal(entry?.repoPath, "/home/marcus/y");
  assert.equal(entry?.command, "/etc/gateway/bin/codex");
  assert.deepEqual(entry?.setup, ["sh", "-c", "npm ci"]);
  assert.equal(entry?.agentFile, null);
  assert.equal(entry?.maxConcurrent, 4);
  assert.equal(parse({ command: "codex-next" }).get("m")?.command, "codex-next");
});

Deno.test("parseRegistry names file, entry and field of what is wrong", () => {
  const message = (entry: Record<string, unknown>) => {
    try {
      parse(entry);
    } catch (error) {
      assert.ok(error instanceof TypeError);
      return error.message;
    }
    return assert.fail("nothing thrown");
  };
  assert.equal(
    message({ driver: "codx" }),
    'models.json: m: driver: Expected one of "codex"|"qwen"|"gemini"|"claude"|"generic"',
  );
  assert.equal(message({ timeout: -1 }), "models.json: m: timeout: Expected seconds, above 0");
  assert.equal(
    message({ args: ["a", 1] }),
    "models.json: m: args[1]: Expected string, received number",
  );
  assert.equal(
    message({ agentfile: "x" }),
    "models.json: m: agentfile: Unknown field; did you mean agentFile?",
  );
  assert.equal(
    message({ agentFile: "../secret" }),
    "models.json: m: agentFile: Expected a path inside repoPath, not ../secret",
  );
  assert.equal(
    message({ agentFile: "/etc/passwd" }),
    "models.json: m: agentFile: Expected a path inside repoPath, not /etc/passwd",
  );
  assert.equal(
    message({ driver: "generic" }),
    "models.json: m: command: Expected a command: the driver generic has none of its own",
  );
  assert.equal(
    message({ maxConcurrent: 3 }),
    "models.json: m: maxConcurrent: Expected 1: without worktree, calls take turns",
  );
  assert.equal(
    message({ commit: true }),
    "models.json: m: commit: Expected worktree: true beside it",
  );
  assert.equal(
    message({ env: ["A=1"] }),
    "models.json: m: env[0]: Expected the name of a variable",
  );
  assert.equal(
    message({ apiKeys: ["secret"] }),
    "models.json: m: apiKeys[0]: Expected a hash of a key, as llmcmd proxy --hash-key makes it",
  );
  assert.throws(() => parseRegistry("{", place), /^SyntaxError: models\.json: /);
  assert.throws(
    () => parseRegistry("[]", place),
    new TypeError("models.json: Expected an object with an entry for each model"),
  );
});

Deno.test("openRegistry reads a changed file again; a bad version keeps the old one and warns once", async () => {
  const warnings: string[] = [];
  const file = { ...place, text: EXAMPLE, time: 1, reads: 0 };
  const registry = await openRegistry({
    ...place,
    version: () =>
      file.time === 0 ? Promise.reject(new Error("gone")) : Promise.resolve(`${file.time}`),
    read: () => (file.reads++, Promise.resolve(file.text)),
  }, (message) => warnings.push(message));
  assert.equal((await registry.get("qwen-repoY")).driver, "qwen");
  assert.equal(file.reads, 1);

  file.text = '{"m": {"driver": "codex", "repoPath": 7}}';
  file.time = 2;
  for (let i = 0; i < 3; i++) assert.equal((await registry.list()).length, 3);
  assert.deepEqual(warnings, [
    "models.json: m: repoPath: Expected string, received number; the last good version stays in use",
  ]);
  file.time = 0;
  for (let i = 0; i < 3; i++) assert.equal((await registry.list()).length, 3);
  assert.deepEqual(warnings.slice(1), ["gone; the last good version stays in use"]);

  file.text = '{"m": {"driver": "codex", "repoPath": "/m"}}';
  file.time = 3;
  assert.equal((await registry.get("m")).repoPath, "/m");
  await assert.rejects(registry.get("qwen-repoY"), (error: unknown) => {
    assert.ok(error instanceof AgentError);
    assert.deepEqual([error.kind, error.message, error.detail], [
      "unknown_model",
      "Unknown model",
      'No model "qwen-repoY": GET /v1/models lists the names',
    ]);
    return true;
  });
});

Deno.test("matchesKey knows a key by its hash only", async () => {
  const hash = await hashKey("abc");
  assert.equal(hash, "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(await matchesKey("abc", [await hashKey("x"), hash]), true);
  assert.equal(await matchesKey("abd", [hash]), false);
  assert.equal(await matchesKey("abc", []), false);
});
