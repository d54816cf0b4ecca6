import assert from "node:assert/strict";
import { optional } from "../../tests/_optional.ts";
import { KINDS } from "./_escapes_test.ts";
import { alive, cleanUp, newToken, noSandbox, outputOf, until } from "./_testing.ts";
import { chooseSandbox, CommandSession, type SandboxOptions } from "./mod.ts";

/** A test of a confined session in a folder of its own. */
function jobsTest(
  name: string,
  test: (session: CommandSession, cwd: string) => Promise<void>,
  options: SandboxOptions = {},
  ...needs: Parameters<typeof optional>[1][]
): void {
  Deno.test({
    ...optional(name, noSandbox, ...needs),
    async fn() {
      const cwd = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
      try {
        const sandbox = await chooseSandbox("bwrap", options);
        await using session = new CommandSession({ cwd, sandbox });
        await test(session, cwd);
      } finally {
        await Deno.remove(cwd, { recursive: true });
      }
    },
  });
}

/** State of the one process that sleeps for the token, such as `S`; `T` means stopped. */
function stateOf(token: string): string {
  const [pid] = alive(token).filter((pid) =>
    Deno.readTextFileSync(`/proc/${pid}/cmdline`).startsWith("sleep\0")
  );
  if (pid === undefined) return "gone";
  return /\) (\S)/.exec(Deno.readTextFileSync(`/proc/${pid}/stat`))?.[1] ?? "";
}

jobsTest("a later command sees and stops what an earlier one left in the background", async (
  session,
) => {
  const token = newToken();
  try {
    const first = await session.run(`nohup sleep ${token} >/dev/null 2>&1 & echo $!`);
    const pid = first.text.trim();
    assert.match(pid, /^\d+$/);
    assert.notEqual(first.background, undefined);
    const second = await session.run(`tr '\\0' ' ' </proc/${pid}/cmdline; kill ${pid}`);
    assert.deepEqual([second.text, second.exitCode], [`sleep ${token} `, 0]);
    assert.equal(second.background, undefined);
    assert.ok(await until(() => alive(token).length === 0));
    assert.ok(await until(() => session.running === 0));
    assert.notEqual((await session.run(`kill ${pid}`)).exitCode, 0);
  } finally {
    cleanUp(token);
  }
});

jobsTest("a command's time-out kills what it started, and nothing else", async (session) => {
  const [job, paused, own] = [newToken(), newToken(), newToken()];
  try {
    await session.run(
      `sleep ${job} & sleep ${paused} & until read -r name </proc/$!/comm && ` +
        '[ "$name" = sleep ]; do :; done; kill -STOP $!',
    );
    assert.equal(stateOf(paused), "T");
    const line = `T=${own}\n${Object.values(KINDS).join("\n")}\necho started; sleep 60`;
    const stop = new AbortController();
    let begun = 0;
    const onOutput = async () => {
      if (++begun < 3) return;
      await until(() => alive(own, "started").length >= 3 * Object.keys(KINDS).length);
      stop.abort();
    };
    const run = () => session.run(line, { timeout: 60_000, signal: stop.signal, onOutput });
    const results = await Promise.all([run(), run(), run()]);
    for (const { aborted, survivors } of results) assert.deepEqual([aborted, survivors], [true, 0]);
    assert.deepEqual(alive(own), []);
    assert.deepEqual([stateOf(job), stateOf(paused)], ["S", "T"]);
    await session[Symbol.asyncDispose]();
    assert.deepEqual([alive(job), alive(paused)], [[], []]);
  } finally {
    for (const token of [job, paused, own]) cleanUp(token);
  }
});

jobsTest("a command can't keep what it started from a kill by changing its limits", async (
  session,
) => {
  const token = newToken();
  try {
    const result = await session.run(
      `ulimit -S -m unlimited; (env -i setsid sleep ${token} &); echo started; sleep 60`,
      { timeout: 1500 },
    );
    assert.deepEqual([result.timedOut, result.survivors], [true, 0]);
    assert.deepEqual(alive(token), []);
  } finally {
    cleanUp(token);
  }
});

jobsTest("a session goes on after a command that killed everything", async (session) => {
  const token = newToken();
  try {
    await session.run(`sleep ${token} & echo kept >/tmp/file`);
    const { exitCode, survivors } = await session.run("kill -KILL -1; echo not reached");
    assert.deepEqual([exitCode, survivors], [137, 0]);
    assert.ok(await until(() => session.running === 0));
    assert.deepEqual(alive(token), []);
    const { text, sandbox } = await session.run("cat /tmp/file");
    assert.equal(text, "kept\n");
    assert.equal("apart" in sandbox, false);
  } finally {
    cleanUp(token);
  }
});

/** Ids of the ancestors of a process. */
function ancestors(pid: number): number[] {
  const parents: number[] = [];
  for (let at = pid; at > 1;) {
    const stat = Deno.readTextFileSync(`/proc/${at}/stat`);
    at = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    parents.push(at);
  }
  return parents;
}

jobsTest("a session goes on after its holder was killed, with the same /tmp", async (session) => {
  const token = newToken();
  try {
    await session.run(`sleep ${token} & echo kept >/tmp/file`);
    // Other tests of this process have holders, too.
    const above = new Set(ancestors(alive(token)[0] ?? 0));
    const holders = alive("llmcmd-holder").filter((pid) => above.has(pid));
    assert.notEqual(holders.length, 0);
    for (const pid of holders) Deno.kill(pid, "SIGKILL");
    assert.ok(await until(() => alive(token).length === 0));
    await until(() => session.running === 0);
    const { text, exitCode } = await session.run("cat /tmp/file");
    assert.deepEqual([text, exitCode], ["kept\n", 0]);
    const { text: again } = await session.run("sleep 60 & kill $! && echo stopped");
    assert.equal(again, "stopped\n");
  } finally {
    cleanUp(token);
  }
});

jobsTest("processes of a session show neither the keepers' programs nor files outside", async (
  session,
) => {
  const { text } = await session.run(
    "cat /proc/[0-9]*/cmdline | tr '\\0' ' '; echo; ls /proc/1/root/etc /proc/1/root/root",
  );
  assert.match(text, /llmcmd-session/);
  assert.doesNotMatch(text, /last_pid|waiter|--ro-bind/);
  // The arguments of the keepers do not contain the command.
  assert.match(text, /llmcmd-keeper \w+ \w+ merge - bash -p .* merge - bash -c cat/);
  assert.match(text, /cannot access '\/proc\/1\/root\/etc'/);
  assert.match(text, /cannot access '\/proc\/1\/root\/root'/);
});

jobsTest(
  "without network, commands of a session reach each other and nothing else",
  async (session) => {
    const outside = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response("x"),
    );
    try {
      const serve = "import http.server as h; s = h.HTTPServer(('127.0.0.1', 0), " +
        "h.SimpleHTTPRequestHandler); open('port', 'w').write(str(s.server_port)); " +
        "s.serve_forever()";
      await session.run(`python3 -c "${serve}" >/dev/null 2>&1 & until [ -s port ]; do :; done`);
      const connect = (port: string) => `(exec 9<>/dev/tcp/127.0.0.1/${port}) && echo connected`;
      const inside = await session.run(connect("$(cat port)"));
      assert.equal(inside.text, "connected\n");
      assert.equal(inside.sandbox.kind === "bwrap" && inside.sandbox.network, false);
      assert.equal("apart" in inside.sandbox, false);
      assert.doesNotMatch((await session.run(connect(`${outside.addr.port}`))).text, /connected/);
    } finally {
      await outside.shutdown();
    }
  },
  { network: false },
  "python3",
);

Deno.test({
  ...optional(
    "commands get namespaces of their own where they can't join any, and say so",
    noSandbox,
  ),
  async fn() {
    const folder = await Deno.makeTempDir({ dir: "/var/tmp" });
    const path = Deno.env.get("PATH") ?? "";
    try {
      await Deno.writeTextFile(
        `${folder}/bwrap`,
        `#!/bin/sh\nPATH='${path}'\ncase " $* " in *" --pidns "*) exit 1 ;; esac\nexec bwrap "$@"\n`,
        { mode: 0o755 },
      );
      const program = `
        import { chooseSandbox, CommandSession } from "${import.meta.resolve("./mod.ts")}";
        const sandbox = await chooseSandbox("bwrap", { network: false });
        await using session = new CommandSession({ cwd: "${folder}", sandbox });
        for (const line of ["echo one >/tmp/x", "cat /tmp/x; echo [0-9]*"]) {
          const { text, sandbox } = await session.run("cd /proc; " + line);
          console.log(JSON.stringify([text.replace(/ self.*/s, ""), sandbox.apart]));
        }`;
      assert.equal(
        await outputOf(program, { PATH: `${folder}:${path}` }, "--allow-all"),
        '["",["processes","network"]]\n["one\\n1 2 3 4\\n",["processes","network"]]\n',
      );
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
