import assert from "node:assert/strict";
import { optional } from "../../../tests/_optional.ts";
import { daxGit } from "./dax_git.ts";

const git = daxGit((name) => Deno.env.get(name));
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

Deno.test({
  ...optional(
    "daxGit runs git with input, variables, a folder, and gives status and outputs",
    "git",
  ),
  async fn() {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    try {
      assert.equal((await git.run(["init", "--quiet"], folder)).status, 0);
      const stdin = Uint8Array.of(0, 255, 10);
      const hash = text(
        (await git.run(["hash-object", "-w", "--stdin"], folder, { stdin })).stdout,
      );
      const blob = await git.run(["cat-file", "blob", hash.trim()], folder);
      assert.deepEqual([[...blob.stdout], blob.cut], [[0, 255, 10], false]);
      const start = await git.run(["cat-file", "blob", hash.trim()], folder, { limit: 2 });
      assert.deepEqual([[...start.stdout], start.cut], [[0, 255], true]);
      const failed = await git.run(["rev-parse", "--verify", "it's; echo $HOME"], folder);
      assert.deepEqual([failed.status, text(failed.stdout)], [128, ""]);
      assert.match(failed.stderr, /^fatal: /);
      const named = await git.run(["rev-parse", "--git-dir"], "/", {
        env: { GIT_DIR: `${folder}/.git` },
      });
      assert.equal(text(named.stdout), `${folder}/.git\n`);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
