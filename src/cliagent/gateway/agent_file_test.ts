import assert from "node:assert/strict";
import { entryOf, filesForTest } from "../_testing.ts";
import { AgentError } from "../errors.ts";
import { readAgentFile } from "./agent_file.ts";

Deno.test("readAgentFile: a file that cannot be read is the repository's fault, not the CLI's", async () => {
  const repoPath = await Deno.makeTempDir({ prefix: "agent-file-" });
  try {
    await Deno.mkdir(`${repoPath}/rules.md`);
    const entry = entryOf({ driver: "codex", repoPath, agentFile: "rules.md" });
    await assert.rejects(readAgentFile(filesForTest, entry), (error) => {
      assert.ok(error instanceof AgentError);
      assert.equal(error.kind, "repository");
      assert.equal(error.message, "The agentFile of m cannot be read: rules.md");
      assert.match(error.detail ?? "", /directory/);
      return true;
    });
  } finally {
    await Deno.remove(repoPath, { recursive: true });
  }
});
