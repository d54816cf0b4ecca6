import assert from "node:assert/strict";
import { MARKS_KEEPER } from "./_shell_keeper.ts";
import { alive, cleanUp, newToken, until } from "./_testing.ts";

/** Starts a keeper and gives what it says after its input ended. */
async function keep(shell: string, script: string, command: string, token: string) {
  const child = new Deno.Command(shell, {
    args: ["-c", script, "keeper", shell, command, crypto.randomUUID().replaceAll("-", ""), ""],
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  await until(() => alive(token).length >= 4, 20_000);
  const before = alive(token).length;
  await child.stdin.close();
  const { stderr } = await output;
  return { before, said: new TextDecoder().decode(stderr) };
}

const linux = Deno.build.os === "linux";

for (
  const [name, change] of [
    ["/proc", (script: string) => script],
    ["ps", (script: string) => script.replace("-r /proc/self/stat", "-r /no/such/file")],
  ] as const
) {
  for (const shell of ["bash", "sh"]) {
    Deno.test({
      name: `the keeper in ${shell} finds processes by environment and descent in ${name}`,
      ignore: !linux,
      async fn() {
        const token = newToken();
        try {
          const { before, said } = await keep(
            shell,
            change(MARKS_KEEPER),
            `T=${token}; (setsid sleep $T &); (trap "" TERM; env -i sleep $T) & sleep $T & wait`,
            token,
          );
          assert.ok(before >= 4, `${before} had started`);
          // ps is no look at one moment, so that nobody can be sure.
          assert.equal(said, `ready\ndead ${name === "ps" ? "unknown" : 0}\n`);
          assert.deepEqual(alive(token), []);
        } finally {
          cleanUp(token);
        }
      },
    });
  }
}

Deno.test({
  name: "the keeper needs no bash, Python or bwrap",
  ignore: !linux,
  async fn() {
    const folder = await Deno.makeTempDir();
    const token = newToken();
    try {
      const shell = await Deno.realPath("/bin/sh");
      await Deno.symlink(shell, `${folder}/sh`);
      for (const name of ["grep", "sleep", "readlink", "setsid"]) {
        await Deno.symlink(`/usr/bin/${name}`, `${folder}/${name}`);
      }
      const program = `
        import { CommandSession } from "${import.meta.resolve("./mod.ts")}";
        const session = new CommandSession({ cwd: "/" });
        const first = await session.run("setsid sleep ${token} >/dev/null 2>&1 & echo $0");
        const { timedOut } = await session.run("sleep ${token}", { timeout: 300 });
        await session[Symbol.asyncDispose]();
        console.log(JSON.stringify([first.text, first.background !== undefined, timedOut]));`;
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--no-prompt", "--allow-all", "-"],
        env: { PATH: folder },
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(program));
      await writer.close();
      const { stdout } = await child.output();
      assert.equal(new TextDecoder().decode(stdout), '["sh\\n",true,true]\n');
      assert.deepEqual(alive(token), []);
    } finally {
      cleanUp(token);
      await Deno.remove(folder, { recursive: true });
    }
  },
});
