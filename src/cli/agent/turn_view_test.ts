import assert from "node:assert/strict";
import type { AgentEvent } from "../../agent/mod.ts";
import { styleOf } from "./screen/mod.ts";
import { TurnView } from "./turn_view.ts";

/** A view of 60 columns, without colours, and its clock. */
function setUp(color = false) {
  const clock = { now: 0 };
  const view = new TurnView({
    style: styleOf(color),
    columns: () => 60,
    now: () => clock.now,
  });
  const show = (...events: AgentEvent[]) => events.map((event) => view.event(event)).join("");
  return { view, clock, show };
}

const begin: AgentEvent = { type: "run_start", model: "some-model" };
const end: AgentEvent = { type: "run_end", reason: "stop", api_calls: 1, seconds: 1 };
const said = (content: string): AgentEvent => ({ type: "text", content });
const starts = (name: string, input: unknown): AgentEvent => ({
  ...{ type: "tool_start", id: "1", name, input },
});
const ends = (name: string, more: { error?: boolean; content?: string; details?: unknown } = {}) =>
  ({ type: "tool_end", id: "1", name, content: "OK", error: false, ...more }) as const;
const bash = { exitCode: 0, timedOut: false, aborted: false, seconds: 2 };

Deno.test("TurnView shows text after a label and calls on one line, with a blank line between", () => {
  const { view, show } = setUp();
  view.typed();
  assert.equal(
    show(
      begin,
      said("\n\nI look"),
      said(" first.\n\n"),
      ...[starts("read_file", { path: "a.ts", offset: 20 }), ends("read_file")],
      ...[starts("bash", { command: "npm\n  test" }), ends("bash", { details: bash })],
      said("Done."),
      end,
    ),
    "\nAgent: I look first.\n\n" +
      "\u2713 read_file a.ts from line 20\n\u2713 bash npm test\n\nAgent: Done.\n",
  );
});

Deno.test("TurnView says how calls failed: by the first line of the error, or the end of the output", () => {
  const { view, clock, show } = setUp();
  show(begin);
  assert.equal(
    show(
      starts("edit_file", { path: "a.ts" }),
      ends("edit_file", { error: true, content: "edit_file: No such text\nLook again" }),
    ),
    "\u2717 edit_file a.ts\n    No such text\n",
  );
  show(starts("bash", { command: "make" }));
  view.output("1", new TextEncoder().encode("1\n2\n3\n4\n5 wr"));
  view.output("1", new TextEncoder().encode("ong\n"));
  view.output("other", new TextEncoder().encode("not this\n"));
  clock.now += 75_000;
  const failed = { ...bash, exitCode: 2 };
  assert.equal(
    show(ends("bash", { error: true, details: failed })),
    "\u2717 bash make  1 min 15 s, exit code 2\n    2\n    3\n    4\n    5 wrong\n",
  );
  const cases = [
    [{ ...bash, exitCode: null, timedOut: true }, "timed out"],
    [{ ...bash, exitCode: null, aborted: true }, "stopped"],
    [{ ...bash, exitCode: null }, "killed"],
  ] as const;
  for (const [details, how] of cases) {
    assert.equal(
      show(starts("bash", { command: "x" }), ends("bash", { error: true, details })),
      `\u2717 bash x  ${how}\n`,
    );
  }
});

Deno.test("TurnView shows a short diff after an edit, and none of a new file", () => {
  const { show } = setUp(true);
  show(begin);
  const diff = "--- a\n+++ a\n@@ -1,3 +1,3 @@\n one\n-two\n+\t2\n three\n";
  assert.equal(
    show(starts("edit_file", { path: "a" }), ends("edit_file", { details: { diff } })),
    "\x1b[32m\u2713\x1b[39m edit_file a\n" +
      "\x1b[31m    -two\x1b[39m\n\x1b[32m    +    2\x1b[39m\n",
  );
  const long = `--- a\n+++ a\n${"+x\n".repeat(30)}`;
  const shown = show(
    starts("edit_file", { path: "a" }),
    ends("edit_file", { details: { diff: long } }),
  );
  assert.equal(shown.split("\n").length, 13);
  assert.match(shown, /\.\.\. 20 more lines/);
  const created = { diff: long, created: true };
  assert.equal(
    show(starts("write_file", { path: "a" }), ends("write_file", { details: created })),
    "\x1b[32m\u2713\x1b[39m write_file a  new file\n",
  );
});

Deno.test("TurnView cuts calls at the width, and shows what could move the cursor as escapes", () => {
  const { show } = setUp();
  show(begin);
  const command = `echo \x1b[2J${"word ".repeat(30)}`;
  const line = show(starts("bash", { command }), ends("bash", { details: bash }));
  assert.equal(line.startsWith("\u2713 bash echo \\x1b[2Jword word"), true);
  assert.equal(line.length, 61);
});

Deno.test("TurnView tells what goes on, for how long, and the end of a command's output", () => {
  const { view, clock, show } = setUp();
  assert.deepEqual(view.rows(), []);
  show(begin);
  assert.deepEqual(view.rows(), ["  Waiting for some-model, Ctrl+C stops"]);
  clock.now += 3_900;
  assert.deepEqual(view.rows(), ["  Waiting for some-model, 3 s, Ctrl+C stops"]);
  show(said("x"));
  assert.deepEqual(view.rows(), ["  Answering, Ctrl+C stops"]);
  show(starts("bash", { command: "make" }));
  view.output("1", new TextEncoder().encode("10%\r20%\r\x1b[32m30%\x1b[0m"));
  clock.now += 12_000;
  assert.deepEqual(view.rows(), ["  bash make  12 s", "    30%"]);
  show(ends("bash", { details: bash }));
  assert.deepEqual(view.rows(), ["  Waiting for some-model, Ctrl+C stops"]);
  show({ type: "retry", attempt: 1, delay: 8_000, error: "Connection lost" });
  clock.now += 2_500;
  assert.deepEqual(view.rows(), ["  Trying again in 6 s: Connection lost"]);
  show({ type: "turn_start", turn: 2 }, end);
  assert.deepEqual(view.rows(), []);
});

Deno.test("TurnView leaves out of a call's seconds what questions have waited for the user", () => {
  const { view, clock, show } = setUp();
  show(begin, starts("bash", { command: "make" }));
  clock.now += 2000;
  view.waits(true);
  clock.now += 600_000;
  assert.deepEqual(view.rows(), ["  bash make  2 s"]);
  view.waits(false);
  clock.now += 3000;
  assert.deepEqual(view.rows(), ["  bash make  5 s"]);
  view.waits(true);
  clock.now += 60_000;
  view.waits(false);
  clock.now += 1000;
  assert.equal(show(ends("bash", { details: bash })), "\u2713 bash make  6 s\n");
  // A question that is open when the turn ends.
  show(starts("bash", { command: "more" }));
  view.waits(true);
  clock.now += 60_000;
  assert.equal(show(ends("bash", { details: bash })), "\u2713 bash more\n");
  view.waits(false);
  show(starts("bash", { command: "last" }));
  clock.now += 4000;
  assert.equal(show(ends("bash", { details: bash })), "\u2713 bash last  4 s\n");
});
