import assert from "node:assert/strict";
import { encodeRecord, newSession, type SessionRecord } from "../coder/mod.ts";
import { memorySessionStore } from "../store/mod.ts";
import { appendFile } from "../sys/mod.ts";
import { takeOverLogs } from "./take_over_logs.ts";

const BEGAN = "2026-11-27T10:00:00.000Z";
const CHANGED = Date.parse("2026-11-28T10:00:00Z");

function records(id: string, ...said: string[]): SessionRecord[] {
  const { record } = newSession({ id, root: "/work", model: "m", now: () => Date.parse(BEGAN) });
  const messages = said.map((content) => ({
    ...{ type: "message" as const, time: BEGAN, message: { role: "user" as const, content } },
  }));
  return [record, ...messages];
}

class Logs implements AsyncDisposable {
  readonly store = memorySessionStore();
  readonly warnings: string[] = [];
  readonly folder = Deno.makeTempDirSync();

  path(name: string): string {
    return `${this.folder}/sessions/${name}`;
  }

  async write(name: string, text: string): Promise<void> {
    await Deno.mkdir(`${this.folder}/sessions`, { recursive: true });
    await Deno.writeTextFile(this.path(name), text);
    await Deno.utime(this.path(name), new Date(CHANGED), new Date(CHANGED));
  }

  run(): Promise<void> {
    return takeOverLogs(`${this.folder}/sessions`, this.store, (text) => this.warnings.push(text));
  }

  names(): string[] {
    return [...Deno.readDirSync(`${this.folder}/sessions`)].map(({ name }) => name).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

Deno.test("takeOverLogs puts each log into the store once, and keeps the file as it is", async () => {
  await using logs = new Logs();
  await logs.run();
  assert.deepEqual(logs.warnings, [], "there is no folder");
  const lines = records("s-1", "Fix it\nplease", "Again").map(encodeRecord);
  await logs.write("s-1.jsonl", lines.join("") + '{"type":"mess');
  await logs.write("other.txt", "x");
  await logs.run();
  assert.deepEqual(await logs.store.lines("s-1"), lines);
  const session = {
    ...{
      id: "s-1",
      owner: "",
      root: "/work",
      title: "Fix it",
      turns: 2,
      failed: false,
      writer: undefined,
    },
    ...{ created: Date.parse(BEGAN), updated: CHANGED },
  };
  assert.deepEqual(await logs.store.list({}, 9), [session]);
  assert.deepEqual(logs.names(), ["other.txt", "s-1.jsonl.old"]);
  assert.equal(
    await Deno.readTextFile(logs.path("s-1.jsonl.old")),
    lines.join("") + '{"type":"mess',
  );
  await logs.store.remove("s-1");
  await logs.run();
  assert.deepEqual(await logs.store.list({}, 9), [], "what was deleted does not come back");
  assert.deepEqual(logs.warnings, []);
});

Deno.test("takeOverLogs says which lines are broken, and loses no other", async () => {
  await using logs = new Logs();
  const [start = "", one = "", two = ""] = records("s-1", "One", "Two").map(encodeRecord);
  await logs.write("s-1.jsonl", `${start}${one}{"type":"mess\n{"type":"future"}\n${two}`);
  await logs.write("s-2.jsonl", `{"type":"sess\n${one}`);
  await logs.write("s-3.jsonl", "");
  await logs.run();
  assert.deepEqual(await logs.store.lines("s-1"), [start, one, two]);
  assert.deepEqual((await logs.store.list({}, 9)).map(({ id }) => id), ["s-1"]);
  const [first = "", second = "", ...others] = logs.warnings;
  assert.match(
    first,
    /^a session was taken over without what is broken: .*\/s-1\.jsonl\.old: Line 3: not JSON; Line 4: not a record/,
  );
  assert.match(
    second,
    /s-2\.jsonl\.old: it does not begin with session_start, .*; Line 1: not JSON$/,
  );
  assert.deepEqual(others, []);
  await logs.run();
  assert.equal(logs.warnings.length, 2);
});

Deno.test("takeOverLogs leaves a log that a program still writes for later", async () => {
  await using logs = new Logs();
  await logs.write("s-1.jsonl", records("s-1", "One").map(encodeRecord).join(""));
  const file = await appendFile(logs.path("s-1.jsonl"));
  await logs.run();
  assert.match(
    logs.warnings[0] ?? "",
    /s-1\.jsonl is open in another program: it is taken over later$/,
  );
  assert.deepEqual(await logs.store.list({}, 9), []);
  file?.close();
  await logs.run();
  assert.equal((await logs.store.lines("s-1")).length, 2);
});

Deno.test("takeOverLogs goes on with a log of which a part is there, and mixes up no sessions", async () => {
  await using logs = new Logs();
  const lines = records("s-1", "One", "Two").map(encodeRecord);
  const [line = "", second = ""] = lines;
  await logs.store.create({ id: "s-1", owner: "", time: 1, first: { line, title: "One" } });
  await logs.store.append("s-1", second, 1, "begin");
  await logs.write("s-1.jsonl", lines.join(""));
  await logs.run();
  assert.deepEqual(await logs.store.lines("s-1"), lines);
  assert.equal((await logs.store.get("s-1"))?.turns, 2);
  // A copy under another name, one that is no name for a session, and another of the same name.
  await logs.write("copy.jsonl", lines.join(""));
  await logs.write("a copy.jsonl", lines.join(""));
  await logs.write("s-1.jsonl", records("s-1", "Quite another").map(encodeRecord).join(""));
  await logs.run();
  const sessions = await logs.store.list({}, 9);
  assert.deepEqual(sessions.map(({ title }) => title).sort(), [
    ...["One", "One", "One", "Quite another"],
  ]);
  assert.equal(sessions.filter(({ id }) => id === "copy" || id === "s-1").length, 2);
  for (const { id } of sessions) {
    assert.equal(JSON.parse((await logs.store.lines(id))[0] ?? "").id, id);
  }
  assert.deepEqual(logs.names(), [
    ...["a copy.jsonl.old", "copy.jsonl.old", "s-1.jsonl.old", "s-1.jsonl.old.2"],
  ]);
  assert.deepEqual(logs.warnings, []);
});
