import assert from "node:assert/strict";
import { missing, notLinux, optional } from "../../../tests/_optional.ts";
import { startProcess } from "../../sys/mod.ts";
import { alive, cleanUp, newToken, outputOf, until } from "../_testing.ts";
import { MARKS_KEEPER } from "./keepers.ts";

/** Starts a keeper, ends its connection, and returns its reports. */
async function keep(shell: string, script: string, command: string, token: string) {
  const id = crypto.randomUUID().replaceAll("-", "");
  const child = await startProcess({
    program: shell,
    args: ["-c", script, "keeper", id, "", "merge", "-", shell, "-c", command],
    env: { PATH: Deno.env.get("PATH") ?? "" },
    duplexes: 1,
  });
  const [control] = child.duplexes;
  assert.ok(control !== undefined);
  // Shells that have not become `sleep` yet have the whole line among their arguments.
  let before = 0;
  await until(() => (before = alive(token, `T=${token}`).length) >= 3);
  const [said, printed] = await Promise.all([
    new Response(control.readable).text(),
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    control.writable.close(),
    child.status,
  ]);
  assert.equal(printed, "");
  return { before, said };
}

/** The missing programs for reading environments: in /proc, and with ps. */
const noGrep = missing("grep");
const noPs = missing("ps") ?? missing("awk");

for (
  const [name, change] of [
    ["/proc", (script: string) => script],
    ["ps", (script: string) => script.replace("-r /proc/self/stat", "-r /no/such/file")],
  ] as const
) {
  for (const shell of ["bash", "sh"]) {
    Deno.test({
      ...optional(
        `the keeper in ${shell} finds processes by environment and descent in ${name}`,
        notLinux,
        name === "ps" ? noPs : noGrep,
      ),
      async fn() {
        const token = newToken();
        try {
          const { before, said } = await keep(
            shell,
            change(MARKS_KEEPER),
            `T=${token}; (setsid sleep $T &); (trap "" TERM; env -i sleep $T) & sleep $T & wait`,
            token,
          );
          assert.equal(before, 3);
          // ps does not look at one moment, so the result is uncertain.
          assert.equal(said, `ready\ndead ${name === "ps" ? "unknown" : 0}\n`);
          assert.deepEqual(alive(token), []);
        } finally {
          cleanUp(token);
        }
      },
    });
  }
}

/** A folder with links to `sh` and the programs that the keeper in `sh` uses. */
async function fewPrograms(): Promise<string> {
  const folder = await Deno.makeTempDir();
  await Deno.symlink(await Deno.realPath("/bin/sh"), `${folder}/sh`);
  for (const name of ["grep", "sleep", "readlink", "setsid"]) {
    await Deno.symlink(`/usr/bin/${name}`, `${folder}/${name}`);
  }
  return folder;
}

Deno.test({
  ...optional("the keeper needs no bash, Python or bwrap", notLinux),
  async fn() {
    const folder = await fewPrograms();
    const token = newToken();
    try {
      const program = `
        import { CommandSession } from "${import.meta.resolve("../mod.ts")}";
        const session = new CommandSession({ cwd: "/" });
        const first = await session.run("setsid sleep ${token} >/dev/null 2>&1 & echo $0");
        const { timedOut } = await session.run("sleep ${token}", { timeout: 300 });
        await session[Symbol.asyncDispose]();
        console.log(JSON.stringify([first.text, first.background !== undefined, timedOut]));`;
      assert.equal(
        await outputOf(program, { PATH: folder }, "--allow-all"),
        '["sh\\n",true,true]\n',
      );
      assert.deepEqual(alive(token), []);
    } finally {
      cleanUp(token);
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  ...optional(
    "the keeper in Python is started as the python3 that is on PATH, and does without a bad one",
    notLinux,
  ),
  async fn() {
    const folder = await fewPrograms();
    try {
      await Deno.writeTextFile(
        `${folder}/python3`,
        `#!/bin/sh\necho "$1 $2 $3" >"${folder}/asked"\nexit 1\n`,
        { mode: 0o755 },
      );
      const program = `
        import { CommandSession } from "${import.meta.resolve("../mod.ts")}";
        await using session = new CommandSession({ cwd: "/" });
        console.log((await session.run("echo it runs")).text.trim());`;
      assert.equal(await outputOf(program, { PATH: folder }, "--allow-all"), "it runs\n");
      assert.equal(await Deno.readTextFile(`${folder}/asked`), "-I -S -c\n");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
