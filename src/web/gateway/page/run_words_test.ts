import assert from "node:assert/strict";
import { changes, facts, patchLines, ran, span, tokens, waited } from "./run_words.js";

const run = { id: "r", model: "m", state: "running", queued: 1000 } as const;

Deno.test("span tells seconds, minutes and hours, and no negative time", () => {
  const spans = [-5, 449, 9949, 59_400, 60_000, 200_000, 7_380_000].map(span);
  assert.deepEqual(spans, [
    "0.0 s",
    "0.4 s",
    "9.9 s",
    "59 s",
    "1 min 0 s",
    "3 min 20 s",
    "2 h 3 min",
  ]);
});

Deno.test("a run's times go on until it has its place and is over", () => {
  assert.deepEqual([waited(run, 3000), ran(run, 3000)], ["2.0 s", ""]);
  const started = { ...run, started: 1500 };
  assert.deepEqual([waited(started, 3000), ran(started, 3000)], ["0.5 s", "1.5 s"]);
  const ended = { ...started, ended: 2500 };
  assert.deepEqual([waited(ended, 9000), ran(ended, 9000)], ["0.5 s", "1.0 s"]);
  const neverBegun = { ...run, ended: 2000 };
  assert.deepEqual([waited(neverBegun, 9000), ran(neverBegun, 9000)], ["1.0 s", ""]);
});

Deno.test("a run's tokens and changes are told where they are known", () => {
  assert.deepEqual([tokens(run), changes(run)], ["", ""]);
  assert.equal(tokens({ ...run, usage: { inputTokens: 12_345, outputTokens: 6 } }), "12.3k, 6");
  assert.equal(changes({ ...run, stat: { files: 0, insertions: 0, deletions: 0 } }), "");
  assert.equal(
    changes({ ...run, stat: { files: 1, insertions: 3, deletions: 2 } }),
    "1 file +3 \u22122",
  );
});

Deno.test("facts has what is known of a run, exit status 0 too", () => {
  const known = facts({
    ...run,
    exitCode: 0,
    error: { kind: "empty", message: "The CLI said nothing" },
    refused: ["a", "b"],
  });
  assert.deepEqual(known, [
    ["Run", "r"],
    ["Exit status", "0"],
    ["Error", "The CLI said nothing"],
    ["Not committed", "a\nb"],
  ]);
});

Deno.test("patchLines takes a removed line that looks like a header for what it is", () => {
  const patch = [
    "diff --git a/q.sql b/q.sql",
    "--- a/q.sql",
    "+++ b/q.sql",
    "@@ -1,2 +1,2 @@",
    "--- a comment",
    "+++ b",
    " same",
    "diff --git a/x b/x",
    "--- a/x",
    "",
  ].join("\n");
  const { lines, more } = patchLines(patch, 100);
  assert.deepEqual(lines.map(({ kind }) => kind), [
    ...["head", "head", "head", "hunk", "removed", "added", "same", "head", "head"],
  ]);
  assert.equal(more, false);
});

Deno.test("patchLines shows the most lines that it may, and says whether there are more", () => {
  assert.deepEqual(patchLines("a\nb\n", 2), {
    lines: [{ kind: "head", text: "a" }, { kind: "head", text: "b" }],
    more: false,
  });
  assert.equal(patchLines("a\nb\nc", 2).more, true);
  assert.equal(patchLines("a\nb\nc\nd\ne\n", 2).lines.length, 2);
  assert.deepEqual(patchLines("", 2), { lines: [], more: false });
});
