import assert from "node:assert/strict";
import { FileError } from "../../sys/mod.ts";
import { lineOf, openGateway } from "./open_gateway.ts";

/** Opens a gateway with models in a temporary folder; returns its warnings. */
async function warnings(models: Record<string, unknown> | undefined): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  const said: string[] = [];
  try {
    const file = `${folder}/models.json`;
    if (models !== undefined) await Deno.writeTextFile(file, JSON.stringify(models));
    await using _gateway = await openGateway({
      models: file,
      key: "0123456789abcdef",
      stateFolder: folder,
      hosts: [],
      tell: () => {},
      warn: (message) => said.push(message.replaceAll(folder, "FOLDER")),
    });
    return said;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("openGateway warns of folders to work in that are not there", async () => {
  const generic = { driver: "generic", command: "true" };
  assert.deepEqual(
    await warnings({
      there: { ...generic, repoPath: "." },
      gone: { ...generic, repoPath: "gone" },
      file: { ...generic, repoPath: "models.json" },
      rules: { ...generic, repoPath: ".", agentFile: "models.json" },
    }),
    ["gone: repoPath: FOLDER/gone", "file: repoPath: FOLDER/models.json"].map((what) =>
      `FOLDER/models.json: ${what} is not a folder: calls to it will fail`
    ),
  );
});

Deno.test("openGateway warns of a named agent file that is not there, and of no models", async () => {
  assert.deepEqual(
    await warnings({
      typo: { driver: "generic", command: "true", repoPath: ".", agentFile: "AGENT.md" },
    }),
    ["FOLDER/models.json: typo: agentFile: FOLDER has no AGENT.md: prompts begin without it"],
  );
  assert.deepEqual(await warnings({}), [
    "FOLDER/models.json has no models: all calls will be refused",
  ]);
});

Deno.test({
  name: "openGateway warns where no program may be started",
  permissions: { read: true, write: true, env: true, run: false },
  async fn() {
    assert.deepEqual(
      await warnings({ m: { driver: "generic", command: "true", repoPath: "." } }),
      ["Programs may not be started: calls will fail; run it with --allow-run"],
    );
  },
});

Deno.test("lineOf tells the end of what a CLI said", () => {
  const run = { id: "r", model: "m", state: "failed" as const, queued: 0, started: 0, ended: 1500 };
  const error = { kind: "failed" as const, message: "CLI failed" };
  assert.equal(
    lineOf({ ...run, error: { ...error, detail: "starting\nnot logged in\n" } }),
    "m failed after 1.5 s: CLI failed: not logged in (run r)",
  );
  assert.equal(lineOf({ ...run, error }), "m failed after 1.5 s: CLI failed (run r)");
});

Deno.test("openGateway says how to make a file of models that is not there", async () => {
  await assert.rejects(warnings(undefined), (error) => {
    assert.ok(error instanceof FileError);
    assert.match(
      error.message,
      /^Cannot read \S+: no such file; make it .* \{"codex": .*\}, or name another with --models$/,
    );
    return true;
  });
});
