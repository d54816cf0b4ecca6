import assert from "node:assert/strict";
import { RequestJournal } from "./mod.ts";

const entry = (body: unknown) => ({
  time: "2026-01-01T00:00:00.000Z",
  path: "/",
  headers: {},
  body,
  kind: "answer" as const,
  status: 200,
  stream: false,
});

Deno.test("RequestJournal keeps the newest requests within its number of entries", () => {
  const journal = new RequestJournal({ journalEntries: 2, journalCharacters: 100 });
  for (const body of ["a", "b", "c"]) journal.add(entry(body), 1);
  assert.deepEqual(journal.entries.map(({ number, body }) => [number, body]), [[2, "b"], [3, "c"]]);
  assert.equal(journal.total, 3);
});

Deno.test("RequestJournal drops the oldest requests when bodies exceed its characters", () => {
  const journal = new RequestJournal({ journalEntries: 10, journalCharacters: 10 });
  journal.add(entry("a"), 6);
  journal.add(entry("b"), 4);
  assert.equal(journal.entries.length, 2);
  journal.add(entry("c"), 5);
  assert.deepEqual(journal.entries.map(({ body }) => body), ["b", "c"]);
});

Deno.test("RequestJournal leaves out a body larger than itself and keeps its entry", () => {
  const journal = new RequestJournal({ journalEntries: 10, journalCharacters: 10 });
  journal.add(entry("a"), 6);
  journal.add(entry("b"), 11);
  assert.deepEqual(journal.entries.map(({ body }) => body), [
    "a",
    "[left out: 11 characters, limit 10]",
  ]);
});

Deno.test("RequestJournal.clear forgets requests and goes on counting", () => {
  const journal = new RequestJournal({ journalEntries: 10, journalCharacters: 10 });
  journal.add(entry("a"), 6);
  journal.clear();
  assert.deepEqual(journal.entries, []);
  assert.equal(journal.add(entry("b"), 10).number, 2);
  assert.equal(journal.entries.length, 1);
});
