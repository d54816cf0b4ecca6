import assert from "node:assert/strict";
import type { StoredSession } from "../../store/mod.ts";
import { listed } from "./commands.ts";

const session = (title: string, root = "/here"): StoredSession => ({
  ...{ id: title, owner: "", title, root, turns: 1, failed: false, writer: undefined },
  ...{ created: new Date(2026, 10, 29, 10, 15).getTime(), updated: 0 },
});

Deno.test("/resume cuts titles so that a session takes one line of the terminal", async () => {
  const own = [session("Short"), session("A title that is longer than the terminal is wide here")];
  const others = [session("Another title that is long", "/a/folder")];
  const conversation = {
    list: () => Promise.resolve(own),
    listElsewhere: () => Promise.resolve(others),
  };
  const lines = async (columns: number) => (await listed(conversation, columns)).split("\n");
  assert.deepEqual(await lines(50), [
    " 1  2026-11-29 10:15  Short",
    " 2  2026-11-29 10:15  A title that is longer th...",
    "Of other folders, where llmcmd agent goes on with them:",
    "    2026-11-29 10:15  Another titl...  (/a/folder)",
    "/resume N goes on with one",
  ]);
  const whole = await lines(Infinity);
  assert.match(whole[1] ?? "", /wide here$/);
  // On a very narrow terminal a readable title is worth a second line.
  const [, narrow] = await lines(20);
  assert.equal(narrow, " 2  2026-11-29 10:15  A title t...");
});
