import assert from "node:assert/strict";
import { notLinux, optional } from "../../../tests/_optional.ts";
import { findProgram } from "../../../tools/find_program.ts";
import { noSandbox } from "../_testing.ts";
import { chooseSandbox, type Sandbox } from "../mod.ts";
import { PATIENT, signal, testBench } from "./_testing.ts";

/** Programs that wait for input, each with the input mode of the terminal then. */
const WAITING: readonly [string, string, string?][] = [
  ["read -p 'Name? ' name", "line"],
  ["read -s -p 'Password: ' word", "password"],
  ["read -r -n 1 key", "raw"],
  ["cat", "line"],
  ["cat | cat", "line"],
  ["while read -t 100 line; do :; done", "line"],
  ["select x in a b; do break; done", "line"],
  ["bash --norc", "raw"],
  ["sh -i", "line"],
  ["stty raw -echo; dd bs=1 count=1", "raw"],
  ["python3 -ISc 'input(\"? \")'", "line"],
  ["python3 -ISc 'import getpass; getpass.getpass()'", "password"],
  ["python3 -ISc 'import select, sys; select.select([sys.stdin], [], [], 100)'", "line"],
  [
    "python3 -ISc 'import selectors, sys; s = selectors.DefaultSelector(); " +
    "s.register(sys.stdin, 1); s.select(100)'",
    "line",
  ],
  ["script -q -c cat /dev/null", "line", "script"],
  ["script -q -c 'bash -c \"read -s word\"' /dev/null", "password", "script"],
  ["sqlite3", "raw", "sqlite3"],
  ["vim -u NONE -n", "raw", "vim"],
  ["seq 100 | less", "raw", "less"],
  ["node -i", "raw", "node"],
];

/** Programs that do not wait for input, even if it looks as if they did. */
const WORKING: readonly string[] = [
  "echo ready; sleep 300",
  "echo ready; printf 'Password: '; sleep 300",
  "echo ready; stty raw -echo; sleep 300",
  "echo ready; tail -f /dev/null",
  "echo ready; sleep 300 | cat",
  "echo ready; while :; do :; done",
  "echo ready; while :; do printf '\\r|'; sleep 0.05; printf '\\r/'; sleep 0.05; done",
  'python3 -ISc \'import time; print("ready"); print("Continue? [y/N] ", end="", flush=True); ' +
  "time.sleep(300)'",
  'python3 -ISc \'import socket; s = socket.create_server(("127.0.0.1", 0)); ' +
  'print("ready", flush=True); s.accept()\'',
  "echo ready; (sleep 300) & wait",
  "echo ready; script -q -c 'sleep 300' /dev/null; sleep 300",
];

const sandboxes: readonly [string, () => Promise<Sandbox>, typeof noSandbox][] = [
  ["no sandbox", () => chooseSandbox("none"), undefined],
  ["bwrap", () => chooseSandbox("bwrap"), noSandbox],
];

for (const [name, choose, lacks] of sandboxes) {
  Deno.test({
    ...optional(
      `Sessions know which programs wait for input, and how, and which do not (${name})`,
      notLinux,
      "python3",
      lacks,
    ),
    async fn() {
      const sandbox = await choose();
      await using bench = await testBench({ sandbox, maxSessions: 99 });
      // The rule is the same in a sandbox: every third program shows that processes there are seen.
      const chosen = (_: unknown, index: number) => sandbox.kind === "none" || index % 3 === 0;
      const there = WAITING.filter(chosen).filter(([, , needs]) =>
        needs === undefined || findProgram(needs) !== undefined
      );
      const waiting = there.map(async ([command, mode]) => {
        const session = await bench.start(command);
        const until = { kind: "input" } as const;
        const state = await session.read({ ...PATIENT, until });
        const { waitingForInput, inputMode, atPrompt, confidence } = state;
        assert.deepEqual(
          { waitingForInput, inputMode, atPrompt, confidence },
          { waitingForInput: true, inputMode: mode, atPrompt: false, confidence: "high" },
          `${command}: ${JSON.stringify(state)}`,
        );
        await session.stop({ force: true, maxBytes: 4 });
      });
      const working = WORKING.filter(chosen).map(async (command) => {
        const session = await bench.start(command);
        const matches = (text: string) => text.includes("ready");
        await session.read({ ...PATIENT, until: { kind: "output", matches } });
        const until = { kind: "input" } as const;
        const state = await session.read({ timeout: 600, maxBytes: 1000, until, signal });
        assert.deepEqual([state.isRunning, state.waitingForInput], [true, false], command);
        await session.stop({ force: true, maxBytes: 4 });
      });
      await Promise.all([...waiting, ...working]);
    },
  });
}
