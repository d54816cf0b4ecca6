import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../coder/mod.ts";
import { askBefore, askOn } from "./approval_question.ts";
import { dumbLines } from "./dumb_lines.ts";

const REQUEST: ApprovalRequest = {
  kind: "write",
  what: "/home/me/.bashrc",
  why: "it is outside the folders that may be written to (/work)",
  session: "all changes in /home/me, also by commands",
  callId: "1",
};

/** The answer, the output and the remaining lines after these lines are typed. */
async function typing(request: ApprovalRequest, ...lines: (string | undefined)[]) {
  let written = "";
  const write = (text: string) => {
    written += text;
    return Promise.resolve();
  };
  const input = dumbLines((before) => ({
    async next() {
      await before();
      return lines.shift();
    },
    close: () => Promise.resolve(),
  }), write);
  const ask = askOn(input);
  assert.ok(ask !== undefined);
  const answer = await ask(request, new AbortController().signal);
  const asked = written;
  const kept: string[] = [];
  for (let line = await input.next(); line !== undefined; line = await input.next()) {
    kept.push(line);
  }
  return { answer, written: asked, kept };
}

Deno.test("a question says what is asked, and what each answer allows", async () => {
  assert.equal(
    (await typing(REQUEST, "y\n")).written,
    `
The agent wants to change /home/me/.bashrc
  it is outside the folders that may be written to (/work)
  [y] yes, once
  [s] for this session: all changes in /home/me, also by commands
  [n] no
? `,
  );
  const command = Array.from({ length: 22 }, (_, line) => `echo ${line} \x1b[2K`).join("\n");
  const { written } = await typing(
    { kind: "command", what: command, session: "this command", callId: "1" },
    "n",
  );
  assert.ok(written.startsWith("\nThe agent wants to run:\n  echo 0 "));
  assert.match(written, /\n {2}\[2 more lines\]\n/);
  assert.equal(written.includes("\x1b"), false);
});

Deno.test("a question takes y, s and n, and the end of the input as no", async () => {
  const answers = [];
  for (const line of ["y\n", "S\n", " n \n", undefined]) {
    answers.push((await typing(REQUEST, line)).answer);
  }
  assert.deepEqual(answers, ["once", "session", "no", "no"]);
});

Deno.test("what was typed before a question is no answer to it, and is kept", async () => {
  const { answer, kept } = await typing(REQUEST, "yes, and then\n", "\n", "sure\n", "n\n");
  assert.deepEqual({ answer, kept }, { answer: "no", kept: ["yes, and then\n", "sure\n"] });
});

Deno.test("the front knows while a question waits, also for one that fails", async () => {
  const told: (boolean | string)[] = [];
  const front = { waits: (waiting: boolean) => void told.push(waiting) };
  const { signal } = new AbortController();
  const asked = askBefore(front, () => {
    told.push("asked");
    return Promise.resolve("once" as const);
  });
  assert.equal(await asked(REQUEST, signal), "once");
  const failed = askBefore(front, () => Promise.reject(new Error("gone")));
  await assert.rejects(failed(REQUEST, signal), /gone/);
  assert.deepEqual(told, [true, "asked", false, true, false]);
});
