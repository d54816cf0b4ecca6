import assert from "node:assert/strict";
import { readCommand } from "../../command_line/mod.ts";
import type { AttachableSession } from "../../terminal/mod.ts";
import { chooseSession } from "./choose_session.ts";
import { detachKeyFinder, howToLeave } from "./detach_key.ts";
import { listSessions } from "./list_sessions.ts";
import { ATTACH_PAGE } from "./page.ts";

const session = (sessionId: string, pid: number, more = {}): AttachableSession => ({
  ...{ path: `/run/${pid}.sock`, owner: "stdio", sessionId, program: "llmcmd mcp", pid },
  ...{ command: "bash", folder: "/work", startedAt: "2026-01-02T03:04:05Z", attached: 0 },
  ...{ state: "at its prompt", ...more },
});

Deno.test("chooseSession finds a session by its id, or by that and its server, and names near ones", () => {
  const sessions = [session("build", 1), session("shell", 1), session("build", 22)];
  assert.equal(chooseSession("shell", sessions), sessions[1]);
  assert.equal(chooseSession("build@22", sessions), sessions[2]);
  const refused = (name: string, message: string, among = sessions) =>
    assert.throws(() => chooseSession(name, among), { name: "UsageError", message });
  refused("build", "several servers have a session build: give build@1 or build@22");
  refused(
    "shel",
    "there is no session 'shel': there are build, shell, build; did you mean 'shell'?",
  );
  refused("x", "there is no session 'x', and no other to join", []);
});

Deno.test("listSessions shows one line for each session, whatever is in its command", () => {
  const sessions = [
    session("a", 7, { attached: 1, state: "waits for a password (sudo)" }),
    session("longer", 12345, { command: "printf 'x\n\x1b[2J'", startedAt: "2026-01-02T01:00:00Z" }),
  ];
  assert.equal(
    listSessions(sessions, Date.parse("2026-01-02T03:04:25Z")),
    `SESSION  SERVER            SINCE  STATE                                  FOLDER  COMMAND
a        llmcmd mcp 7      20 s   waits for a password (sudo), 1 joined  /work   bash
longer   llmcmd mcp 12345  2 h    at its prompt                          /work   "printf 'x\\n\\u001b[2J'"
`,
  );
});

Deno.test("detachKeyFinder finds its key in all ways in which terminals send it, and no other", () => {
  const at = (key: string, texts: string[]) => {
    const find = detachKeyFinder(key);
    return texts.map((text) => find(new TextEncoder().encode(text)));
  };
  assert.deepEqual(
    at("]", ["ab\x1dc", "\x1b[93;5u", "x\x1b[27;5;93~", "]\x1b[93;2u\x1c"]),
    [2, 0, 1, undefined],
  );
  assert.deepEqual(
    at("b", ["a\x02", "\x1b[98;5u", "x\x1b[27;5;98~", "b\x1dB\x1b[93;5u"]),
    [1, 0, 1, undefined],
  );
  assert.deepEqual(at("none", ["\x1d", "none"]), [undefined, undefined]);
  assert.deepEqual(["]", "b", "none"].map(howToLeave), [
    ...["Ctrl+] leaves it", "Ctrl+B leaves it", "closing this terminal leaves it"],
  ]);
});

Deno.test("llmcmd attach --escape takes keys with Ctrl, and none that terminals send for others", () => {
  const page = ATTACH_PAGE;
  const escape = (text?: string) =>
    readCommand(text === undefined ? [] : ["--escape", text], page).options.escape;
  assert.deepEqual(
    [undefined, "ctrl+]", "Ctrl+A", "^b", "ctrl+\\", "none"].map(escape),
    ["]", "]", "a", "b", "\\", "none"],
  );
  for (const text of ["x", "ctrl+", "ctrl+1", "ctrl+[", "ctrl+aa", ""]) {
    assert.throws(() => escape(text), {
      name: "UsageError",
      message: `the argument of '--escape' is '${text}': give ctrl+LETTER, one of ctrl+] ctrl+\\ ` +
        "ctrl+^ ctrl+_, or none",
    });
  }
  assert.throws(() => escape("ctrl+m"), /'ctrl\+m', which terminals send for another key, too$/);
});
