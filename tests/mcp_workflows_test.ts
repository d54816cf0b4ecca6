/**
 * The six workflow examples of the CLI tools' specification, over `llmcmd mcp` with real programs.
 * The client edits files itself, in place of text tools. Local programs of the same kind replace
 * those that need the network: `deno check` type-checks instead of `npx tsc`, `deno test --filter`
 * tests instead of `npm test`, scripts build and validate instead of `npm run`, and a push to a
 * neighbouring repository deploys.
 */
import assert from "node:assert/strict";
import { connectMcp, inFolder, type McpClient } from "./_mcp_client.ts";
import { notLinux, optional, thorough } from "./_optional.ts";

/** Runs a workflow in a folder with these files, with a client of a server with these variables. */
async function workflow(
  files: Readonly<Record<string, string>>,
  steps: (
    call: McpClient["call"],
    folder: string,
    failure: McpClient["failure"],
  ) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await inFolder(async (folder) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(`${folder}/${path.slice(0, Math.max(0, path.lastIndexOf("/")))}`, {
        recursive: true,
      });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    // Without the git settings of the developer.
    const git = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    const { client, child, call, failure, said } = await connectMcp(folder, {
      args: ["--allow-dir", folder],
      env: { NO_COLOR: "1", ...git, ...env },
    });
    await call("CliEnv", { action: "set", name: "DENO_DIR", value: `${folder}/.deno` });
    await steps(call, folder, failure);
    await client.close();
    assert.equal((await child.status).code, 0);
    assert.doesNotMatch(await said, /rror/);
  });
}

/** Edits a file as TextPatch does. */
async function patch(path: string, find: string, replace: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  assert.equal(text.split(find).length, 2, `${path} has ${JSON.stringify(find)} once`);
  await Deno.writeTextFile(path, text.replace(find, () => replace));
}

/** The fields of a result. */
function pick(result: Record<string, unknown>, ...names: string[]): unknown[] {
  return names.map((name) => result[name]);
}

const DENO = `'${Deno.execPath()}'`;

Deno.test({
  ...optional("Example 1: text edits are validated by a type checker", notLinux, thorough),
  fn: () =>
    workflow({
      "src/file.ts": 'export const port: number = "80";\nexport const host: string = 1;\n',
    }, async (call, folder) => {
      const check = `${DENO} check --quiet --no-config src/file.ts`;
      const two = await call("CliRun", { command: check, timeout: 120 });
      assert.deepEqual(pick(two, "status", "exitCode", "stdout"), ["error", 1, ""]);
      const places = (text: unknown) =>
        [...`${text}`.matchAll(/(TS\d+)[^]*?file\.ts:(\d+):(\d+)/g)].map((it) => it.slice(1));
      assert.deepEqual(places(two.stderr), [["TS2322", "1", "14"], ["TS2322", "2", "14"]]);
      await patch(`${folder}/src/file.ts`, '"80"', "80");
      const one = await call("CliRun", { command: check, timeout: 120 });
      assert.deepEqual([one.exitCode, places(one.stderr)], [1, [["TS2322", "2", "14"]]]);
      await patch(`${folder}/src/file.ts`, "= 1", '= "localhost"');
      const none = await call("CliRun", { command: check, timeout: 120 });
      assert.deepEqual(pick(none, "status", "exitCode", "stderr"), ["success", 0, ""]);
      assert.equal(none.workingDirectory, folder);
    }),
});

Deno.test({
  ...optional("Example 2: one test is run again until the change is right", notLinux, thorough),
  fn: () =>
    workflow({
      "sum.ts": "export const sum = (a: number, b: number) => a - b;\n",
      "sum_test.ts": `import { sum } from "./sum.ts";
Deno.test("sum adds", () => {
  if (sum(2, 3) !== 5) throw new Error("expected 5, got " + sum(2, 3));
});
Deno.test("another fails", () => {
  throw new Error("not this one");
});
`,
    }, async (call, folder) => {
      const test = `${DENO} test --quiet --no-config --filter 'sum adds' sum_test.ts`;
      const failed = await call("CliRun", { command: test, timeout: 120 });
      assert.deepEqual(pick(failed, "status", "exitCode"), ["error", 1]);
      assert.match(`${failed.stdout}`, /sum adds \.\.\. FAILED/);
      assert.match(`${failed.stdout}`, /expected 5, got -1/);
      assert.match(`${failed.stdout}`, /0 passed \| 1 failed/);
      await patch(`${folder}/sum.ts`, "a - b", "a + b");
      const passed = await call("CliRun", { command: test, timeout: 120 });
      assert.deepEqual(pick(passed, "status", "exitCode"), ["success", 0]);
      assert.match(`${passed.stdout}`, /sum adds \.\.\. ok/);
      assert.match(`${passed.stdout}`, /1 passed \| 0 failed/);
    }),
});

const DEBUGGED = `def total(prices):
    result = 0
    for price in prices:
        result += price
    return result

print("total", total([1, 2, 3]))
`;

Deno.test({
  ...optional("Example 3: a program is debugged step by step (pdb)", "python3", notLinux),
  fn: () =>
    workflow({ "app.py": DEBUGGED }, async (call, folder, failure) => {
      const { sessionId, initialOutput, ...begun } = await call("CliSession", {
        command: "exec python3 -I -m pdb app.py",
      });
      assert.equal(initialOutput, `> ${folder}/app.py(1)<module>()\n-> def total(prices):\n(Pdb) `);
      assert.deepEqual(
        pick(begun, "status", "isRunning", "waitingForInput", "foreground", "atPrompt"),
        ["started", true, true, "python3", false],
      );
      const type = async (line: string) => {
        const answer = await call("CliWrite", { sessionId, input: `${line}{enter}` });
        assert.deepEqual(
          pick(answer, "status", "keys", "isRunning", "waitingForInput", "hasMore"),
          ["sent", ["enter"], true, true, false],
        );
        return answer.responseOutput;
      };
      const at = (line: string) => `> ${folder}/app.py(${line}\n(Pdb) `;
      assert.equal(await type("b 4"), `b 4\nBreakpoint 1 at ${folder}/app.py:4\n(Pdb) `);
      assert.equal(await type("c"), `c\n${at("4)total()\n-> result += price")}`);
      assert.equal(await type("p price, result"), "p price, result\n(1, 0)\n(Pdb) ");
      assert.equal(await type("n"), `n\n${at("3)total()\n-> for price in prices:")}`);
      assert.equal(await type("p price, result"), "p price, result\n(1, 1)\n(Pdb) ");
      assert.match(`${await type("cl 1")}`, /^cl 1\nDeleted breakpoint 1/);
      assert.match(`${await type("c")}`, /^c\ntotal 6\nThe program finished/);
      assert.deepEqual(
        pick(await call("CliRead", { sessionId, timeout: 0 }), "output", "hasMore"),
        [
          "",
          false,
        ],
      );
      const stopped = await call("CliStop", { sessionId });
      assert.deepEqual(pick(stopped, "status", "survivors"), ["stopped", undefined]);
      const after = await call("CliRead", { sessionId });
      assert.deepEqual(
        pick(after, "output", "isRunning", "exitCode"),
        [stopped.finalOutput, false, stopped.exitCode],
      );
      assert.match(
        await failure("CliWrite", { sessionId, input: "x" }),
        /^CliWrite: Cannot write to session-\w+: it has ended \(/,
      );
      assert.match(
        await failure("CliRead", { sessionId: "x" }),
        /there are session-\w+ \(ended\)$/,
      );
    }),
});

Deno.test({
  ...optional(
    "Example 3: a program is debugged step by step (node inspect)",
    "node",
    "python3",
    notLinux,
  ),
  fn: () =>
    workflow({ "app.js": "let x = 1;\nx += 41;\nconsole.log('x is', x);\n" }, async (call) => {
      // With `node --inspect-brk` a debugger connects over the network; this does both in one
      // terminal.
      const { sessionId, initialOutput } = await call("CliSession", {
        command: "exec node inspect --port=0 app.js",
      });
      let begun = `${initialOutput}`;
      // The debugger shows its prompt twice.
      for (let reads = 0; !/> 1 let x[^]*debug> $/.test(begun) && reads < 20; reads++) {
        begun += (await call("CliRead", { sessionId })).output;
      }
      assert.match(begun, /Break on start in app\.js:1\n> 1 let x = 1;/);
      const type = async (line: string, until: string) => {
        const input = `${line}{enter}`;
        const { responseOutput, isRunning } = await call("CliWrite", { sessionId, input, until });
        assert.equal(isRunning, true);
        return `${responseOutput}`;
      };
      assert.match(
        await type("n", "/break in .*debug> $/s"),
        /break in app\.js:2\n.*\n> 2 x \+= 41;/,
      );
      assert.match(await type("n", "/break in .*debug> $/s"), /break in app\.js:3\n/);
      assert.match(await type("exec('x')", "/42/"), /exec\('x'\)\n42\n/);
      assert.match(await type("c", "/x is/"), /< x is 42\n/);
      const stopped = await call("CliStop", { sessionId });
      assert.deepEqual(pick(stopped, "status", "survivors"), ["stopped", undefined]);
    }),
});

Deno.test({
  ...optional(
    "Example 4: a build that takes too long goes on in a session",
    "git",
    "python3",
    notLinux,
  ),
  fn: () =>
    workflow({
      "package.json": '{\n  "name": "app",\n  "version": "1.0.0"\n}\n',
      "build.sh": `echo "building $(grep -o '[0-9.]*[0-9]' package.json)"
mkdir -p dist
until [ -e go ]; do sleep 0.1; done
for part in 1 2 3; do echo "part $part of 3"; sleep 0.2; done
cp package.json dist/app.json
echo built
`,
      ".gitignore": ".deno\n.state\nserver.git\n",
    }, async (call, folder) => {
      const platform = await call("CliGetPlatform");
      assert.deepEqual(
        pick(platform, "platform", "commandSeparator", "pathSeparator", "workingDirectory"),
        ["linux", "&&", "/", folder],
      );
      const run = async (command: string) => {
        const ran = await call("CliRun", { command });
        assert.deepEqual(pick(ran, "status", "exitCode"), ["success", 0], JSON.stringify(ran));
        return ran.stdout;
      };
      const commit = "git add -A && git -c user.name=A -c user.email=a@b commit --quiet -m";
      await run(
        `git init --quiet -b main && ${commit} begin && git init --quiet --bare server.git`,
      );
      assert.equal(await run("git status --short"), "");
      await patch(`${folder}/package.json`, "1.0.0", "1.1.0");
      assert.equal(await run("git status --short"), " M package.json\n");
      const slow = await call("CliRun", { command: "sh build.sh", timeout: 3 });
      assert.deepEqual(
        pick(slow, "status", "exitCode", "stdout", "stderr"),
        ["timeout", null, "building 1.1.0\n", ""],
      );
      assert.match(`${slow.suggestion}`, /CliSession/);
      const { sessionId, ...begun } = await call("CliSession", { command: "sh build.sh" });
      assert.deepEqual(
        pick(begun, "initialOutput", "isRunning", "waitingForInput"),
        ["building 1.1.0\n", true, false],
      );
      const quiet = await call("CliRead", { sessionId, timeout: 1 });
      assert.deepEqual(
        pick(quiet, "output", "hasMore", "isRunning", "waitingForInput"),
        ["", false, true, false],
      );
      await Deno.writeTextFile(`${folder}/go`, "");
      let output = "";
      let read: Record<string, unknown>;
      do {
        read = await call("CliRead", { sessionId });
        output += read.output;
      } while (read.isRunning === true || read.hasMore === true);
      assert.equal(output, "part 1 of 3\npart 2 of 3\npart 3 of 3\nbuilt\n");
      assert.deepEqual(pick(read, "waitingForInput", "exitCode"), [false, 0]);
      await run(`${commit} release && git push --quiet server.git main`);
      assert.match(
        `${await run("git --git-dir=server.git show main:dist/app.json")}`,
        /"version": "1\.1\.0"/,
      );
    }),
});

Deno.test({
  ...optional("Example 5: files that were found are changed, and git sums it up", "git", notLinux),
  fn: () =>
    workflow({
      "README.md": "# One\nSee http://example.org.\n",
      "docs/a guide.md": "# Two\nSee http://example.org.\n",
      "docs/deep/c.md": "# Three\n",
      "src/not.txt": "http://example.org\n",
      ".gitignore": ".deno\n.state\n",
    }, async (call, folder) => {
      const run = async (command: string) => {
        const ran = await call("CliRun", { command });
        assert.deepEqual(pick(ran, "status", "exitCode", "stderr"), ["success", 0, ""]);
        return `${ran.stdout}`;
      };
      await run("git init --quiet && git add -A");
      const found = (await run("find . -name '*.md' -type f | LC_ALL=C sort")).trimEnd().split(
        "\n",
      );
      assert.deepEqual(found, ["./README.md", "./docs/a guide.md", "./docs/deep/c.md"]);
      for (const path of found) {
        const text = await Deno.readTextFile(`${folder}/${path}`);
        await Deno.writeTextFile(`${folder}/${path}`, text.replace("http:", "https:"));
      }
      assert.equal(
        await run("git diff --stat"),
        ` README.md       | 2 +-
 docs/a guide.md | 2 +-
 2 files changed, 2 insertions(+), 2 deletions(-)
`,
      );
    }),
});

const VALIDATE = `import json, os, sys
settings = json.load(open("config/settings.json"))
wanted = {"staging": "info", "production": "warn"}[os.environ["NODE_ENV"]]
if settings["log"] != wanted:
    sys.exit("config/settings.json: log is %s, not %s" % (settings["log"], wanted))
print("valid for", os.environ["NODE_ENV"])
`;

Deno.test({
  ...optional(
    "Example 6: the environment decides which configuration is right",
    "python3",
    notLinux,
  ),
  fn: () =>
    workflow({
      "config/settings.json": '{ "log": "debug" }\n',
      "validate.py": VALIDATE,
    }, async (call, folder) => {
      const command = "python3 -I validate.py";
      const get = async () => await call("CliEnv", { action: "get", name: "NODE_ENV" });
      assert.deepEqual(await get(), { name: "NODE_ENV", value: "staging", source: "global" });
      const wrong = await call("CliRun", { command });
      assert.deepEqual(
        pick(wrong, "status", "exitCode", "stdout", "stderr"),
        ["error", 1, "", "config/settings.json: log is debug, not info\n"],
      );
      await patch(`${folder}/config/settings.json`, "debug", "info");
      const right = await call("CliRun", { command });
      assert.deepEqual(pick(right, "exitCode", "stdout"), [0, "valid for staging\n"]);
      assert.deepEqual(
        await call("CliEnv", { action: "set", name: "NODE_ENV", value: "production" }),
        { status: "set", name: "NODE_ENV", value: "production", scope: "global" },
      );
      const other = await call("CliRun", { command });
      assert.deepEqual(
        pick(other, "exitCode", "stderr"),
        [1, "config/settings.json: log is info, not warn\n"],
      );
      await call("CliEnv", { action: "unset", name: "NODE_ENV" });
      assert.deepEqual(await get(), { name: "NODE_ENV", value: null, source: "global" });
    }, { NODE_ENV: "staging" }),
});
