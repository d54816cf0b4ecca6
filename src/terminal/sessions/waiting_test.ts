import assert from "node:assert/strict";
import type { Member, TerminalFacts, Way } from "./facts.ts";
import { judge, type WatchedProgram } from "./waiting.ts";

const SHELL: WatchedProgram = { pid: 10, shell: "bash" };

function member(pid: number, name: string, ...waits: Way[]): Member {
  return { pid, name, stopped: false, waits };
}

function facts(members: readonly Member[], changes: Partial<TerminalFacts> = {}): TerminalFacts {
  const terminal = { canonical: true, echo: true, bytes: 5, busy: false, queued: 0 };
  return { foreground: members[0]?.pid ?? null, members, ...terminal, ...changes };
}

const RAW = { canonical: false, echo: false };
const PASSWORD = { canonical: true, echo: false };

const CASES: readonly [string, TerminalFacts, string, WatchedProgram?][] = [
  ["a program that reads a line", facts([member(20, "cat", "read")]), "line"],
  ["a program that polls in raw mode", facts([member(20, "vim", "poll")], RAW), "raw"],
  ["a program that asks for a password", facts([member(20, "ssh", "read")], PASSWORD), "password"],
  ["one of a pipeline that reads", facts([member(20, "a"), member(21, "b", "read")]), "line"],
  [
    "one whose doings nobody may see, without echo",
    facts([member(20, "sudo", "unknown")], {
      ...PASSWORD,
    }),
    "password",
  ],
  ["one that works without echo", facts([member(20, "sleep")], PASSWORD), "-"],
  ["the builtin read of bash", facts([member(10, "bash", "read1")]), "line"],
  ["read -n of bash", facts([member(10, "bash", "read1")], RAW), "raw"],
  ["read of sh", facts([member(10, "sh", "read1")]), "line", { pid: 10, shell: "sh" }],
  ["a shell in the shell", facts([member(20, "bash", "poll")], RAW), "raw"],
  ["bash at its prompt", facts([member(10, "bash", "poll")], RAW), "prompt"],
  ["zsh at its prompt", facts([member(10, "zsh", "read1")], RAW), "prompt", {
    pid: 10,
    shell: "zsh",
  }],
  ["sh at its prompt", facts([member(10, "sh", "read")]), "prompt", { pid: 10, shell: "sh" }],
  [
    "fish at its prompt, with what it has started for itself",
    facts([member(10, "fish", "poll"), member(11, "python3", "running")], RAW),
    "prompt",
    { pid: 10, shell: "fish" },
  ],
  [
    "a shell that computes what to suggest",
    facts([member(10, "fish", "poll", "running")], RAW),
    "-",
    { pid: 10, shell: "fish" },
  ],
  ["a shell that runs a command line", facts([member(10, "bash", "read1")]), "line", {
    pid: 10,
    shell: undefined,
  }],
  ["a program that waits for something else", facts([member(20, "sleep")]), "-"],
  [
    "a program that computes while a thread of it reads",
    facts([
      member(20, "vite", "read", "running"),
    ]),
    "-",
  ],
  [
    "a worker beside one that reads",
    facts([
      member(20, "a", "read"),
      member(21, "b", "running"),
    ]),
    "-",
  ],
  ["a program that has input left", facts([member(20, "cat", "read")], { queued: 3 }), "-"],
  ["a program whose output is on its way", facts([member(20, "cat", "read")], { busy: true }), "-"],
  ["a program that is stopped", facts([{ ...member(20, "vim", "read"), stopped: true }]), "-"],
  ["nobody", facts([]), "-"],
];

for (const [name, seen, expected, program = SHELL] of CASES) {
  Deno.test(`judge: ${name}: ${expected === "-" ? "nobody waits" : expected}`, () => {
    const { waiting, atPrompt, inputMode } = judge(seen, program, 500);
    assert.equal(waiting ? inputMode : atPrompt ? "prompt" : "-", expected);
  });
}

Deno.test("Where the system does not tell, silence decides, and the confidence is low", () => {
  const hidden = facts([member(20, "top", "unknown")]);
  assert.deepEqual([judge(hidden, SHELL, 2000).waiting, judge(hidden, SHELL, 2000).confidence], [
    false,
    "low",
  ]);
  assert.equal(judge(hidden, SHELL, 3000).waiting, true);
  const shell = judge(facts([member(10, "bash", "unknown")], RAW), SHELL, 3000);
  assert.deepEqual([shell.waiting, shell.atPrompt, shell.confidence], [false, true, "low"]);
});
