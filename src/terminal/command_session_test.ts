import assert from "node:assert/strict";
import { alive, cleanUp, newToken, outputOf, testEachDesign, until } from "./_testing.ts";
import { CommandSession, CommandStartError, runCommand } from "./mod.ts";

const linux = Deno.build.os === "linux";

async function withFolder<Value>(use: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await Deno.makeTempDir();
  try {
    return await use(await Deno.realPath(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

testEachDesign(
  "CommandSession gives both outputs in order, the exit code and no input",
  async ({ design, sandbox }) => {
    await withFolder(async (cwd) => {
      await using session = new CommandSession({ cwd, sandbox, killDesigns: [design] });
      const script = "for i in 1 2 3; do echo out $i; echo err $i >&2; done; cat; pwd; exit 7";
      const result = await session.run(script);
      const lines = [1, 2, 3].map((i) => `out ${i}\nerr ${i}\n`).join("");
      assert.equal(result.text, `${lines}${cwd}\n`, design);
      assert.equal(result.exitCode, 7, design);
      assert.equal(result.signal, null, design);
      assert.equal(result.timedOut || result.aborted, false, design);
      assert.equal(result.background, undefined, design);
      assert.equal(result.truncated, undefined, design);
      assert.equal(result.killDesign, design);
      assert.equal(result.sandbox.kind, sandbox.kind);
    });
  },
);

testEachDesign(
  "CommandSession tells the signal that ended a command",
  async ({ design, sandbox }) => {
    await withFolder(async (cwd) => {
      await using session = new CommandSession({ cwd, sandbox, killDesigns: [design] });
      const segv = await session.run("kill -SEGV $$");
      assert.deepEqual([segv.exitCode, segv.signal], [139, "SIGSEGV"], design);
      const term = await session.run("trap 'echo got it' TERM; kill 0; sleep 0.05; echo on");
      assert.deepEqual([term.text, term.exitCode], ["got it\non\n", 0], design);
      const int = await session.run("trap 'exit 5' INT; kill -INT $$");
      assert.equal(int.exitCode, 5, `${design}: SIGINT was ignored`);
      const group = await session.run("kill -KILL 0");
      assert.deepEqual([group.exitCode, group.signal], [137, "SIGKILL"], design);
    });
  },
);

testEachDesign(
  "CommandSession keeps the output of a command that it kills",
  async ({ design, sandbox }) => {
    await withFolder(async (cwd) => {
      await using session = new CommandSession({ cwd, sandbox, killDesigns: [design] });
      // A busy machine may need longer to begin.
      let late = await session.run("echo before; sleep 60", { timeout: 400 });
      if (late.text === "") late = await session.run("echo before; sleep 60", { timeout: 30_000 });
      assert.equal(late.text, "before\n", design);
      assert.deepEqual([late.timedOut, late.aborted, late.exitCode], [true, false, null], design);
      const abort = new AbortController();
      const stopped = await session.run("echo before; sleep 60", {
        signal: abort.signal,
        onOutput: () => abort.abort(),
      });
      assert.equal(stopped.text, "before\n", design);
      assert.deepEqual([stopped.timedOut, stopped.aborted], [false, true], design);
      const never = await session.run("echo no", { signal: AbortSignal.abort() });
      assert.deepEqual([never.text, never.aborted, never.exitCode], ["", true, null], design);
    });
  },
);

testEachDesign(
  "CommandSession is not held up by a background process that holds the pipe",
  async ({ design, sandbox }) => {
    await withFolder(async (cwd) => {
      await using session = new CommandSession({ cwd, sandbox, killDesigns: [design] });
      const token = newToken();
      try {
        const result = await session.run(
          `sleep ${token} & ` +
            `(until [ -e go ]; do sleep 0.05; done; echo later; sleep ${token}) & echo now`,
          { timeout: 60_000 },
        );
        assert.equal(result.text, "now\n", design);
        assert.deepEqual([result.exitCode, result.timedOut], [0, false], design);
        const path = result.background?.path ?? "";
        await Deno.writeTextFile(`${cwd}/go`, "");
        assert.ok(
          await until(() => Deno.readTextFileSync(path) === "now\nlater\n"),
          `${design}: the file lacks what came later`,
        );
        assert.ok(alive(token).length > 0, design);
        const seen = await session.run(`cat ${path}`);
        assert.equal(seen.text, "now\nlater\n", `${design}: the command can't read the file`);
      } finally {
        await session[Symbol.asyncDispose]();
        cleanUp(token);
      }
    });
  },
);

Deno.test("CommandSession returns from a background process that writes without end", async () => {
  await using session = new CommandSession({ cwd: "/", limits: { fileBytes: 1000 } });
  const result = await session.run("while :; do echo y; done & echo started", { timeout: 60_000 });
  assert.equal(result.timedOut, false);
  assert.notEqual(result.background, undefined);
});

testEachDesign(
  "CommandSession forgets background processes that end by themselves",
  async ({ design, sandbox }) => {
    await withFolder(async (cwd) => {
      await using session = new CommandSession({ cwd, sandbox, killDesigns: [design] });
      await session.run("until [ -e go ]; do sleep 0.05; done &");
      assert.equal(session.running, 1, design);
      await Deno.writeTextFile(`${cwd}/go`, "");
      assert.ok(await until(() => session.running === 0), design);
    });
  },
);

testEachDesign(
  "CommandSession keeps the tail of long output and puts the whole in a file",
  async ({ design, sandbox }) => {
    await withFolder(async (cwd) => {
      await using session = new CommandSession({ cwd, sandbox, killDesigns: [design] });
      const { text, truncated } = await session.run("printf '%s\\n' {1..5000}");
      assert.equal(text.split("\n").length, 2001, design);
      assert.ok(text.startsWith("3001\n") && text.endsWith("\n5000\n"), design);
      const path = truncated?.path ?? "";
      assert.deepEqual(truncated, {
        lines: 5000,
        bytes: 23_893,
        shownLines: 2000,
        shownBytes: 10_000,
        path,
        note: undefined,
      });
      assert.equal((await Deno.stat(path)).size, 23_893, design);
      assert.equal(
        (await session.run(`mapfile lines <${path}; echo \${#lines[@]}`)).text,
        "5000\n",
        design,
      );
      await session[Symbol.asyncDispose]();
      await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
    });
  },
);

Deno.test("CommandSession gives chunks as they come and stops for a failing receiver", async () => {
  await withFolder(async (cwd) => {
    await using session = new CommandSession({ cwd });
    const seen: string[] = [];
    await session.run("echo one; until [ -e go ]; do sleep 0.05; done; echo two", {
      timeout: 60_000,
      async onOutput(chunk) {
        seen.push(new TextDecoder().decode(chunk));
        await Deno.writeTextFile(`${cwd}/go`, "");
      },
    });
    assert.deepEqual(seen, ["one\n", "two\n"]);
  });
  await using session = new CommandSession({ cwd: "/" });
  const token = newToken();
  await assert.rejects(
    session.run(`echo x; sleep ${token}`, {
      onOutput: () => {
        throw new TypeError("The receiver failed");
      },
    }),
    { name: "TypeError", message: "The receiver failed" },
  );
  assert.deepEqual(linux ? alive(token) : [], []);
});

Deno.test("CommandSession loses nothing of much output, whatever the pace of the receiver", async () => {
  await using session = new CommandSession({ cwd: "/" });
  let bytes = 0;
  const { truncated, text } = await session.run("printf '%s\\n' {1..400000}", {
    onOutput: async (chunk) => {
      bytes += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 3));
    },
  });
  assert.equal(truncated?.bytes, 2_688_895);
  assert.equal(bytes, 2_688_895);
  assert.ok(text.endsWith("\n400000\n"));
});

testEachDesign("CommandSession does not pass secrets on", async ({ design, sandbox }) => {
  const names = ["OPENAI_API_KEY", "LLM_AUTH_TOKEN", "MY_SECRET", "X_PASSWORD", "MY_HARMLESS"];
  const base = Object.fromEntries(names.map((name) => [name, "top"]));
  await withFolder(async (cwd) => {
    await using session = new CommandSession({
      cwd,
      sandbox,
      killDesigns: [design],
      base: { ...Deno.env.toObject(), ...base },
      passEnv: ["X_PASSWORD"],
      env: { GIVEN_TOKEN: "1" },
    });
    const { text } = await session.run("env", { env: { MORE: "2" } });
    const lines = text.split("\n");
    for (const line of ["MY_HARMLESS=top", "X_PASSWORD=top", "GIVEN_TOKEN=1", "MORE=2"]) {
      assert.ok(lines.includes(line), `${design}: ${line}`);
    }
    assert.equal(lines.filter((line) => line.endsWith("=top")).length, 2, design);
  });
});

testEachDesign("CommandSession says why a command can't start", async ({ design, sandbox }) => {
  await withFolder(async (cwd) => {
    await using session = new CommandSession({ cwd, sandbox, killDesigns: [design] });
    const start = (command: string, folder?: string) =>
      assert.rejects(session.run(command, { cwd: folder }), (error) => {
        assert.ok(error instanceof CommandStartError, `${design}: ${error}`);
        assert.match(error.message, START_ERRORS[folder ?? command.slice(0, 1)] ?? /^$/, design);
        return true;
      });
    await start("true", "/no/such/folder");
    await start("true", "/etc/passwd");
    await start("\0");
    await start("x".repeat(200_000));
    await assert.rejects(session.run("true", { timeout: 0 }), RangeError);
    await session[Symbol.asyncDispose]();
    await assert.rejects(session.run("true"), { message: /the session has ended$/ });
  });
});

const START_ERRORS: Readonly<Record<string, RegExp>> = {
  "/no/such/folder": /no (such )?folder/,
  "/etc/passwd": /\/etc\/passwd.*(not a folder|no such folder)/,
  "\0": /NUL/,
  x: /200000 bytes.*at most 131071; write it to a file/,
};

Deno.test("CommandSession works with --allow-run of a shell only, and says what is missing", async () => {
  const program = `
    import { CommandSession } from "${import.meta.resolve("./mod.ts")}";
    const session = new CommandSession({ cwd: "/" });
    try {
      const { text, killDesign } = await session.run("sleep 60 & echo hi");
      console.log(JSON.stringify([text, killDesign]));
    } catch (error) { console.log(error.name + ": " + error.message); }
    await session[Symbol.asyncDispose]();`;
  // Without the right to read PATH, programs are looked for in these folders.
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
  const run = (...flags: string[]) => outputOf(program, env, ...flags);
  assert.equal(await run("--allow-run=bash"), '["hi\\n","marks"]\n');
  assert.equal(
    await run(),
    "PermissionError: Cannot start bash: permission --allow-run=bash is missing " +
      "(add it to the flags of deno run; if this was installed, install it again with the flag)\n",
  );
});

Deno.test("runCommand leaves nothing, but the file with the whole output", async () => {
  const token = newToken();
  const result = await runCommand(`sleep ${token} & printf '%s\\n' {1..3000}`, { cwd: "/" });
  assert.equal(result.background, undefined);
  assert.deepEqual(linux ? alive(token) : [], []);
  const path = result.truncated?.path ?? "";
  assert.equal((await Deno.readTextFile(path)).length, 13_893);
  await Deno.remove(path.replace(/\/[^/]+$/, ""), { recursive: true });
});
