/** Tests the command as it is installed from a checkout and run by its tasks, in other folders. */
import assert from "node:assert/strict";
import readme from "../README.md" with { type: "text" };
import permissions from "../docs/permissions.md" with { type: "text" };
import { bundle, lazyEntry } from "../tools/bundle.ts";
import { Bench, call, step } from "./_cli.ts";
import { optional, thorough } from "./_optional.ts";

const ROOT = new URL("../", import.meta.url).pathname;

const SCENARIOS = [{
  name: "count",
  trigger: "count errors",
  steps: [
    step(call("pipe", { cmd: "grep -c error", in_fd: 3, out_fd: 1 })),
    step(call("exit")),
  ],
}];

/** A folder with a file, outside of the checkout. */
async function open(): Promise<Bench> {
  const bench = await Bench.open(SCENARIOS);
  await bench.write("log", "an error\nfine\nerror again\n");
  return bench;
}

/** An environment with Deno first on the PATH, where the installed command looks for it. */
function environment(bench: Bench, more: Record<string, string> = {}): Record<string, string> {
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  return bench.environment({ PATH: `${deno}:${Deno.env.get("PATH")}`, NO_COLOR: "1", ...more });
}

/** Runs a script in the checkout. */
async function inCheckout(bench: Bench, script: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("bash", {
    args: ["--norc", "-c", script],
    cwd: ROOT,
    clearEnv: true,
    env: environment(bench),
    stdin: "null",
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** The command lines of a page that bundle and install the command. */
function installLines(markdown: string): string[] {
  return [...markdown.matchAll(/^deno task bundle\ndeno install (?:.*\\\n)*.*$/gm)]
    .map(([lines]) => lines);
}

Deno.test(
  optional("installed as the documentation says, the command works in any folder", thorough),
  async () => {
    await using bench = await open();
    const lines = [...installLines(readme), ...installLines(permissions)];
    assert.equal(lines.length, 2);
    for (const [index, line] of lines.entries()) {
      const root = `${bench.folder}/root${index}`;
      // The mock is the endpoint here.
      const allowed = line.replace("--allow-net=api.openai.com", `--allow-net=${bench.address}`);
      await inCheckout(bench, allowed.replace("deno install", `deno install --root '${root}'`));
      const run = `${root}/bin/llmcmd`;
      // A variable of npm and Deno tasks, which the command may inherit from a script.
      const env = environment(bench, { INIT_CWD: "/" });
      const { code, stdout, stderr } = await bench.sh(`${run} 'count errors' log`, { env });
      assert.deepEqual([code, stdout, stderr], [0, "2\n", ""], line);
      const { stdout: help } = await bench.sh(`${run} serve --help`, { env });
      assert.match(help, /^Usage: llmcmd serve /);
    }
  },
);

Deno.test("installed without its configuration, the command says how to install it", async () => {
  await using bench = await open();
  const root = `${bench.folder}/root`;
  await inCheckout(bench, `deno install --global --root ${root} --name llmcmd -A cli.ts`);
  const { code, stdout, stderr } = await bench.sh(`${root}/bin/llmcmd 'count errors' log`, {
    env: environment(bench),
  });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.equal(
    stderr,
    "llmcmd: Cannot find its libraries, which deno.json names: install again with " +
      "--config deno.json, or run cli.ts with the --config of its folder\n",
  );
});

Deno.test("deno task llmcmd works on the files of the folder where it is called", async () => {
  await using bench = await open();
  await bench.write("task.txt", "count errors\n");
  const task = `deno task --quiet --config ${ROOT}deno.json llmcmd`;
  const env = environment(bench);
  const { code, stdout, stderr } = await bench.sh(`${task} -p @task.txt -o out log; cat out`, {
    env,
  });
  assert.deepEqual([code, stdout, stderr], [0, "2\n", ""]);
  const missing = await bench.sh(`${task} 'count errors' 'no such file'`, { env });
  assert.deepEqual([missing.code, missing.stdout], [4, ""]);
  assert.match(missing.stderr, /^llmcmd: Cannot read no such file: no such file or folder\n/);
});

Deno.test("the source reads its parts late with the flag for it, if it may read them", async () => {
  await using bench = await open();
  const run = (read: string, args: string) =>
    bench.sh(
      `deno run --quiet --no-prompt --unstable-lazy-dynamic-imports --allow-read=${read} ` +
        `--allow-env --allow-net=${bench.address} ${ROOT}cli.ts ${args}`,
      { env: environment(bench) },
    );
  const { code, stdout, stderr } = await run(`${ROOT},log`, "'count errors' log");
  assert.deepEqual([code, stdout, stderr], [0, "2\n", ""]);
  const refused = await run("log", "'count errors' log");
  assert.deepEqual([refused.code, refused.stderr], [
    5,
    `llmcmd: Cannot load its own files: permission --allow-read=${ROOT} is missing ` +
    "(add it, or leave out --unstable-lazy-dynamic-imports)\n",
  ]);
});

Deno.test(
  optional("the lazy entry of a bundle reads its other files when they are imported", thorough),
  async (t) => {
    await using bench = await open();
    const folder = `${bench.folder}/bundle`;
    const entry = await bundle(`${ROOT}cli.ts`, folder);
    const run = async (program: string, read: string, args: string) => {
      const script = `deno run --quiet --no-prompt --allow-read=${read} --allow-env ` +
        `--allow-net=${bench.address} ${program} ${args}`;
      const { code, stdout, stderr } = await bench.sh(script, { env: environment(bench) });
      return [code, stdout, stderr];
    };

    await t.step(
      "with the permission for their folder it does all that the other does",
      async () => {
        const lazy = lazyEntry(entry);
        assert.deepEqual(await run(lazy, `${folder},log`, "'count errors' log"), [0, "2\n", ""]);
        assert.deepEqual(
          await run(lazy, folder, "mcp --help"),
          await run(entry, "log", "mcp --help"),
        );
      },
    );

    await t.step("without it, it names the permission and the other entry", async () => {
      assert.deepEqual(await run(lazyEntry(entry), "log", "'count errors' log"), [
        5,
        "",
        `llmcmd: Cannot load its own files: permission --allow-read=${folder} is missing (add it, ` +
        "or install cli.js of that folder, which needs none for them)\n",
      ]);
      assert.deepEqual(await run(entry, "log", "'count errors' log"), [0, "2\n", ""]);
    });

    await t.step("it names few of them, the other what may be imported", async () => {
      const named = async (program: string) => {
        const { stdout } = await bench.sh(`deno info --json ${program}`, {
          env: environment(bench),
        });
        const modules: { specifier: string }[] = JSON.parse(stdout).modules;
        return modules.filter(({ specifier }) => specifier.startsWith("file:")).length;
      };
      assert.ok(await named(entry) > 100);
      assert.ok(await named(lazyEntry(entry)) < 10);
    });
  },
);
