/** Tests `llmcmd attach` on a terminal of tmux, beside a client of `llmcmd mcp`. */
import assert from "node:assert/strict";
import { connectMcp, RUN } from "./_mcp_client.ts";
import { notLinux, optional } from "./_optional.ts";
import { Tmux } from "./_tmux.ts";

const SECRET = "hunter2 is long";

/** The cache of Deno's modules; the tests have another home folder. */
const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

/** A client of `llmcmd mcp` that records everything the server sends. */
async function connect(folder: string) {
  const all: string[] = [];
  const TMPDIR = `${folder}/tmp`;
  await Deno.mkdir(TMPDIR);
  const env = { HOME: folder, DENO_DIR, XDG_RUNTIME_DIR: "", TMPDIR };
  const args = ["--allow-dir", folder];
  const connected = await connectMcp(folder, { args, env, onText: (text) => all.push(text) });
  return { ...connected, all };
}

/** A terminal of tmux with a shell in it. */
class Person extends Tmux {
  static async open(folder: string): Promise<Person> {
    const person = new Person(`${folder}/tmux`);
    const variables = [
      ...[`HOME=${folder}`, `DENO_DIR=${DENO_DIR}`, `XDG_STATE_HOME=${folder}/.state`],
      ...["XDG_RUNTIME_DIR=", "PS1=%"],
    ];
    await person.start(folder, 100, 30, `env ${variables.join(" ")} bash --norc --noprofile`);
    await person.until(/^%/m);
    return person;
  }

  async type(text: string): Promise<void> {
    await this.keys("-l", text);
    await this.keys("Enter");
  }

  async leave(): Promise<void> {
    await this.keys("C-]");
  }
}

/** Waits until the temporary files of a killed server are removed. */
async function untilEmpty(folder: string): Promise<void> {
  const end = Date.now() + 20_000;
  for (;;) {
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name);
    if (left.length === 0) return;
    if (Date.now() > end) assert.deepEqual(left, []);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The modes of the terminal that matter to a shell, as `stty` shows them. */
const MODES = "stty -a | grep -oE -- '-?(icanon|echo|isig)\\b' | xargs echo modes";
const USUAL = /^modes isig icanon echo$/m;

Deno.test({
  ...optional(
    "llmcmd attach: a person types the password, which the model never gets, and leaves",
    ...[notLinux, "python3" as const, "tmux" as const],
  ),
  async fn() {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "attach-" }));
    try {
      const { client, child, call, said, all } = await connect(folder);
      await using person = await Person.open(folder);
      const attach = [Deno.execPath(), ...RUN, "attach"].join(" ");
      const command = 'read -s -p "Password: " x; echo; echo "got ${#x}"; cat';
      const started = await call("CliSession", { command, sessionId: "pw" });
      assert.equal(started.inputMode, "password");
      assert.match(`${started.hint}`, /"llmcmd attach pw"/);
      await person.type(`clear; ${attach}; ${attach} pww; echo "status $?"`);
      const listed = await person.until(/^status 2$/m);
      assert.match(listed, /^pw +llmcmd mcp \d+ .*waits for a password/m);
      assert.match(listed, /there is no session 'pww': there are pw; did you mean 'pw'\?/);
      await person.type(`clear; ${attach} pw; echo "status $?"; ${MODES}`);
      await person.until(/^Password:$/m);
      await person.type(SECRET);
      await person.until(new RegExp(`^got ${SECRET.length}$`, "m"));
      const read = await call("CliRead", { sessionId: "pw", until: "input" });
      assert.deepEqual([read.output, read.attached], [`\ngot ${SECRET.length}\n`, true]);
      await person.leave();
      assert.match(await person.until(USUAL), /left pw, which goes on\nstatus 0$/m);
      // The session goes on, and its server dies while a user is joined.
      const alone = await call("CliWrite", { sessionId: "pw", input: "again{enter}" });
      assert.deepEqual([alone.responseOutput, alone.attached], ["again\nagain\n", undefined]);
      await person.type(`clear; ${attach} pw; echo "status $?"; ${MODES}`);
      await person.until(/^again$/m);
      child.kill("SIGKILL");
      assert.match(
        await person.until(USUAL),
        /the server of pw \(llmcmd mcp \d+\) has ended\nstatus 1$/m,
      );
      await person.type(`clear; ${attach}; echo "status $?"`);
      assert.match(await person.until(/^status 0$/m), /There is no terminal session to join/);
      assert.deepEqual([...Deno.readDirSync(`${folder}/.state/llmcmd/attach`)], []);
      await client.close();
      await child.status;
      assert.doesNotMatch(all.join("") + await said, new RegExp(SECRET));
      await untilEmpty(`${folder}/tmp`);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  ...optional(
    "llmcmd attach --escape: Ctrl+] goes to the program, and another key leaves",
    ...[notLinux, "python3" as const, "tmux" as const],
  ),
  async fn() {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "attach-" }));
    try {
      const { client, child, call, said } = await connect(folder);
      await using person = await Person.open(folder);
      await call("CliSession", { command: "echo ready; cat -v", sessionId: "raw" });
      const attach = [Deno.execPath(), ...RUN, "attach", "--escape", "^b", "raw"].join(" ");
      await person.type(`clear; ${attach}; echo "status $?"`);
      await person.until(/^ready$/m);
      await person.keys("a", "C-]", "b", "Enter");
      await person.until(/^a\^\]b\na\^\]b$/m);
      await person.keys("C-b");
      assert.match(await person.until(/^status \d$/m), /left raw, which goes on\nstatus 0$/m);
      const { output, attached } = await call("CliRead", { sessionId: "raw" });
      assert.deepEqual([output, attached], ["a^]b\na^]b\n", undefined]);
      await client.close();
      await child.status;
      await said;
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
