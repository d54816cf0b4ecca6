import assert from "node:assert/strict";
import { optional } from "../../tests/_optional.ts";
import { alive, cleanUp, newToken, noSandbox } from "./_testing.ts";
import { CommandSession } from "./mod.ts";

/**
 * Runs a program at a terminal. Each step is a text to wait for in the output after the step
 * before, and the keys to type then. Prints all output of the terminal.
 */
const TYPIST = `
import json, os, pty, sys
steps = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b""
seen = 0
for text, keys in steps + [[None, None]]:
    while text is None or shown.find(text.encode(), seen) < 0:
        try:
            data = os.read(fd, 65536)
        except OSError:
            data = b""
        if not data:
            break
        shown += data
    if text is None:
        break
    seen = shown.find(text.encode(), seen) + len(text)
    os.write(fd, keys.encode())
sys.stdout.buffer.write(shown)
`;

/**
 * Output of a terminal at which a session runs `before`, if given, and then `command`, which is
 * stopped once there is a file `stop`; then the program reads a line.
 */
async function atTerminal(
  kind: "none" | "bwrap",
  command: string,
  steps: readonly (readonly [string, string])[],
  before?: string,
): Promise<string> {
  const program = `
    import { chooseSandbox, CommandSession } from "${import.meta.resolve("./mod.ts")}";
    const cwd = Deno.makeTempDirSync({ dir: "/var/tmp" });
    Deno.addSignalListener("SIGINT", () => console.log("not for this process"));
    const stop = new AbortController();
    const timer = setInterval(() => {
      try { Deno.statSync(cwd + "/stop"); stop.abort(); } catch { /* not yet */ }
    }, 20);
    const session = new CommandSession({ cwd, sandbox: await chooseSandbox("${kind}") });
    ${before === undefined ? "" : `await session.run(${JSON.stringify(before)});`}
    const { exitCode, aborted, survivors } = await session.runAtTerminal(${
    JSON.stringify(command)
  }, { signal: stop.signal });
    clearInterval(timer);
    console.log(JSON.stringify([exitCode, aborted, survivors]));
    const line = new Uint8Array(99);
    const length = Deno.stdin.readSync(line) ?? 0;
    console.log("read " + new TextDecoder().decode(line.subarray(0, length)));
    await session[Symbol.asyncDispose]();
    Deno.removeSync(cwd, { recursive: true });
    Deno.exit();`;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, program);
    const config = new URL("../../deno.json", import.meta.url).pathname;
    const run = [Deno.execPath(), "run", "--quiet", "--allow-all", "--config", config, file];
    const { stdout } = await new Deno.Command("python3", {
      args: ["-c", TYPIST, JSON.stringify(steps), ...run],
      env: { TERM: "xterm", NO_COLOR: "1" },
      stderr: "inherit",
    }).output();
    return new TextDecoder().decode(stdout).replaceAll("\r", "");
  } finally {
    await Deno.remove(file);
  }
}

for (const kind of ["none", "bwrap"] as const) {
  const needs = kind === "none" ? undefined : noSandbox;
  Deno.test({
    ...optional(
      `CommandSession gives a command the terminal, its keys and Ctrl+C, and takes it back: ${kind}`,
      "python3",
      needs,
    ),
    async fn() {
      const command = "trap 'echo got it' INT; [ -t 0 ] && [ -t 1 ] && echo $TERM ready; " +
        "read -r line; echo line $line; kill $(cat pid) && echo stopped; exit 7";
      const shown = await atTerminal(kind, command, [
        ["xterm ready", "\x1a\x03"],
        ["got it", "some words\n"],
        ["[7,false,0]", "after\n"],
      ], "sleep 60 & echo $! >pid");
      assert.match(shown, /line some words\nstopped\n/);
      assert.match(shown, /read after\n/);
      assert.doesNotMatch(shown, /not for this process/);
    },
  });
  Deno.test({
    ...optional(
      `CommandSession kills what runs at the terminal at its end, and takes that back: ${kind}`,
      "python3",
      needs,
    ),
    async fn() {
      const token = newToken();
      try {
        const command = `trap '' INT TERM HUP; (setsid sleep ${token} &); read -r line; ` +
          ": >stop; while :; do sleep 60; done";
        const shown = await atTerminal(kind, `echo ready; ${command}`, [
          ["ready", "\n"],
          ["[null,true,0]", "after\n"],
        ]);
        assert.match(shown, /read after\n/);
        assert.deepEqual(alive(token), []);
      } finally {
        cleanUp(token);
      }
    },
  });
}

Deno.test("CommandSession runs nothing at the terminal that was stopped before", async () => {
  await using session = new CommandSession({ cwd: "/" });
  const { exitCode, aborted } = await session.runAtTerminal("echo no", {
    signal: AbortSignal.abort(),
  });
  assert.deepEqual([exitCode, aborted], [null, true]);
});
