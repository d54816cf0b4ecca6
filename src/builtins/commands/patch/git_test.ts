import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { type ByteSink, memoryAccess, memorySource } from "../../../streams/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { bytes, latin1, memoryTemp } from "../../_testing.ts";
import { gnuAnswers } from "../../../../tests/gnu/answers.ts";
import { shownData } from "../../../../tests/gnu/case.ts";
import { Stage } from "../../run/stage.ts";
import { optional, thorough } from "../../../../tests/_optional.ts";

/** A file's text, or the text and permission bits. */
type TreeFile = string | readonly [text: string, mode: number];

/** Files by their paths; a path that ends with a slash is an empty folder. */
type Tree = Readonly<Record<string, TreeFile>>;

/**
 * The result of a command: its streams as text with one character a byte, and the files afterwards.
 */
interface TreeOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
  readonly tree: Readonly<Record<string, string>>;
}

/** One command line in a folder with files. */
interface TreeCase {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly tree: Tree;
}

function fromLatin1(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

async function plant(root: string, tree: Tree): Promise<void> {
  for (const [name, file] of Object.entries(tree)) {
    const path = `${root}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    if (name.endsWith("/")) continue;
    const [text, mode] = typeof file === "string" ? [file, 0o644] : file;
    await Deno.writeFile(path, fromLatin1(text));
    await Deno.chmod(path, mode);
  }
}

async function harvest(root: string): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  const visit = async (folder: string): Promise<void> => {
    const before = found.length;
    for await (const entry of Deno.readDir(`${root}/${folder}`)) {
      const name = folder + entry.name;
      if (entry.isDirectory) {
        await visit(`${name}/`);
        continue;
      }
      const { mode } = await Deno.stat(`${root}/${name}`);
      // The mode of a new file depends on the umask.
      const executable = ((mode ?? 0) & 0o100) !== 0 ? "x " : "";
      found.push([name, executable + latin1(await Deno.readFile(`${root}/${name}`))]);
    }
    if (found.length === before && folder !== "") found.push([folder, ""]);
  };
  await visit("");
  return Object.fromEntries(found.sort(([a], [b]) => a < b ? -1 : 1));
}

/** File ports for a folder of the host. */
function folderPorts(root: string): Omit<BuiltinIo, "stdin" | "warn" | "signal"> {
  const at = (path: string): string => path.startsWith("/") ? path : `${root}/${path}`;
  return {
    open: async (path) => {
      if ((await Deno.stat(at(path))).isDirectory) {
        throw Object.assign(new Error("a folder"), { code: "EISDIR" });
      }
      const data = await Deno.readFile(at(path));
      return Object.assign(memorySource(data), { at: memoryAccess(data) });
    },
    create: async (path, append = false): Promise<ByteSink> => {
      const options = { write: true, create: true, append, truncate: !append };
      const file = await Deno.open(at(path), options);
      let closed = false;
      return {
        write: async (chunk) => void await file.write(chunk),
        close: () => {
          if (!closed) file.close();
          closed = true;
          return Promise.resolve();
        },
      };
    },
    remove: (path) => Deno.remove(at(path)),
    mkdir: (path) => Deno.mkdir(at(path)),
    rmdir: async (path) => {
      if (!(await Deno.lstat(at(path))).isDirectory) throw new Error("no folder");
      await Deno.remove(at(path));
    },
    mode: async (path) => ((await Deno.stat(at(path))).mode ?? 0) & 0o777,
    chmod: (path, mode) => Deno.chmod(at(path), mode),
    temp: () => Promise.resolve(memoryTemp()),
  };
}

/** Runs our patch; `without` removes ports, `others` replaces some. */
async function patchTree(
  { args, stdin, tree }: TreeCase,
  without: readonly (keyof BuiltinIo)[] = [],
  others: Partial<BuiltinIo> = {},
): Promise<TreeOutcome> {
  const root = await Deno.makeTempDir();
  try {
    await plant(root, tree);
    const ports = Object.fromEntries(
      Object.entries(folderPorts(root)).filter(([name]) => !without.some((each) => each === name)),
    );
    let stderr = "";
    const stage = new Stage("patch", args, {
      ...ports,
      ...others,
      stdin: memorySource(fromLatin1(stdin)),
      warn: (message) => void (stderr += `${message}\n`),
      signal: new AbortController().signal,
    });
    let stdout = "";
    for await (const chunk of stage) stdout += latin1(chunk);
    return {
      stdout,
      stderr: latin1(bytes(stderr)),
      status: await stage.finished,
      tree: await harvest(root),
    };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** The recorded result of GNU's patch; `undefined` while cases are collected. */
function gnuTree({ args, stdin, tree }: TreeCase): TreeOutcome | undefined {
  const files = Object.entries(tree).map(([name, file]) => [
    name,
    typeof file === "string" ? fromLatin1(file) : [fromLatin1(file[0]), file[1]] as const,
  ]);
  const [answer] = gnuAnswers("patch", [{
    args,
    stdin: fromLatin1(stdin),
    seekable: true,
    files: Object.fromEntries(files),
    compare: "all",
  }]) ?? [];
  if (answer === undefined) return undefined;
  const after = Object.entries(answer.files).map(([name, data]) => [
    name,
    (answer.executable.includes(name) ? "x " : "") + shownData(data),
  ]);
  return {
    stdout: shownData(answer.stdout),
    stderr: shownData(answer.stderr),
    status: answer.status,
    tree: Object.fromEntries(after),
  };
}

/** Asserts that our patch and GNU's do the same in a folder of files. */
async function agreeInFolders(
  lines: readonly (readonly string[])[],
  inputs: Readonly<Record<string, string>>,
  tree: Tree,
): Promise<void> {
  const differences: string[] = [];
  for (const args of lines) {
    for (const [name, stdin] of Object.entries(inputs)) {
      const test: TreeCase = { args, stdin, tree };
      const gnu = gnuTree(test);
      if (gnu === undefined) continue;
      const ours = await patchTree(test);
      try {
        assert.deepEqual(ours, gnu);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        differences.push(`patch ${args.join(" ")} (${name}):\n${why}`);
      }
    }
  }
  assert.equal(differences.length, 0, differences.slice(0, 8).join("\n\n"));
}

const fresh = "@@ -0,0 +1,2 @@\n+one\n+two\n";
const gone = "@@ -1,2 +0,0 @@\n-one\n-two\n";
const edit = "@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n";

Deno.test("patch makes and removes folders as GNU's does", async () => {
  await agreeInFolders([
    ["-p1"],
    ["-p0"],
    ["-p1", "-b"],
    ["-p1", "--dry-run"],
    ["-p1", "-R"],
    ["-p1", "-E"],
    ["-p1", "-o", "out"],
    ["-p1", "-o", "no/out"],
    ["-p1", "-r", "no/rej"],
    ["-p1", "-d", "deep"],
    ["-p1", "-s"],
    ["new/y"],
  ], {
    "a new file": `--- /dev/null\n+++ b/new/er/x\n${fresh}`,
    "a new file in a folder": `--- /dev/null\n+++ b/deep/x\n${fresh}`,
    "two new files": `--- /dev/null\n+++ b/new/x\n${fresh}--- /dev/null\n+++ b/new/y\n${fresh}`,
    "a new file with dots": `--- /dev/null\n+++ b/./new//x\n${fresh}`,
    "a new file that fails": `--- /dev/null\n+++ b/new/x\n@@ -0,0 +1 @@\n+a\n@@ -5 +5 @@\n-b\n+c\n`,
    "an old file": `--- a/deep/er/f\n+++ /dev/null\n${gone}`,
    "all old files": `--- a/deep/er/f\n+++ /dev/null\n${gone}--- a/deep/g\n+++ /dev/null\n${gone}`,
    "an old file that differs": `--- a/deep/er/f\n+++ /dev/null\n${gone.replace("two", "2")}`,
    "removed and made again":
      `--- a/deep/er/f\n+++ /dev/null\n${gone}--- /dev/null\n+++ b/deep/er/f\n${fresh}`,
    "an edit": `--- a/deep/g\n+++ b/deep/g\n${edit}`,
    "a file of git":
      `diff --git a/new/x b/new/x\nnew file mode 100755\n--- /dev/null\n+++ b/new/x\n` +
      fresh,
    "an empty file of git":
      "diff --git a/new/x b/new/x\nnew file mode 100644\nindex 0000000..e69de29\n",
  }, { "deep/er/f": "one\ntwo\n", "deep/g": "one\ntwo\n" });
});

Deno.test("patch does what git's headings say", async () => {
  const rename = "diff --git a/f b/d/g\nsimilarity index 90%\nrename from f\nrename to d/g\n";
  const copy = "diff --git a/f b/d/g\nsimilarity index 90%\ncopy from f\ncopy to d/g\n";
  const index = "index 814f4a4..f719efd 100644\n--- a/f\n+++ b/d/g\n";
  const own = (name: string): string =>
    `diff --git a/${name} b/${name}\nindex 814f4a4..f719efd 100644\n--- a/${name}\n+++ b/${name}\n`;
  await agreeInFolders([
    ["-p1"],
    ["-p1", "-R"],
    ["-p1", "-b"],
    ["-p1", "--dry-run"],
    ["-p1", "-f"],
    ["-p1", "-o", "out"],
    ["-p1", "-N"],
    ["f"],
    [],
  ], {
    rename,
    "rename and edit": `${rename}${index}${edit}`,
    "rename of a script": rename.replaceAll("f b/", "s b/").replace("from f", "from s"),
    copy,
    "copy and edit": `${copy}${index}${edit}`,
    "edit and copy of the old": `${own("f")}${edit}${copy}`,
    "copy and edit of the old": `${copy}${own("f")}${edit}`,
    "edit and rename": `${own("h")}${edit}${rename}`,
    "two patches in a row": own("f") + edit + own("f") + "@@ -1,2 +1,2 @@\n ONE\n-two\n+TWO\n",
    "git's and then another": own("f") + edit + "--- f\n+++ f\n@@ -1,2 +1,2 @@\n ONE\n-two\n+TWO\n",
    "git's and garbage": own("f") + edit + "--- h\n+++ h\n@@ -1,2 +1,2 @@\n?\n",
    "rename of a missing file": rename.replaceAll("/f ", "/nosuch ").replace(
      "from f",
      "from nosuch",
    ),
    "rename to the same place": rename.replaceAll("d/g", "h"),
    "swapped names": "diff --git a/f b/h\nrename from f\nrename to h\n" +
      "diff --git a/h b/f\nrename from h\nrename to f\n",
    "rename without a name": "diff --git a/f\nrename from f\nrename to\n",
    "rename outside": rename.replaceAll("d/g", "../g"),
    "a new script": `diff --git a/x b/x\nnew file mode 100755\nindex 0000000..814f4a4\n` +
      `--- /dev/null\n+++ b/x\n${fresh}`,
    "a mode": "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n",
    "a mode and an edit": "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n" +
      `index 814f4a4..f719efd\n--- a/f\n+++ b/f\n${edit}`,
    "a mode of a script": "diff --git a/s b/s\nold mode 100755\nnew mode 100644\n",
    "an edit of a script": `diff --git a/s b/s\nindex 814f4a4..f719efd 100755\n--- a/s\n+++ b/s\n` +
      edit,
    deleted: `diff --git a/f b/f\ndeleted file mode 100644\nindex 814f4a4..0000000\n--- a/f\n` +
      `+++ /dev/null\n${gone}`,
    "deleted, empty": "diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n",
    binary: "diff --git a/f b/f\nindex 814f4a4..f719efd 100644\nGIT binary patch\nliteral 4\n" +
      `LcmZQzWMT#Y01f~L\n\nliteral 3\nKcmZQzWMT#Y\n\n${own("h")}${edit}`,
    "binary, told": "diff --git a/f b/f\nindex 814f4a4..f719efd 100644\n" +
      "Binary files a/f and b/f differ\n",
  }, { f: "one\ntwo\n", h: "one\ntwo\n", s: ["one\ntwo\n", 0o755], "k/x": "", e: "" });
});

const created = `--- /dev/null\n+++ b/new/x\n${fresh}`;

Deno.test("patch says why a folder was not made, and writes nothing", async () => {
  const test = { args: ["-p1"], stdin: created, tree: { f: "a\n" } };
  const none = await patchTree(test, ["mkdir"]);
  assert.deepEqual(
    [none.stderr, none.status, none.tree],
    ["patch: **** Can't create file new/x : No such file or directory\n", 2, test.tree],
  );
  const refused = await patchTree(test, [], {
    mkdir: () => Promise.reject(Object.assign(new Error("no"), { code: "EACCES" })),
  });
  assert.deepEqual(
    [refused.stderr, refused.status, refused.tree],
    ["patch: **** Can't create file new/x : Permission denied\n", 2, test.tree],
  );
});

Deno.test("patch asks for no folder outside of the one that it works in", async () => {
  const asked: string[] = [];
  const noted = (path: string): Promise<void> => {
    asked.push(path);
    return Promise.resolve();
  };
  for (const name of ["../new/x", "/new/x", "k/../../new/x"]) {
    const stdin = `--- /dev/null\n+++ ${name}\n${fresh}`;
    const { status } = await patchTree({ args: ["-p0", "-f"], stdin, tree: { "k/f": "a\n" } }, [], {
      mkdir: noted,
      rmdir: noted,
    });
    assert.equal(status, 1, name);
  }
  assert.deepEqual(asked, []);
});

Deno.test("patch lets an abort of a port through, and the error of a limit", async () => {
  const test = { args: ["-p1"], stdin: created, tree: { f: "a\n" } };
  for (const port of ["mkdir", "create"] as const) {
    const abort = new DOMException("stop", "AbortError");
    const failing = { [port]: () => Promise.reject(abort) };
    await assert.rejects(patchTree(test, [], failing), abort);
  }
});

Deno.test("patch leaves modes alone where the ports know none", async () => {
  const rename = "diff --git a/s b/t\nsimilarity index 100%\nrename from s\nrename to t\n";
  const tree: Tree = { s: ["a\n", 0o755] };
  const { status, tree: after } = await patchTree({ args: ["-p1"], stdin: rename, tree }, [
    "mode",
    "chmod",
  ]);
  assert.deepEqual([status, after], [0, { t: "a\n" }]);
});

Deno.test(
  optional("patch holds git's results in temporary storage, one behind another", thorough),
  async () => {
    const line = `${"x".repeat(99)}\n`;
    const long = line.repeat(50_000);
    const tree = { a: `1\n${long}`, b: `1\n${long}`, c: `1\n${long}` };
    const stdin = Object.keys(tree).map((name) =>
      `diff --git a/${name} b/${name}\nindex 814f4a4..f719efd 100644\n--- a/${name}\n+++ b/${name}\n` +
      `@@ -1 +1 @@\n-1\n+2\n`
    ).join("");
    let made = 0;
    const outcome = await patchTree({ args: ["-p1"], stdin, tree }, [], {
      temp: () => {
        made++;
        return Promise.resolve(memoryTemp());
      },
    });
    assert.deepEqual([outcome.status, made], [0, 1]);
    for (const name of Object.keys(tree)) assert.equal(outcome.tree[name], `2\n${long}`);
  },
);

Deno.test("patch -d works in a folder", async () => {
  await agreeInFolders(
    [
      ["-p1", "-d", "k"],
      ["-p1", "-d", "k", "-d", "m"],
      ["-p1", "-d", "k/m/..", "-o", "out"],
      ["-p1", "-d", "k", "-i", "nosuch"],
      ["-d", "k", "-b", "m/f"],
    ],
    { created, edit: `--- a/m/f\n+++ b/m/f\n${edit}` },
    {
      f: "one\ntwo\n",
      "k/m/f": "one\ntwo\n",
    },
  );
});

Deno.test("patch writes what git's patches were done before one that is malformed", async () => {
  const own = "diff --git a/f b/f\nindex 814f4a4..f719efd 100644\n--- a/f\n+++ b/f\n";
  await agreeInFolders([["-p1"], ["-p1", "-b"], ["-p1", "--dry-run"]], {
    malformed: `${own}${edit}--- h\n+++ h\n@@ -1,2 +1,2 @@\n?\n`,
    "of git's too": `${own}${edit}${own.replaceAll("/f", "/h")}@@ -1,2 +1,2 @@\n?\n`,
    cut: `${own}${edit}${own.replaceAll("/f", "/h")}@@ -1,2 +1,9 @@\n one\n`,
  }, { f: "one\ntwo\n", h: "one\ntwo\n" });
});
