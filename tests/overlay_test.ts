import assert from "node:assert/strict";
import { optional } from "./_optional.ts";
import { PROGRAM } from "./_program.ts";

/** A folder with files, a state folder beside it, and a client in Python. */
interface Place {
  readonly folder: string;
  readonly state: string;
  /** Runs llmcmd in the folder. */
  llmcmd(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Starts llmcmd in the folder. */
  start(...args: string[]): Deno.ChildProcess;
  /** Runs Python code behind an overlay; it has `files`, with all extensions. */
  program(args: readonly string[], code: string): ReturnType<Place["llmcmd"]>;
}

const CONNECT = `
import fsproxy_client, time
files = fsproxy_client.connect()
files.request("hello", chunk=65536, extensions=["list", "mkdir", "remove", "rename", "seek"])
def put(path, text, mode="w"):
    with files.open(path, mode) as file: file.write(text.encode())
def ask(op, **params):
    try: return files.request(op, **params)
    except fsproxy_client.ProxyError as error: return error.code
`;

async function place(use: (place: Place) => Promise<void>): Promise<void> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-overlay-" }));
  const [folder, state] = [`${top}/work`, `${top}/state`];
  const command = (args: readonly string[]) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "--no-check", "-A", PROGRAM, ...args],
      cwd: folder,
      env: { XDG_STATE_HOME: state },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
  const llmcmd = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(args).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  };
  try {
    await Deno.mkdir(`${folder}/sub`, { recursive: true });
    await Deno.copyFile(
      new URL("../examples/fsproxy_client.py", import.meta.url),
      `${folder}/fsproxy_client.py`,
    );
    await Deno.writeTextFile(`${folder}/a.txt`, "one\ntwo\n");
    await Deno.writeTextFile(`${folder}/gone.txt`, "gone\n");
    await Deno.writeTextFile(`${folder}/sub/run.sh`, "#!/bin/sh\n");
    await Deno.chmod(`${folder}/sub/run.sh`, 0o755);
    await use({
      ...{ folder, state, llmcmd },
      start: (...args) => command(args).spawn(),
      program: (args, code) =>
        llmcmd("fsproxy", ...args, "--", "python3", "-c", `${CONNECT}\n${code}`),
    });
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

/** Files below a folder with their modes, as text. */
async function filesIn(folder: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
    const path = `${below}${name}`;
    if (name === "fsproxy_client.py") continue;
    if (isDirectory) found.push(`${path}/`, ...await filesIn(folder, `${path}/`));
    else {
      const { mode } = await Deno.lstat(`${folder}/${path}`);
      const text = await Deno.readTextFile(`${folder}/${path}`);
      found.push(`${path} ${((mode ?? 0) & 0o777).toString(8)} ${JSON.stringify(text)}`);
    }
  }
  return found.sort();
}

const CHANGE = `
put("a.txt", "zwei", "rw")
put("new.txt", "new\\n")
files.request("remove", path="gone.txt")
files.request("rename", **{"from": "sub", "to": "moved"})
files.request("mkdir", path="empty")
print(sorted(entry["name"] for entry in files.request("list", path=".")["entries"]))
`;

Deno.test({
  ...optional(
    "llmcmd fsproxy --overlay keeps changes, which are shown, applied and gone",
    "python3",
  ),
  async fn() {
    await place(async ({ folder, state, llmcmd, program }) => {
      const before = await filesIn(folder);
      const { code, stdout, stderr } = await program(["--overlay", "--allow", "rw:."], CHANGE);
      assert.equal(code, 0, stderr);
      const names = ["a.txt", "empty", "fsproxy_client.py", "moved", "new.txt"];
      assert.equal(stdout, `['${names.join("', '")}']\n`);
      assert.match(
        stderr,
        /8 changes kept in the layer python3-1: 'llmcmd overlay diff python3-1'/,
      );
      assert.deepEqual(await filesIn(folder), before);
      const { mode } = await Deno.stat(`${state}/llmcmd/overlays/python3-1`);
      assert.equal((mode ?? 0) & 0o777, 0o700);
      const listed = await llmcmd("overlay");
      assert.match(listed.stdout, /^python3-1 +8 changes +[-\d]+ [:\d]+ +\/.*\/work +python3 -c/);
      const diff = await llmcmd("overlay", "diff", "python3-1");
      assert.equal(diff.code, 0, diff.stderr);
      assert.match(diff.stderr, /not shown: 2 folders made, 1 folder removed\n$/);
      assert.equal(diff.stdout, DIFF);
      const applied = await llmcmd("overlay", "apply", "python3-1");
      assert.equal(applied.code, 0, applied.stderr);
      assert.deepEqual(await filesIn(folder), [
        'a.txt 644 "zweitwo\\n"',
        "empty/",
        "moved/",
        'moved/run.sh 755 "#!/bin/sh\\n"',
        'new.txt 644 "new\\n"',
      ]);
      const again = await llmcmd("overlay", "apply", "python3-1");
      assert.equal(again.code, 2);
      assert.match(again.stderr, /There is no layer python3-1: there are none/);
    });
  },
});

const DIFF = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1 @@
-one
-two
+zweitwo
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/moved/run.sh b/moved/run.sh
new file mode 100755
--- /dev/null
+++ b/moved/run.sh
@@ -0,0 +1 @@
+#!/bin/sh
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+new
diff --git a/sub/run.sh b/sub/run.sh
deleted file mode 100755
--- a/sub/run.sh
+++ /dev/null
@@ -1 +0,0 @@
-#!/bin/sh
`;

Deno.test({
  ...optional("llmcmd overlay apply refuses what has changed, and keeps it", "python3"),
  async fn() {
    await place(async ({ folder, llmcmd, program }) => {
      await program(["--overlay=try", "--allow", "rw:."], CHANGE);
      await Deno.writeTextFile(`${folder}/a.txt`, "mine, and longer\n");
      // A link out of the root is now in the place of a folder.
      await Deno.mkdir(`${folder}/../outside`);
      await Deno.writeTextFile(`${folder}/../outside/run.sh`, "#!/bin/sh\n");
      await Deno.rename(`${folder}/sub`, `${folder}/../sub`);
      await Deno.symlink("../outside", `${folder}/sub`);
      const { code, stderr } = await llmcmd("overlay", "apply", "try");
      assert.equal(code, 1);
      assert.match(stderr, /refused \/.*\/work\/a.txt: it has changed meanwhile\n/);
      assert.match(stderr, /refused \/.*\/work\/moved\/run.sh: /);
      assert.match(stderr, /refused \/.*\/work\/sub: it has changed meanwhile\n/);
      assert.match(stderr, /still in the layer: 'llmcmd overlay diff try \| patch -p1' merges/);
      assert.equal(await Deno.readTextFile(`${folder}/a.txt`), "mine, and longer\n");
      assert.equal(await Deno.readTextFile(`${folder}/../outside/run.sh`), "#!/bin/sh\n");
      assert.equal(await Deno.readTextFile(`${folder}/new.txt`), "new\n");
      const near = await llmcmd("overlay", "diff", "tri");
      assert.equal(near.code, 2);
      assert.match(near.stderr, /There is no layer tri: did you mean try\?/);
      const gone = await llmcmd("overlay", "discard", "try");
      assert.equal(gone.code, 0, gone.stderr);
      assert.equal((await llmcmd("overlay")).stdout, "");
    });
  },
});

Deno.test({
  ...optional("a layer of which all programs were killed has what was written", "python3"),
  async fn() {
    await place(async ({ folder, llmcmd, start, program }) => {
      const code = `${CONNECT}
put("a.txt", "new", "rw")
print(1, flush=True)
part = files.open("part", "w")
part.write(b"x" * 100000)
print(2, flush=True)
time.sleep(600)
`;
      const running = start(
        ...["fsproxy", "--overlay=killed", "--allow", "rw:.", "--", "python3", "-c", code],
      );
      const reader = running.stdout.getReader();
      let text = "";
      while (!text.includes("2")) text += new TextDecoder().decode((await reader.read()).value);
      for (const action of ["apply", "discard"]) {
        const { code, stderr } = await llmcmd("overlay", action, "killed");
        assert.equal(code, 2);
        assert.match(stderr, /The layer killed is in use/);
      }
      assert.match((await llmcmd("overlay")).stdout, /2 changes, running/);
      const second = await program(["--overlay=killed", "--allow", "rw:."], "");
      assert.equal(second.code, 2);
      running.kill("SIGKILL");
      await running.status;
      await reader.cancel();
      await running.stderr.cancel();
      const diff = await llmcmd("overlay", "diff", "killed");
      assert.equal(diff.code, 0, diff.stderr);
      assert.match(diff.stdout, /^\+new$/m);
      assert.equal(diff.stdout.split("x").length > 100_000, true);
      // The layer can be continued by any program with the same name.
      const more = await program(["--overlay=killed", "--allow", "rw:."], 'put("part", "y", "a")');
      assert.equal(more.code, 0, more.stderr);
      const applied = await llmcmd("overlay", "apply", "killed");
      assert.equal(applied.code, 0, applied.stderr);
      assert.equal(await Deno.readTextFile(`${folder}/part`), `${"x".repeat(100_000)}y`);
      assert.equal(await Deno.readTextFile(`${folder}/a.txt`), "new\ntwo\n");
    });
  },
});

Deno.test({
  ...optional("llmcmd fsproxy --overlay hides the layers, and says what is empty", "python3"),
  async fn() {
    await place(async ({ state, llmcmd, program }) => {
      const code = `
print(ask("open", path="${state}/llmcmd/overlays/mine/layer.json", mode="r"))
print(ask("open", path="${state}/llmcmd/overlays/mine/layer/layer.ndjson", mode="w"))
print(ask("list", path="${state}/llmcmd/overlays"))
print(ask("rename", **{"from": "${state}/llmcmd", "to": "${state}/other"}))
print(ask("remove", path="${state}/llmcmd", recursive=True))
`;
      const result = await program(["--overlay=mine", "--allow", `rw:${state}`], code);
      assert.equal(result.stdout, "E_PERM\n".repeat(5), result.stderr);
      assert.match(result.stderr, /nothing was changed: mine is empty\n$/);
      const diff = await llmcmd("overlay", "diff", "mine");
      assert.deepEqual([diff.code, diff.stdout, diff.stderr], [0, "", ""]);
      const apart = await llmcmd("fsproxy", "--overlay", "mine", "--allow", "rw:.", "--", "true");
      assert.equal(apart.code, 2);
      assert.match(apart.stderr, /'mine' after --overlay: write --overlay=mine for a layer/);
      const unnamed = await program(["--overlay", "--allow", "rw:."], "");
      assert.match(unnamed.stderr, /nothing was changed\n$/);
      assert.match((await llmcmd("overlay", "list")).stdout, /^mine +0 changes +[^\n]+\n/);
      await program(["--overlay=torn", "--allow", "rw:."], 'put("x", "y")');
      const log = `${state}/llmcmd/overlays/torn/layer/layer.ndjson`;
      await Deno.writeTextFile(
        log,
        (await Deno.readTextFile(log)).replace(/"file":"[^"]*"/, `"file":"x"`),
      );
      const torn = await llmcmd("overlay", "diff", "torn");
      assert.deepEqual([torn.code, torn.stdout], [4, ""]);
      assert.match(
        torn.stderr,
        /line 2 is not a valid line of a layer; 'llmcmd overlay discard torn' /,
      );
      assert.match((await llmcmd("overlay")).stdout, /^torn +damaged /m);
      assert.equal((await llmcmd("overlay", "discard", "torn")).code, 0);
      const shown = await llmcmd(
        ...["fsproxy", "--overlay", "--sandbox", "bwrap", "--show", state, "--", "true"],
      );
      assert.equal(shown.code, 2);
      assert.match(shown.stderr, /--show .* would show .*, which is llmcmd's own: show less of it/);
    });
  },
});

Deno.test({
  ...optional("llmcmd overlay apply says where files are only if they are there", "python3"),
  fn: () =>
    place(async ({ folder, llmcmd, program }) => {
      const beside = `${folder}/../beside`;
      await Deno.mkdir(beside);
      const allow = ["--allow", `rw:${beside}`, "--allow", "rw:."];
      await program(["--overlay=out", ...allow], `put("${beside}/new", "1")`);
      const out = await llmcmd("overlay", "apply", "out");
      assert.equal(out.stderr, "llmcmd overlay: applied 1 change\n");
      assert.equal(await Deno.readTextFile(`${beside}/new`), "1");
      await program(["--overlay=in", ...allow], `put("a.txt", "1")`);
      const within = await llmcmd("overlay", "apply", "in");
      assert.equal(within.stderr, `llmcmd overlay: applied 1 change to files in ${folder}\n`);
      await program(["--overlay=late", ...allow], `put("${beside}/new", "2")`);
      await Deno.writeTextFile(`${beside}/new`, "mine");
      const late = await llmcmd("overlay", "apply", "late");
      assert.match(
        late.stderr,
        /applied 0 changes\n.*layer: 'llmcmd overlay diff late' shows them, 'llmcmd overlay discard late' r/,
      );
      assert.equal(late.code, 1);
    }),
});
