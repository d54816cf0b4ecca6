import assert from "node:assert/strict";
import { optional } from "../../tests/_optional.ts";
import { noSandbox, outputOf } from "./_testing.ts";
import { chooseSandbox, CommandSession, CommandStartError, type SandboxOptions } from "./mod.ts";

/** A test that needs a sandbox that works. */
function sandboxTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ ...optional(name, noSandbox), fn });
}

/** A home with secrets and a working folder, and a confined session in it. */
async function confined(
  options: SandboxOptions,
  use: (session: CommandSession, folders: { home: string; work: string }) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
  const [home, work] = [`${root}/home`, `${root}/work`];
  try {
    await Deno.mkdir(`${home}/.ssh`, { recursive: true });
    await Deno.mkdir(work);
    await Deno.writeTextFile(`${home}/.ssh/id_ed25519`, "private");
    await Deno.writeTextFile(`${home}/.netrc`, "password");
    await Deno.mkdir(`${home}/real`);
    await Deno.writeTextFile(`${home}/real/key`, "private");
    await Deno.symlink(`${home}/real`, `${home}/.aws`);
    await Deno.writeTextFile(`${home}/notes`, "public");
    const sandbox = await chooseSandbox("auto", { ...options, home });
    await using session = new CommandSession({ cwd: work, sandbox, env: { HOME: home } });
    await use(session, { home, work });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

sandboxTest("bwrap lets commands write to the working folder and a private /tmp only", async () => {
  await confined({}, async (session, { home, work }) => {
    const result = await session.run("echo a >file && cat file && echo b >/tmp/llmcmd-private");
    assert.deepEqual([result.text, result.exitCode], ["a\n", 0]);
    assert.deepEqual(result.sandbox, { kind: "bwrap", network: true, writable: [work] });
    assert.equal(await Deno.readTextFile(`${work}/file`), "a\n");
    await assert.rejects(Deno.stat("/tmp/llmcmd-private"), Deno.errors.NotFound);
    assert.equal((await session.run("cat /tmp/llmcmd-private")).text, "b\n");
    for (
      const path of [`${home}/x`, "/etc/llmcmd-x", "/usr/llmcmd-x", "/proc/sys/kernel/domainname"]
    ) {
      const { exitCode, text } = await session.run(`echo x >${path}`);
      assert.equal(exitCode, 1, path);
      assert.match(text, /Read-only file system|Permission denied/, path);
    }
    assert.notEqual((await session.run("mount -o remount,rw /")).exitCode, 0);
  });
});

sandboxTest("bwrap hides secrets, also behind symbolic links, and nothing else", async () => {
  await confined({}, async (session, { home }) => {
    assert.equal(
      (await session.run("ls -A ~/.ssh ~/real")).text,
      `${home}/.ssh:\n\n${home}/real:\n`,
    );
    for (const path of [".ssh/id_ed25519", ".netrc", ".aws/key", "real/key"]) {
      const { exitCode, text } = await session.run(`cat ~/${path}`);
      assert.equal(exitCode, 1, path);
      assert.match(text, /No such file|Permission denied/, path);
    }
    assert.notEqual((await session.run("echo x >~/.ssh/authorized_keys")).exitCode, 0);
    assert.equal((await session.run("cat ~/notes")).text, "public");
    assert.equal((await session.run("ls /run/docker.sock /run/user /run/dbus")).exitCode, 2);
  });
});

sandboxTest(
  "bwrap hides what comes into being later, and runs on when what it hid is gone",
  async () => {
    await confined({}, async (session, { home }) => {
      assert.equal((await session.run("cat ~/.npmrc")).exitCode, 1);
      await Deno.writeTextFile(`${home}/.npmrc`, "token");
      await Deno.remove(`${home}/.ssh`, { recursive: true });
      const { text, exitCode } = await session.run("cat ~/.npmrc; ls -d ~/.ssh; cat ~/notes");
      assert.match(text, /\.npmrc: Permission denied\n.*\.ssh.*No such file.*\npublic$/);
      assert.equal(exitCode, 0);
    });
  },
);

sandboxTest("bwrap keeps hidden what a command tries to bring elsewhere", async () => {
  const home = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
  try {
    const key = ".local/state/llmcmd/key";
    for (const folder of [".local/state/llmcmd", ".config/gh", "elsewhere/aws"]) {
      await Deno.mkdir(`${home}/${folder}`, { recursive: true });
    }
    for (const path of [key, ".config/gh/hosts", "elsewhere/aws/key"]) {
      await Deno.writeTextFile(`${home}/${path}`, "private");
    }
    await Deno.symlink("elsewhere/aws", `${home}/.aws`);
    const sandbox = await chooseSandbox("auto", { home });
    // The home folder is the working folder, so commands may write everywhere in it.
    await using session = new CommandSession({ cwd: home, sandbox });
    for (
      const command of [
        "mv .local seen",
        "mv .local/state seen",
        "mv .local/state/llmcmd seen",
        `ln ${key} seen`,
        "mv .config seen",
        "mv elsewhere seen",
        "rm .aws && mkdir .aws && false",
      ]
    ) {
      const { exitCode, text } = await session.run(command);
      assert.notEqual(exitCode, 0, `${command}: ${text}`);
      assert.equal((await session.run("grep -rs private .")).text, "", command);
    }
    assert.equal(await Deno.readTextFile(`${home}/${key}`), "private");
    // All else in these folders can be written to and renamed.
    const { text, exitCode } = await session.run(
      "echo a >.local/state/a && mv .local/state/a .local/b && mkdir .config/c && mv .config/c d && " +
        "cat .local/b && ls -d d",
    );
    assert.deepEqual([text, exitCode], ["a\nd\n", 0]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

sandboxTest(
  "bwrap shows a working folder within what is hidden, and nothing beside it",
  async () => {
    const home = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
    try {
      const state = `${home}/.local/state/llmcmd`;
      await Deno.mkdir(`${state}/trees/mine/inner`, { recursive: true });
      await Deno.mkdir(`${state}/trees/other`);
      for (const path of ["key", "trees/other/file", "trees/mine/inner/secret"]) {
        await Deno.writeTextFile(`${state}/${path}`, "private");
      }
      const hidden = [`${state}/trees/mine/inner/secret`, `${state}/trees/other`];
      const sandbox = await chooseSandbox("auto", { home, hidden });
      await using session = new CommandSession({ cwd: `${state}/trees/mine`, sandbox });
      const { text, exitCode } = await session.run("echo a >file; find ../.. | sort");
      assert.deepEqual([text, exitCode], [
        ["", "/trees", "/trees/mine", "/trees/mine/file", "/trees/mine/inner"]
          .map((path) => `../..${path}\n`).join("") + "../../trees/mine/inner/secret\n",
        0,
      ]);
      assert.equal(await Deno.readTextFile(`${state}/trees/mine/file`), "a\n");
      assert.equal((await session.run("cat inner/secret")).text.includes("private"), false);
      assert.equal((await session.run("mv inner seen")).exitCode, 1);
      assert.equal((await session.run("echo b >../b")).exitCode, 1);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
);

sandboxTest(
  "bwrap hides processes outside, and gives no capability to change the system",
  async () => {
    await confined({}, async (session) => {
      const { text } = await session.run(
        `kill -0 ${Deno.pid} || echo unseen; ls -d /proc/[0-9]* | wc -l`,
      );
      assert.match(text, /unseen\n\d\n$/);
    });
  },
);

sandboxTest("bwrap takes the network away where that is chosen", async () => {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("x"),
  );
  const connect = `exec 9<>/dev/tcp/127.0.0.1/${server.addr.port} && echo connected`;
  try {
    await confined({ network: true }, async (session) => {
      assert.match((await session.run(connect)).text, /^connected$/m);
    });
    await confined({ network: false }, async (session) => {
      const result = await session.run(connect);
      assert.doesNotMatch(result.text, /^connected$/m);
      assert.equal(result.sandbox.kind === "bwrap" && result.sandbox.network, false);
    });
  } finally {
    await server.shutdown();
  }
});

sandboxTest(
  "bwrap lets commands write to folders that are allowed, and hides what is asked",
  async () => {
    const more = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
    const other = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
    try {
      await Deno.writeTextFile(`${other}/secret`, "private");
      await confined(
        { writable: [more], hidden: [`${other}/secret`] },
        async (session, { work }) => {
          const result = await session.run(`echo a >${more}/file; cat ${other}/secret`);
          assert.match(result.text, /Permission denied/);
          assert.deepEqual(result.sandbox, {
            kind: "bwrap",
            network: true,
            writable: [work, more],
          });
          assert.equal(await Deno.readTextFile(`${more}/file`), "a\n");
        },
      );
    } finally {
      for (const folder of [more, other]) await Deno.remove(folder, { recursive: true });
    }
  },
);

sandboxTest("bwrap lets a single command write to more folders", async () => {
  const more = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
  try {
    await confined({}, async (session, { home, work }) => {
      const writable = [more, `${more}/missing`, home];
      const { exitCode, sandbox } = await session.run(`echo a >${more}/file`, { writable });
      assert.equal(exitCode, 0);
      assert.deepEqual(sandbox.kind === "bwrap" && sandbox.writable, [work, more, home]);
      assert.equal(await Deno.readTextFile(`${more}/file`), "a\n");
      // Hidden paths in one of them stay hidden.
      const hidden = await session.run("cat ~/.netrc; echo x >~/.ssh/x", { writable });
      assert.doesNotMatch(hidden.text, /password/);
      assert.equal(hidden.exitCode, 1);
      assert.notEqual((await session.run(`echo b >${more}/file`)).exitCode, 0);
    });
  } finally {
    await Deno.remove(more, { recursive: true });
  }
});

sandboxTest("seenFolders tells where the host has what commands see elsewhere", async () => {
  await confined({}, async (session, { work }) => {
    const [tmp, ...others] = await session.seenFolders();
    assert.equal(tmp?.at, "/tmp");
    assert.deepEqual(others, [{ folder: work }]);
    await Deno.writeTextFile(`${tmp?.folder}/a`, "seen");
    assert.equal((await session.run("cat /tmp/a")).text, "seen");
  });
  await using session = new CommandSession({ sandbox: await chooseSandbox("none") });
  assert.deepEqual(await session.seenFolders(), []);
});

sandboxTest("bwrap confines a working folder that is named by a symbolic link", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
  try {
    await Deno.mkdir(`${root}/real`);
    await Deno.symlink(`${root}/real`, `${root}/link`);
    const sandbox = await chooseSandbox("auto");
    await using session = new CommandSession({ cwd: `${root}/link`, sandbox });
    const { text, exitCode } = await session.run("touch made; pwd");
    assert.deepEqual([text, exitCode], [`${root}/real\n`, 0]);
    assert.ok((await Deno.stat(`${root}/real/made`)).isFile);
    const outside = await session.run("touch made", { cwd: root });
    assert.notEqual(outside.exitCode, 0, "another folder of the command is not writable");
    await using whole = new CommandSession({ cwd: "/", sandbox });
    await assert.rejects(whole.run("true"), { message: /^Cannot confine commands to \// });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("chooseSandbox says what it chose and why", async () => {
  assert.deepEqual(await chooseSandbox("none"), {
    kind: "none",
    reason: "no sandbox was asked for",
  });
  const program = `
    import { chooseSandbox } from "${import.meta.resolve("./mod.ts")}";
    console.log(JSON.stringify(await chooseSandbox("auto")));
    try { await chooseSandbox("bwrap"); } catch (error) { console.log(error.name, error.message); }`;
  const empty = await Deno.makeTempDir();
  try {
    await Deno.symlink("/bin/sh", `${empty}/sh`);
    await Deno.symlink("/usr/bin/readlink", `${empty}/readlink`);
    const run = (flag: string, path: string) =>
      outputOf(program, { PATH: path }, "--allow-env", flag);
    const advice = "install the package bubblewrap, or choose --sandbox none";
    if (Deno.build.os === "linux") {
      assert.equal(
        await run("--allow-run", empty),
        '{"kind":"none","reason":"bwrap is not installed"}\n' +
          `CommandStartError Cannot confine commands: bwrap is not installed; ${advice}\n`,
      );
      assert.equal(
        await run("--allow-run=bash", Deno.env.get("PATH") ?? ""),
        '{"kind":"none","reason":"permission --allow-run=bwrap is missing"}\n' +
          "CommandStartError Cannot confine commands: permission --allow-run=bwrap is missing; " +
          `${advice}\n`,
      );
    }
  } finally {
    await Deno.remove(empty, { recursive: true });
  }
  assert.ok(new CommandStartError("x") instanceof Error);
});

sandboxTest("bwrap with visible paths shows them and the system, and only to be read", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
  try {
    await Deno.mkdir(`${root}/shown`);
    await Deno.writeTextFile(`${root}/shown/file`, "shown");
    await Deno.writeTextFile(`${root}/program`, "program");
    await Deno.writeTextFile(`${root}/key`, "private");
    await Deno.symlink(`${root}/key`, `${root}/shown/link`);
    const visible = [`${root}/shown`, `${root}/program`];
    const sandbox = await chooseSandbox("bwrap", { network: false, visible });
    // The working folder is not shown either: commands run in /.
    await using session = new CommandSession({ cwd: root, sandbox });
    const seen = await session.run(
      `pwd; cat ${root}/shown/file ${root}/program; cd ${root}; echo; echo * /tmp/* /home /home/*`,
    );
    assert.equal(seen.text, "/\nshownprogram\nprogram shown /tmp/* /home /home/*\n");
    const refused = [
      `cat ${root}/key`,
      `cat ${root}/shown/link`,
      `cat /proc/1/root${root}/key`,
      "cat /etc/shadow",
      "cat /etc/ssh/*",
      "ls /root",
      "ls /home",
      `echo x >${root}/shown/file`,
      `echo x >${root}/shown/new`,
      `rm ${root}/program`,
      "echo x >/x",
      "echo x >/run/x",
      "echo x >/usr/x",
      "exec 9<>/dev/tcp/127.0.0.1/1",
    ].map((command) => `(${command}) >/tmp/out 2>&1 && echo '${command}'`);
    // Commands that are not refused print themselves.
    assert.equal((await session.run(`${refused.join("\n")}\ntrue`)).text, "");
    assert.equal(await Deno.readTextFile(`${root}/shown/file`), "shown");
    assert.equal((await session.run("echo x >/tmp/x && cat /tmp/x")).text, "x\n");
    await Deno.remove(`${root}/program`);
    await assert.rejects(session.run("true"), {
      name: "CommandStartError",
      message: `Cannot show ${root}/program to commands: there is no such file or folder`,
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
