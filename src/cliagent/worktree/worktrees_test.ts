import assert from "node:assert/strict";
import { optional } from "../../../tests/_optional.ts";
import { entryOf, filesForTest, gitForTest, processesForTest } from "../_testing.ts";
import { AgentError } from "../errors.ts";
import { matchesGlob } from "./glob.ts";
import { type Changes, type Git, safeSettings, type Worktree, Worktrees } from "./mod.ts";

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A repository with a commit, and a state folder beside it. */
class Room implements AsyncDisposable {
  readonly git: Git;
  readonly warnings: string[] = [];

  private constructor(readonly folder: string) {
    this.git = gitForTest(folder);
  }

  static async make(): Promise<Room> {
    const room = new Room(await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-test-" })));
    await Deno.mkdir(`${room.repo}/sub`, { recursive: true });
    await room.run("init", "--quiet", "--initial-branch=main");
    await room.run("config", "user.name", "Somebody");
    await room.run("config", "user.email", "somebody@example.com");
    await Deno.writeTextFile(`${room.repo}/a.txt`, "one\ntwo\n");
    await Deno.writeTextFile(`${room.repo}/sub/b.txt`, "b\n");
    await Deno.writeTextFile(`${room.repo}/.gitignore`, "*.secret\nbuild/\n");
    await room.run("add", ".");
    await room.run("commit", "--quiet", "-m", "first");
    return room;
  }

  get repo(): string {
    return `${this.folder}/repo`;
  }

  get state(): string {
    return `${this.folder}/state`;
  }

  /** Runs git as the user does, and returns its output. */
  async run(...args: string[]): Promise<string> {
    return await this.runIn(this.repo, ...args);
  }

  async runIn(cwd: string, ...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.git.run(args, cwd);
    assert.equal(status, 0, stderr);
    return decode(stdout);
  }

  worktrees(self = 1, alive: number[] = [self], git: Git = this.git): Worktrees {
    return new Worktrees({
      git,
      files: filesForTest,
      processes: processesForTest(self, alive),
      stateFolder: this.state,
      warn: (message) => this.warnings.push(message),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

const need = (name: string) => optional(name, "git");

Deno.test({
  ...need("Worktrees: an agent's checkout is HEAD in a private folder, and nothing is left of it"),
  async fn() {
    await using room = await Room.make();
    await Deno.writeTextFile(`${room.repo}/a.txt`, "not committed\n");
    const worktrees = room.worktrees();
    const tree = await worktrees.add("r1", entryOf({ driver: "codex", repoPath: room.repo }));
    assert.equal(tree.root, `${room.state}/worktrees/r1`);
    assert.equal(tree.cwd, tree.root);
    assert.equal(((await Deno.stat(`${room.state}/worktrees`)).mode ?? 0) & 0o777, 0o700);
    assert.equal(await Deno.readTextFile(`${tree.root}/a.txt`), "one\ntwo\n");
    assert.equal((await room.runIn(tree.root, "rev-parse", "--abbrev-ref", "HEAD")).trim(), "HEAD");
    assert.deepEqual((await worktrees.changes(tree)).stat, {
      files: 0,
      insertions: 0,
      deletions: 0,
    });
    await worktrees.remove(tree);
    assert.deepEqual(await filesForTest.list(`${room.state}/worktrees`), []);
    assert.equal((await room.run("worktree", "list", "--porcelain")).split("worktree ").length, 2);
    assert.equal(await room.run("status", "--porcelain"), " M a.txt\n");
    assert.deepEqual(room.warnings, []);
  },
});

Deno.test({
  ...need("Worktrees: an entry for a folder within a repository works in that folder"),
  async fn() {
    await using room = await Room.make();
    const worktrees = room.worktrees();
    const entry = entryOf({ driver: "codex", repoPath: `${room.repo}/sub` });
    const tree = await worktrees.add("r1", entry);
    assert.equal(tree.cwd, `${room.state}/worktrees/r1/sub`);
    assert.equal(await Deno.readTextFile(`${tree.cwd}/b.txt`), "b\n");
    await worktrees.remove(tree);
  },
});

Deno.test({
  ...need("Worktrees.changes: the patch has own commits, changed, new, removed and binary files"),
  async fn() {
    await using room = await Room.make();
    await Deno.writeTextFile(`${room.repo}/.worktreeinclude`, "*.secret\n");
    await Deno.writeTextFile(`${room.repo}/key.secret`, "hidden\n");
    await Deno.mkdir(`${room.repo}/sub/deep`);
    await Deno.writeTextFile(`${room.repo}/sub/deep/k.secret`, "hidden too\n");
    const worktrees = room.worktrees();
    const tree = await worktrees.add("r1", entryOf({ driver: "codex", repoPath: room.repo }));
    const root = tree.root;
    assert.equal(await Deno.readTextFile(`${root}/key.secret`), "hidden\n");
    assert.equal(await Deno.readTextFile(`${root}/sub/deep/k.secret`), "hidden too\n");
    // Copied files are not changes of the agent, even if it stops ignoring them.
    await Deno.writeTextFile(`${root}/.gitignore`, "build/\n");
    await Deno.writeTextFile(`${root}/a.txt`, "one\n2\n");
    await room.runIn(root, "commit", "--quiet", "-am", "own");
    await Deno.remove(`${root}/sub/b.txt`);
    await Deno.writeTextFile(`${root}/new file.txt`, "new\n");
    await Deno.writeFile(`${root}/image.bin`, Uint8Array.of(0, 1, 2, 255, 0));
    await Deno.mkdir(`${root}/build`);
    await Deno.writeTextFile(`${root}/build/out`, "ignored\n");
    const status = await room.runIn(root, "status", "--porcelain");

    const { patch, stat, note } = await worktrees.changes(tree);
    assert.deepEqual(stat, { files: 5, insertions: 2, deletions: 3 });
    assert.equal(note, undefined);
    assert.equal(await room.runIn(root, "status", "--porcelain"), status, "the agent's index");
    await worktrees.remove(tree);
    // Applying the patch restores all changes.
    await Deno.writeFile(`${room.folder}/p`, patch);
    await room.run("apply", `${room.folder}/p`);
    assert.equal(await Deno.readTextFile(`${room.repo}/a.txt`), "one\n2\n");
    assert.equal(await Deno.readTextFile(`${room.repo}/new file.txt`), "new\n");
    assert.deepEqual([...await Deno.readFile(`${room.repo}/image.bin`)], [0, 1, 2, 255, 0]);
    assert.equal(await filesForTest.readText(`${room.repo}/sub/b.txt`), undefined);
    assert.ok(!decode(patch).includes("hidden"));
  },
});

Deno.test({
  ...need("Worktrees: an agent that removes .git or leaves locks loses nothing"),
  async fn() {
    await using room = await Room.make();
    const worktrees = room.worktrees();
    const tree = await worktrees.add("r1", entryOf({ driver: "codex", repoPath: room.repo }));
    await Deno.remove(`${tree.root}/.git`);
    await Deno.writeTextFile(`${tree.gitDir}/index.lock`, "");
    await Deno.writeTextFile(`${tree.root}/n.txt`, "n\n");
    assert.deepEqual((await worktrees.changes(tree)).stat, {
      files: 1,
      insertions: 1,
      deletions: 0,
    });
    await worktrees.remove(tree);
    assert.deepEqual(await filesForTest.list(`${room.state}/worktrees`), []);
    assert.equal((await room.run("worktree", "list", "--porcelain")).split("worktree ").length, 2);
  },
});

Deno.test({
  ...need("Worktrees: hooks, monitors and signing of the repository do not run"),
  async fn() {
    await using room = await Room.make();
    const trap = `${room.folder}/trap`;
    const script = `#!/bin/sh\ntouch ${room.folder}/sprung-$(basename $0)\nexit 1\n`;
    await Deno.writeTextFile(trap, script, { mode: 0o755 });
    for (const hook of ["post-checkout", "pre-commit", "reference-transaction", "post-commit"]) {
      await Deno.writeTextFile(`${room.repo}/.git/hooks/${hook}`, script, { mode: 0o755 });
    }
    await room.run("config", "core.fsmonitor", trap);
    await room.run("config", "commit.gpgsign", "true");
    await room.run("config", "gpg.program", trap);
    await room.run("config", "diff.external", trap);
    const worktrees = room.worktrees();
    const tree = await worktrees.add("r1", entryOf({ driver: "codex", repoPath: room.repo }));
    await Deno.writeTextFile(`${tree.root}/a.txt`, "x\n");
    assert.equal((await worktrees.changes(tree)).stat.files, 1);
    const { branch } = await worktrees.commit(tree, {
      id: "r1",
      model: "m",
      task: "do",
      time: new Date(0),
    });
    assert.equal(branch, "llmcmd/r1");
    await worktrees.remove(tree);
    const names = await filesForTest.list(room.folder);
    assert.deepEqual(names.filter((name) => name.startsWith("sprung")), []);
  },
});

Deno.test({
  ...need("Worktrees.commit: a branch on the agent's commits, a line in the log, no refused files"),
  async fn() {
    await using room = await Room.make();
    const worktrees = room.worktrees();
    const tree = await worktrees.add("r1", entryOf({ driver: "codex", repoPath: room.repo }));
    const { root } = tree;
    await Deno.writeTextFile(`${root}/a.txt`, "own\n");
    await Deno.writeTextFile(`${root}/own.txt`, "own\n");
    await room.runIn(root, "add", "-A");
    await room.runIn(root, "commit", "--quiet", "-m", "own");
    await Deno.mkdir(`${root}/tools`);
    await Deno.writeTextFile(`${root}/tools/x.sh`, "x\n");
    await Deno.writeTextFile(`${root}/junk.txt`, "junk\n");
    // The log is a link to a file outside the checkout.
    await Deno.symlink(`${room.folder}/outside`, `${root}/AGENT_LOG.md`);
    const { branch, refused } = await worktrees.commit(tree, {
      id: "r1",
      model: "codex-x",
      task: "\n  Write a tool\nmore",
      time: new Date(0),
      mayCreate: ["tools/**"],
    });
    assert.equal(branch, "llmcmd/r1");
    assert.deepEqual(refused, ["junk.txt", "own.txt"]);
    await worktrees.remove(tree);
    assert.equal(await filesForTest.readText(`${room.folder}/outside`), undefined);
    assert.equal(
      await room.run("log", "--format=%an|%s", "llmcmd/r1"),
      "llmcmd|codex-x: Write a tool\nSomebody|own\nSomebody|first\n",
    );
    assert.equal(
      await room.run("ls-tree", "-r", "--name-only", "llmcmd/r1"),
      ".gitignore\nAGENT_LOG.md\na.txt\nsub/b.txt\ntools/x.sh\n",
    );
    assert.equal(
      await room.run("show", "llmcmd/r1:AGENT_LOG.md"),
      "# Work of agents\n\n- 1970-01-01T00:00:00.000Z `llmcmd/r1` codex-x: Write a tool\n",
    );
    assert.equal(await room.run("status", "--porcelain"), "");
  },
});

Deno.test({
  ...need("Worktrees.commit makes no branch where nothing was changed"),
  async fn() {
    await using room = await Room.make();
    const worktrees = room.worktrees();
    const tree = await worktrees.add("r1", entryOf({ driver: "codex", repoPath: room.repo }));
    await Deno.writeTextFile(`${tree.root}/junk`, "x");
    assert.deepEqual(
      await worktrees.commit(tree, {
        id: "r1",
        model: "m",
        task: "t",
        time: new Date(0),
        mayCreate: ["y"],
      }),
      { branch: undefined, refused: ["junk"] },
    );
    await worktrees.remove(tree);
    assert.equal(await room.run("branch", "--list", "llmcmd/*"), "");
  },
});

Deno.test({
  ...need("Worktrees.sweep removes what dead processes left, after keeping it, and no live ones"),
  async fn() {
    await using room = await Room.make();
    const entry = entryOf({ driver: "codex", repoPath: room.repo });
    const dead = room.worktrees(10);
    const trees = [await dead.add("d1", entry), await dead.add("d2", entry)];
    for (const { root } of trees) await Deno.writeTextFile(`${root}/work.txt`, "work\n");
    const live = await room.worktrees(20).add("l1", entry);
    await Deno.writeTextFile(`${room.state}/worktrees/odd.lock`, "{");

    const kept: [string, string][] = [];
    const keep = (tree: Worktree, { patch }: Changes) => {
      kept.push([tree.id, decode(patch)]);
      return tree.id === "d2" ? Promise.reject(new Error("full disk")) : Promise.resolve();
    };
    const sweeper = room.worktrees(20, [20]);
    assert.deepEqual(await sweeper.sweep(keep), ["d1"]);
    assert.deepEqual(kept.map(([id, patch]) => [id, patch.includes("+work")]), [
      ["d1", true],
      ["d2", true],
    ]);
    const left = await filesForTest.list(`${room.state}/worktrees`);
    assert.ok(left.includes("d2") && left.includes("l1") && !left.includes("d1"), String(left));
    assert.equal(room.warnings.length, 2);
    assert.match(room.warnings[0] ?? "", /worktrees\/d2: full disk$/);

    assert.deepEqual(await sweeper.sweep(() => Promise.resolve()), ["d2"]);
    await sweeper.remove(live);
    assert.equal((await room.run("worktree", "list", "--porcelain")).split("worktree ").length, 2);
    assert.equal(await room.run("status", "--porcelain"), "");
  },
});

Deno.test({
  ...need("Worktrees.add refuses a folder that is no repository, and one without a commit"),
  async fn() {
    await using room = await Room.make();
    const bare = `${room.folder}/none`;
    await Deno.mkdir(bare);
    const worktrees = room.worktrees();
    const add = () => worktrees.add("r1", entryOf({ driver: "codex", repoPath: bare }));
    const expected = (error: unknown) => {
      assert.ok(error instanceof AgentError);
      assert.equal(error.kind, "repository");
      assert.match(error.message, /: expected a git repository with a commit$/);
      return true;
    };
    await assert.rejects(add(), expected);
    await room.runIn(bare, "init", "--quiet");
    await assert.rejects(add(), expected);
    assert.deepEqual(await filesForTest.list(`${room.state}/worktrees`), []);
  },
});

Deno.test({
  ...need("Worktrees: nothing is left of a checkout that the agent has removed itself"),
  async fn() {
    await using room = await Room.make();
    const worktrees = room.worktrees();
    const entry = entryOf({ driver: "codex", repoPath: room.repo });
    const trees = [await worktrees.add("r1", entry), await worktrees.add("r2", entry)];
    await Deno.remove(`${room.state}/worktrees/r1`, { recursive: true });
    await room.run("worktree", "remove", "-f", "-f", `${room.state}/worktrees/r2`);
    for (const tree of trees) {
      assert.deepEqual(await worktrees.changes(tree), {
        stat: { files: 0, insertions: 0, deletions: 0 },
        patch: new Uint8Array(0),
        note: "The run removed its own checkout",
      });
      await worktrees.remove(tree);
    }
    assert.deepEqual(await filesForTest.list(`${room.state}/worktrees`), []);
    assert.equal((await room.run("worktree", "list", "--porcelain")).split("worktree ").length, 2);
    assert.deepEqual(room.warnings, []);
  },
});

Deno.test("Worktrees calls git with safe settings, in this order", async () => {
  const calls: string[] = [];
  const git: Git = {
    run(args) {
      assert.deepEqual(args.slice(0, safeSettings.length), safeSettings);
      calls.push(args.slice(safeSettings.length).join(" "));
      const text = args.includes("rev-parse") ? "/repo\n/repo/.git\n\nabc\n" : "";
      return Promise.resolve({
        status: 0,
        stdout: new TextEncoder().encode(text),
        cut: false,
        stderr: "",
      });
    },
  };
  const state = await Deno.makeTempDir();
  try {
    const worktrees = new Worktrees({
      git,
      files: filesForTest,
      processes: processesForTest(1),
      stateFolder: state,
      warn: (message) => assert.fail(message),
    });
    const tree = await worktrees.add("r1", entryOf({ driver: "codex", repoPath: "/repo" }));
    await worktrees.remove(tree);
    assert.deepEqual(calls.slice(1), [
      `worktree add --detach --lock --reason llmcmd ${state}/worktrees/r1 abc`,
      `worktree remove -f -f ${state}/worktrees/r1`,
    ]);
  } finally {
    await Deno.remove(state, { recursive: true });
  }
});

Deno.test("matchesGlob knows names, folders and any number of them", () => {
  const yes = [
    ["tools/a/b.sh", "tools/**"],
    ["tools/a/b.sh", "tools/"],
    ["tools/b.sh", "tools/*.sh"],
    ["a/b/c.md", "*.md"],
    ["c.md", "**/c.md"],
    ["a(1).t", "a(?).t"],
    ["x.md", "/x.md"],
    ["a\nb.md", "*.md"],
  ];
  const no = [
    ["tools/a/b.sh", "tools/*.sh"],
    ["xtools/b", "tools/**"],
    ["a/x.md", "/x.md"],
    ["axmd", "a.md"],
    ["a.mdx", "*.md"],
  ];
  for (const [path = "", pattern = ""] of yes) assert.ok(matchesGlob(path, pattern), pattern);
  for (const [path = "", pattern = ""] of no) assert.ok(!matchesGlob(path, pattern), pattern);
});
