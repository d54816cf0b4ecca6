import assert from "node:assert/strict";
import { unifiedDiff } from "./diff.ts";
import { optional } from "../../tests/_optional.ts";
import { testSeed } from "../streams/_testing.ts";

Deno.test("unifiedDiff shows hunks with three lines around each change", () => {
  const before = Array.from({ length: 30 }, (_, n) => `${n + 1}\n`);
  const after = before.with(4, "five\n").with(20, "");
  assert.equal(
    unifiedDiff("a", before.join(""), after.join("")),
    "--- a\n+++ a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n" +
      "@@ -18,7 +18,6 @@\n 18\n 19\n 20\n-21\n 22\n 23\n 24\n",
  );
  assert.equal(unifiedDiff("a", "same", "same"), "");
  assert.equal(
    unifiedDiff("a", "", "x"),
    "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
  );
  assert.equal(unifiedDiff("a", "x\n", ""), "--- a\n+++ a\n@@ -1 +0,0 @@\n-x\n");
});

Deno.test("unifiedDiff shows changes far apart in a large file as hunks of their own", () => {
  const before = Array.from({ length: 20_000 }, (_, n) => `${n + 1}\n`);
  const after = before.with(0, "one\n").with(19_999, "last");
  assert.equal(
    unifiedDiff("caf\u00e9 1", before.join(""), after.join("")),
    "--- caf\u00e9 1\n+++ caf\u00e9 1\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n" +
      "@@ -19997,4 +19997,4 @@\n 19997\n 19998\n 19999\n-20000\n+last\n" +
      "\\ No newline at end of file\n",
  );
});

Deno.test("unifiedDiff shows a change of thousands of lines as one block", () => {
  const lines = (name: string) => Array.from({ length: 3000 }, (_, n) => `${name} ${n}\n`);
  const [old, made] = [lines("old"), lines("new")];
  const marked = (mark: string, all: string[]) => all.map((line) => mark + line).join("");
  assert.equal(
    unifiedDiff("a", `1\n2\n3\n4\n${old.join("")}x`, `1\n2\n3\n4\n${made.join("")}x`),
    `--- a\n+++ a\n@@ -2,3004 +2,3004 @@\n 2\n 3\n 4\n${marked("-", old)}${marked("+", made)}` +
      " x\n\\ No newline at end of file\n",
  );
  assert.equal(
    unifiedDiff("a", "", made.join("")),
    `--- a\n+++ a\n@@ -0,0 +1,3000 @@\n${marked("+", made)}`,
  );
});

Deno.test({
  ...optional("unifiedDiff makes diffs that lead from one text to the other, by git", "git"),
  async fn() {
    const seed = testSeed();
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor(state / 2 ** 32 * below);
    };
    const folder = await Deno.makeTempDir();
    for (let round = 0; round < 25; round++) {
      const before = Array.from({ length: random(40) }, () => "abcd"[random(4)] ?? "");
      const after = before.flatMap((line) =>
        random(6) === 0 ? [] : random(6) === 0 ? [line, "new"] : [line]
      );
      const text = (lines: string[]) =>
        lines.join("\n") + (lines.length > 0 && random(3) > 0 ? "\n" : "");
      const [old, made] = [text(before), text(after)];
      const diff = unifiedDiff("f", old, made);
      if (diff === "") {
        assert.equal(old, made);
        continue;
      }
      await Deno.writeTextFile(`${folder}/f`, old);
      await Deno.writeTextFile(`${folder}/d`, diff.replace("--- f\n+++ f\n", "--- a/f\n+++ b/f\n"));
      const { code, stderr } = await new Deno.Command("git", {
        args: ["apply", "--unidiff-zero", "--allow-empty", "d"],
        cwd: folder,
        env: { GIT_DIR: "/nonexistent" },
      }).output();
      const where = `seed ${seed}, round ${round}: ${new TextDecoder().decode(stderr)}\n${diff}`;
      assert.equal(code, 0, where);
      assert.equal(await Deno.readTextFile(`${folder}/f`).catch(() => ""), made, where);
    }
    await Deno.remove(folder, { recursive: true });
  },
});
