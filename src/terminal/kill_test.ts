import assert from "node:assert/strict";
import { alive, type Available, availableDesigns, cleanUp, newToken, until } from "./_testing.ts";
import { CommandSession } from "./mod.ts";

/** Ways to get away; each starts a process that sleeps for `$T`, a token to find it by. */
const KINDS: Readonly<Record<string, string>> = {
  "plain background": "sleep $T &",
  nohup: "nohup sleep $T >/dev/null 2>&1 &",
  setsid: "setsid sleep $T >/dev/null 2>&1 &",
  "TERM ignored": "(trap '' HUP INT QUIT TERM; sleep $T) >/dev/null 2>&1 &",
  "double fork": "( (sleep $T &) & ) >/dev/null 2>&1",
  "double fork, environment cleared": "(env -i sleep $T &) >/dev/null 2>&1",
  "setsid, double fork, environment cleared":
    `(env -i setsid bash -c "sleep $T & disown" &) </dev/null >/dev/null 2>&1`,
  "restarts its child": "(while :; do sleep $T; done) >/dev/null 2>&1 &",
  "fork loop": "(i=0; while [ $((i += 1)) -lt 3000 ]; do (sleep $T &); done) >/dev/null 2>&1 &",
};

const FOLDER = import.meta.dirname ?? ".";

const ENDS = ["timeout", "abort", "dispose"] as const;

/** Runs one kind to one end; gives how many processes there were before, and after. */
async function escape(
  { design, sandbox }: Available,
  kind: string,
  end: typeof ENDS[number],
): Promise<{ before: number; after: number[]; reported: number }> {
  const token = newToken();
  const session = new CommandSession({ cwd: FOLDER, sandbox, killDesigns: [design] });
  const abort = new AbortController();
  const seen = Promise.withResolvers<void>();
  let before = 0;
  try {
    const running = session.run(`T=${token}\n${KINDS[kind]}\necho started; sleep 60`, {
      timeout: end === "timeout" ? 1500 : 60_000,
      signal: abort.signal,
      onOutput: () => seen.resolve(),
    });
    await seen.promise;
    const count = () => before = sleeping(token);
    await until(() => count() >= (kind === "fork loop" ? 20 : 1), 1400);
    if (end === "abort") abort.abort();
    if (end === "dispose") await session[Symbol.asyncDispose]();
    const result = await running;
    assert.equal(result.killDesign, design);
    assert.equal(result.text, "started\n");
    assert.equal(result.exitCode, null);
    assert.equal(result.timedOut, end === "timeout");
    assert.equal(result.aborted, end !== "timeout");
    return { before, after: alive(token), reported: result.survivors };
  } finally {
    await session[Symbol.asyncDispose]();
    cleanUp(token);
  }
}

/** How many processes of the token sleep: those that got away, not the shells before them. */
function sleeping(token: string): number {
  return alive(token).filter((pid) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/cmdline`).startsWith("sleep\0");
    } catch {
      return false;
    }
  }).length;
}

const linux = Deno.build.os === "linux";

for (const end of ENDS) {
  Deno.test({
    name: `CommandSession leaves none of nine kinds of descendants after ${end}`,
    ignore: !linux,
    async fn() {
      for (const available of await availableDesigns()) {
        const kinds = Object.keys(KINDS);
        const calm = kinds.filter((kind) => kind !== "fork loop");
        const results = await Promise.all(calm.map((kind) => escape(available, kind, end)));
        results.push(await escape(available, "fork loop", end));
        for (const [index, { before, after, reported }] of results.entries()) {
          const name = `${available.design}, ${[...calm, "fork loop"][index]}, ${end}`;
          assert.ok(before >= 1, `${name}: nothing had started`);
          assert.deepEqual(after, [], `${name}: survivors`);
          assert.equal(reported, 0, name);
        }
      }
    },
  });
}

Deno.test({
  name: "CommandSession lets background processes live until it is disposed, then none",
  ignore: !linux,
  async fn() {
    for (const { design, sandbox } of await availableDesigns()) {
      const kinds = Object.entries(KINDS).filter(([kind]) => kind !== "fork loop");
      const session = new CommandSession({ cwd: FOLDER, sandbox, killDesigns: [design] });
      const token = newToken();
      try {
        const results = await Promise.all(
          kinds.map(([, start]) => session.run(`T=${token}\n${start}\necho ok`)),
        );
        assert.deepEqual(results.map((result) => result.text), kinds.map(() => "ok\n"), design);
        assert.ok(results.every((result) => result.background !== undefined), design);
        assert.ok(await until(() => sleeping(token) === kinds.length, 3000), design);
        await session[Symbol.asyncDispose]();
        assert.deepEqual(alive(token), [], design);
        assert.equal(session.running, 0, design);
      } finally {
        await session[Symbol.asyncDispose]();
        cleanUp(token);
      }
    }
  },
});

Deno.test({
  name: "CommandSession leaves nothing when its own process is killed with SIGKILL",
  ignore: !linux,
  async fn() {
    for (const { design } of await availableDesigns()) {
      const token = newToken();
      const temp = await Deno.makeTempDir();
      const program = `
        import { chooseSandbox, CommandSession } from "${import.meta.resolve("./mod.ts")}";
        const sandbox = await chooseSandbox("${design === "namespace" ? "bwrap" : "none"}");
        const session = new CommandSession({ cwd: "${FOLDER}", sandbox, killDesigns: ["${design}"] });
        await session.run(\`T=${token}\n${KINDS["setsid, double fork, environment cleared"]}
          ${KINDS["TERM ignored"]}\nsleep $T\`, { timeout: 60_000 });`;
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--allow-all", "-"],
        env: { TMPDIR: temp },
        stdin: "piped",
        stdout: "null",
        stderr: "null",
      }).spawn();
      try {
        const writer = child.stdin.getWriter();
        await writer.write(new TextEncoder().encode(program));
        await writer.close();
        assert.ok(await until(() => sleeping(token) === 3, 20_000), `${design}: did not start`);
        child.kill("SIGKILL");
        await child.status;
        assert.ok(await until(() => alive(token).length === 0, 10_000), `${design}: survivors`);
      } finally {
        try {
          child.kill("SIGKILL");
        } catch {
          // It was killed above.
        }
        await child.status;
        cleanUp(token);
        await Deno.remove(temp, { recursive: true });
      }
    }
  },
});

Deno.test({
  name: "CommandSession kills what a command leaves that killed its own keeper",
  ignore: !linux,
  async fn() {
    for (const { design, sandbox } of await availableDesigns()) {
      const token = newToken();
      const session = new CommandSession({ cwd: FOLDER, sandbox, killDesigns: [design] });
      try {
        const start = KINDS["setsid, double fork, environment cleared"];
        const result = await session.run(
          `T=${token}\n${start}\nsleep 0.2; kill -KILL $PPID; sleep 60`,
        );
        assert.equal(result.exitCode, 137, design);
        assert.equal(result.survivors, 0, design);
        assert.deepEqual(alive(token), [], design);
      } finally {
        await session[Symbol.asyncDispose]();
        cleanUp(token);
      }
    }
  },
});
