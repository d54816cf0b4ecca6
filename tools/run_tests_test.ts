import assert from "node:assert/strict";
import type { Skipped } from "../tests/_optional.ts";
import { skippedReport } from "./tests/report.ts";

const tmux = { reason: "tmux is not installed", package: "tmux" };
const jq = { reason: "jq is not installed", package: "jq" };
const other = { reason: "bwrap: No permissions to create a new namespace" };

const RUNNER = import.meta.resolve("./run_tests.ts");

/** The list of skipped tests, in the form that tests write. */
function list(...skipped: Skipped[]): string {
  return skipped.map((it) => JSON.stringify(it) + "\n").join("");
}

Deno.test("skippedReport counts what was skipped for each reason, and names the packages once", () => {
  assert.equal(skippedReport(""), "");
  assert.equal(
    skippedReport(list({ test: "a", ...tmux })),
    "1 test or step was skipped:\n    1  tmux is not installed (apt-get install tmux)",
  );
  assert.equal(
    skippedReport(
      list({ test: "a", ...tmux }, { test: "b", ...other }, { test: "c", ...jq }, {
        test: "d",
        ...jq,
      }),
    ),
    "4 tests and steps were skipped:\n" +
      "    2  jq is not installed (apt-get install jq)\n" +
      "    1  tmux is not installed (apt-get install tmux)\n" +
      "    1  bwrap: No permissions to create a new namespace\n" +
      "All of that: apt-get install jq tmux",
  );
});

/** Runs the runner on a file with tests, with no program on the `PATH`; gives what it printed. */
async function runTests(
  source: string,
  others: Readonly<Record<string, string>> = {},
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const folder = await Deno.makeTempDir({ prefix: "run-tests-" });
  try {
    const files = { ...others, "some_test.ts": source };
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--allow-all", RUNNER],
        ...["--no-check", ...Object.keys(files).map((name) => `${folder}/${name}`), ...args],
      ],
      env: { PATH: "/nonexistent", NO_COLOR: "1" },
    }).output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: decode(stdout), stderr: decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("run_tests.ts passes the status on, and lists what was skipped after the counts", async () => {
  const source = `
    import { optional } from "${import.meta.resolve("../tests/_optional.ts")}";
    Deno.test({ ...optional("needs tmux", "tmux", "jq"), fn() {} });
    Deno.test({ ...optional("needs a sandbox", { reason: "no sandbox works" }), fn() {} });
    Deno.test({ ...optional("needs what is there", undefined), fn() {} });
    Deno.test("has steps", async (t) => {
      await t.step({ ...optional("needs jq", "jq"), fn() {} });
    });`;
  const passed = await runTests(source);
  assert.equal(passed.code, 0, passed.stdout);
  assert.match(
    passed.stdout,
    /\nok \| 2 passed \| 0 failed \| 2 ignored \(1 step\).*\n\n3 tests and steps were skipped:\n( +1 {2}(tmux is not|no sandbox|jq is not).*\n){3}All of that: apt-get install jq tmux\n$/,
  );
  const failed = await runTests(`Deno.test("fails", () => { throw new Error("x"); });`);
  assert.equal(failed.code, 1);
  assert.match(failed.stdout, /FAILED \| 0 passed \| 1 failed/);
  assert.doesNotMatch(failed.stdout, /skipped/);
});

Deno.test("a file that throws does not take the others with it, and failures name their files", async () => {
  const { code, stdout } = await runTests(`Deno.test("fails", () => { throw new Error("x"); });`, {
    "broken_test.ts": `Deno.test("never there", () => {}); throw new Error("no import");`,
    "unparsable_test.ts": `const = 1;`,
    "good_test.ts": `Deno.test("good", () => {});`,
  });
  assert.equal(code, 1);
  assert.match(stdout, /\nFAILED \| 2 passed \| 3 failed \(/);
  assert.match(stdout, /broken_test\.ts can be imported/);
  assert.match(stdout, /unparsable_test\.ts can be imported/);
  assert.match(stdout, /fails => \S+\/some_test\.ts:1:6/);
});

Deno.test("a test's variables and folder do not reach the next, nor another file", async () => {
  const looks = `Deno.test("looks", () => {
    if (Deno.env.has("LEFT_BY_A_TEST") || !Deno.env.has("PATH")) throw new Error("variables");
    if (Deno.cwd() === "/") throw new Error("folder");
  });`;
  const { code, stdout } = await runTests(
    `Deno.test("changes", () => {
      Deno.env.set("LEFT_BY_A_TEST", "1");
      Deno.env.delete("PATH");
      Deno.chdir("/");
    });
    ${looks}`,
    { "z_test.ts": looks },
  );
  assert.equal(code, 0, stdout);
  assert.match(stdout, /\nok \| 3 passed \| 0 failed \(/);
});

Deno.test("a failed test shows what it printed, and others do not", async () => {
  const { stdout } = await runTests(`
    Deno.test("good", () => console.log("not this"));
    Deno.test("bad", () => {
      console.log("out here");
      console.error("err here");
      throw new Error("bad");
    });`);
  assert.match(stdout, /== other\nbad \.\.\.\n.*\nout here\nerr here\n/);
  assert.doesNotMatch(stdout, /not this/);
});

Deno.test("a run without any test fails, and says how many a filter left out", async () => {
  const none = await runTests(`Deno.test("one", () => {});`, {}, "--filter", "nosuchname");
  assert.deepEqual([none.code, none.stdout.includes("ok |")], [1, false], none.stdout);
  assert.match(none.stderr, /No test ran: 1 were filtered out/);
  const missing = await runTests("", {}, "no/such/path");
  assert.equal(missing.code, 2);
  assert.match(
    missing.stderr,
    /^Cannot find all of .*no\/such\/path: give test files or folders\n$/,
  );
});

Deno.test("tests whose process is killed count as a failure", async () => {
  const { code, stdout } = await runTests(
    `Deno.test("ends", () => Deno.kill(Deno.pid, "SIGKILL"));`,
  );
  assert.notEqual(code, 0, stdout);
  assert.match(stdout, /\nFAILED \| 0 passed \| 1 failed/);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test({
    name: `run_tests.ts takes the tests with it when ${signal} ends it, and leaves no file`,
    ignore: Deno.build.os !== "linux",
    async fn() {
      const folder = await Deno.makeTempDir({ prefix: "run-tests-" });
      try {
        await Deno.writeTextFile(
          `${folder}/endless_test.ts`,
          `Deno.test("never ends", async () => {
          setInterval(() => {}, 1000);
          Deno.writeTextFileSync("${folder}/new", String(Deno.pid));
          Deno.renameSync("${folder}/new", "${folder}/pid");
          await new Promise(() => {});
        });`,
        );
        const child = new Deno.Command(Deno.execPath(), {
          args: [
            ...["run", "--quiet", "--no-prompt", "--allow-all", RUNNER],
            ...["--no-check", `${folder}/endless_test.ts`],
          ],
          env: { TMPDIR: folder },
          stdout: "null",
          stderr: "null",
        }).spawn();
        let pid = "";
        while (pid === "") {
          await new Promise((resolve) => setTimeout(resolve, 20));
          pid = await Deno.readTextFile(`${folder}/pid`).catch(() => "");
        }
        child.kill(signal);
        const { code } = await child.status;
        assert.equal(code, signal === "SIGINT" ? 130 : 143);
        await assert.rejects(Deno.stat(`/proc/${pid}`), Deno.errors.NotFound);
        const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
        assert.deepEqual(names, ["endless_test.ts", "pid"]);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}
