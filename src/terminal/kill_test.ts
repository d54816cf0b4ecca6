import assert from "node:assert/strict";
import { missing, notLinux } from "../../tests/_optional.ts";
import {
  alive,
  cleanUp,
  newToken,
  sleeping,
  startProgram,
  testEachDesign,
  until,
} from "./_testing.ts";
import { escape, FORKING, KINDS, load } from "./_escapes_test.ts";
import { CommandSession } from "./mod.ts";

const FOLDER = import.meta.dirname ?? ".";

const ENDS = ["timeout", "abort", "dispose"] as const;

for (const end of ENDS) {
  testEachDesign(
    `CommandSession leaves none of eight kinds of descendants after ${end}`,
    async (available) => {
      const kinds = Object.keys(KINDS);
      const results = await Promise.all(
        Object.values(KINDS).map((start) => escape(available, start, end)),
      );
      for (const [index, it] of results.entries()) {
        const name = `${available.design}, ${kinds[index]}, ${end}`;
        assert.equal(it.design, available.design);
        assert.equal(it.text, "started\n", name);
        assert.equal(it.timedOut, end === "timeout", name);
        assert.equal(it.aborted, end !== "timeout", name);
        assert.ok(it.before >= 1, `${name}: nothing had started`);
        assert.deepEqual(it.after, [], `${name}: survivors`);
        assert.equal(it.reported, 0, name);
        assert.equal(it.failure, undefined, name);
      }
    },
    notLinux,
  );
}

for (const [kind, start] of Object.entries(FORKING)) {
  testEachDesign(
    `CommandSession never says that nothing is left of what forks without pause when it is: ${kind}`,
    async (available) => {
      await using _busy = load(1);
      const it = await escape(available, start, "abort");
      const name = `${available.design}, ${kind}`;
      assert.ok(it.before >= 1, `${name}: nothing had started`);
      // With marks alone it may fail, but then it reports that.
      if (available.design === "marks" && it.reported !== 0) {
        console.warn(`${name}: ${it.reported} survivors reported, ${it.after.length} found`);
        assert.notEqual(it.failure, undefined, name);
        return;
      }
      assert.deepEqual(it.after, [], `${name}: survivors`);
      assert.deepEqual([it.reported, it.failure], [0, undefined], name);
    },
    notLinux,
    start.includes("perl") ? missing("perl") : undefined,
  );
}

testEachDesign(
  "CommandSession lets background processes live until it is disposed, then none",
  async ({ design, sandbox }) => {
    const kinds = Object.entries(KINDS);
    const session = new CommandSession({ cwd: FOLDER, sandbox, killDesigns: [design] });
    const token = newToken();
    try {
      const results = await Promise.all(
        kinds.map(([, start]) => session.run(`T=${token}\n${start}\necho ok`)),
      );
      assert.deepEqual(results.map((result) => result.text), kinds.map(() => "ok\n"), design);
      // In a shared namespace only processes with the command's marks are looked for, so one that
      // forks and exits just then is not seen. It continues all the same.
      if (design !== "namespace") {
        assert.ok(results.every((result) => result.background !== undefined), design);
      }
      assert.ok(await until(() => sleeping(token) === kinds.length), design);
      await session[Symbol.asyncDispose]();
      assert.deepEqual(alive(token), [], design);
      assert.equal(session.running, 0, design);
    } finally {
      await session[Symbol.asyncDispose]();
      cleanUp(token);
    }
  },
  notLinux,
);

testEachDesign(
  "CommandSession leaves nothing when its own process is killed with SIGKILL",
  async ({ design }) => {
    const token = newToken();
    const temp = await Deno.makeTempDir();
    const program = `
    import { chooseSandbox, CommandSession } from "${import.meta.resolve("./mod.ts")}";
    const sandbox = await chooseSandbox("${design === "namespace" ? "bwrap" : "none"}");
    const session = new CommandSession({ cwd: "${FOLDER}", sandbox, killDesigns: ["${design}"] });
    await session.run(\`T=${token}\n${KINDS["setsid, double fork, environment cleared"]}
      ${KINDS["TERM ignored"]}\nsleep $T\`, { timeout: 60_000 });`;
    try {
      await using other = await startProgram(program, { TMPDIR: temp });
      assert.ok(await until(() => sleeping(token) === 3), `${design}: did not start`);
      await other.kill();
      assert.ok(await until(() => alive(token).length === 0), `${design}: survivors`);
      // The private /tmp of a sandbox is removed, too.
      const left = () => [...Deno.readDirSync(temp)].map(({ name }) => name);
      assert.ok(await until(() => left().length === 0), `${design}: ${left()}`);
    } finally {
      cleanUp(token);
      await Deno.remove(temp, { recursive: true });
    }
  },
  notLinux,
);

testEachDesign(
  "CommandSession kills what a command leaves that killed its own keeper",
  async ({ design, sandbox }) => {
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
  },
  notLinux,
);
