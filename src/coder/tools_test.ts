import assert from "node:assert/strict";
import { memoryVfs, readFile, type Vfs, writeFile } from "../vfs/mod.ts";
import { callTool, FakeRunner, onEveryVfs } from "./_testing.ts";
import { coderTools } from "./tools.ts";
import { testSeed } from "../streams/_testing.ts";

const runner = new FakeRunner();
const encode = (text: string) => new TextEncoder().encode(text);
const put = (vfs: Vfs, path: string, text: string) => writeFile(vfs, path, encode(text));
const get = async (vfs: Vfs, path: string) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(await readFile(vfs, path));
const failed = (content: string) => ({ content, error: true });

Deno.test("coderTools has the documented names and parameters of the four tools", () => {
  const { specs } = coderTools({ vfs: memoryVfs(), runner });
  const string = (description?: string) =>
    description === undefined ? { type: "string" } : { type: "string", description };
  const all = { type: "boolean", description: "Replace every occurrence" };
  assert.deepEqual(
    specs.map(({ name, description, parameters }) => [name, description, parameters.required]),
    [
      ["read_file", "Read the contents of a file", ["path"]],
      ["write_file", "Write content to a file (creates or overwrites)", ["path", "content"]],
      [
        "edit_file",
        "Edit a file by replacing a specific string with another",
        ["path"],
      ],
      ["bash", "Execute a shell command", ["command"]],
    ],
  );
  assert.deepEqual(
    specs.map(({ parameters }) => Object.keys(parameters.properties as object)),
    [
      ["path", "offset", "limit"],
      ["path", "content"],
      ["path", "old_string", "new_string", "replace_all", "edits"],
      ["command", "timeout"],
    ],
  );
  assert.deepEqual(specs[2]?.parameters, {
    type: "object",
    properties: {
      path: string("File path to edit"),
      old_string: string("Exact string to find and replace"),
      new_string: string("String to replace with"),
      replace_all: all,
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: {
            old_string: string(),
            new_string: string(),
            replace_all: { type: "boolean" },
          },
          required: ["old_string", "new_string"],
        },
        description: "Several edits at once, all or none, each of the file as it is",
      },
    },
    required: ["path"],
  });
});

onEveryVfs("read_file gives the contents as they are", async (vfs) => {
  const tools = coderTools({ vfs, runner });
  const text = "one\r\n\ttwo\n\n\u00e4\u{1f41f} no newline";
  await put(vfs, "a.txt", text);
  assert.deepEqual(await callTool(tools, "read_file", { path: "a.txt" }), {
    content: text,
    details: { path: "a.txt", from: 1, to: 4, lines: 4, more: false },
  });
  await put(vfs, "bom.txt", "\ufeffone\n");
  assert.equal((await callTool(tools, "read_file", { path: "bom.txt" })).content, "one\n");
  await put(vfs, "empty", "");
  assert.equal(
    (await callTool(tools, "read_file", { path: "empty" })).content,
    "[The file is empty]",
  );
});

onEveryVfs("read_file gives a range, and says how to read on", async (vfs) => {
  const tools = coderTools({ vfs, runner, limits: { readLines: 4, readBytes: 40 } });
  const read = async (input: object) =>
    (await callTool(tools, "read_file", { path: "a", ...input })).content;
  await put(vfs, "a", Array.from({ length: 10 }, (_, n) => `line ${n + 1}\n`).join(""));
  const first = "line 1\nline 2\nline 3\nline 4\n";
  const onward = "\n[Lines 1-4 of 10; to read on, use offset 5]";
  assert.equal(await read({}), first + onward);
  assert.equal(await read({ limit: 100 }), first + onward);
  assert.equal(await read({ offset: 0 }), first + onward);
  assert.equal(await read({ offset: 9 }), "line 9\nline 10\n");
  assert.equal(
    await read({ offset: 2, limit: 1 }),
    "line 2\n\n[Lines 2-2 of 10; to read on, use offset 3]",
  );
  assert.equal(await read({ offset: 10, limit: 1 }), "line 10\n");
  assert.equal(await read({ offset: 11 }), "read_file: There is no line 11 in a: it has 10 lines");
  // Bytes end it too, between lines.
  await put(vfs, "a", `${"x".repeat(30)}\n${"y".repeat(30)}\nend\n`);
  assert.equal(
    await read({}),
    `${"x".repeat(30)}\n\n[Lines 1-1 of 3; to read on, use offset 2]`,
  );
  await put(vfs, "a", "x");
  assert.equal(await read({ offset: 1 }), "x");
});

onEveryVfs("read_file gives the beginning of a line that is too long", async (vfs) => {
  const tools = coderTools({ vfs, runner, limits: { readBytes: 10 } });
  await put(vfs, "a", `${"\u00e4".repeat(10)}x\nend`);
  const { content } = await callTool(tools, "read_file", { path: "a" });
  assert.equal(
    content,
    `${
      "\u00e4".repeat(5)
    }\n\n[Line 1 has 22 bytes, of which 10 are shown; for the rest use bash: ` +
      "sed -n 1p FILE | cut -b 11-. Lines 1-1 of 2; to read on, use offset 2]",
  );
  await put(vfs, "a", `x${"\u00e4".repeat(10)}`);
  const cut = await callTool(tools, "read_file", { path: "a" });
  assert.match(cut.content, /^x\u00e4{4}\n\n\[Line 1 has 21 bytes/);
});

onEveryVfs("read_file says what it cannot show", async (vfs) => {
  const tools = coderTools({ vfs, runner });
  const read = (path: string) => callTool(tools, "read_file", { path });
  await writeFile(vfs, "nul", new Uint8Array([65, 0, 66]));
  await writeFile(vfs, "control", new Uint8Array([65, 0xe4, 1]));
  await vfs.mkdir("folder");
  const what = "is binary, not text in UTF-8, windows-1252 or UTF-16 with a byte order mark";
  const use = "look at it with bash, such as file, iconv or xxd";
  assert.deepEqual(
    await read("nul"),
    failed(`read_file: nul ${what} (3 bytes): ${use}`),
  );
  assert.deepEqual(
    await read("control"),
    failed(`read_file: control ${what} (3 bytes): ${use}`),
  );
  assert.match((await read("folder")).content, /folder is a folder: list it with bash/);
  assert.deepEqual(
    await read("none"),
    failed("read_file: Cannot read none: no such file or folder"),
  );
  assert.deepEqual(await read(""), failed('read_file: Cannot read "": no such file or folder'));
});

onEveryVfs("read_file agrees with a simple reading, in any range", async (vfs) => {
  const seed = testSeed();
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
  for (let round = 0; round < 60; round++) {
    const lines = Array.from({ length: 1 + random(12) }, () => "ab\u00e4".repeat(random(5)));
    const text = lines.join("\n") + (random(2) === 0 ? "\n" : "x");
    await put(vfs, "f", text);
    const all = text.split(/(?<=\n)/);
    const offset = 1 + random(all.length);
    const limit = 1 + random(12);
    const tools = coderTools({ vfs, runner });
    const { content, details } = await callTool(tools, "read_file", { path: "f", offset, limit });
    const shown = all.slice(offset - 1, offset - 1 + limit).join("");
    const where = `seed ${seed}, round ${round}`;
    assert.equal(content.startsWith(shown), true, where);
    const more = offset - 1 + limit < all.length;
    assert.equal(content.length > shown.length, more, where);
    assert.equal((details as { lines: number }).lines, all.length, where);
  }
});

onEveryVfs("write_file makes folders, answers OK and tells watchers the diff", async (vfs) => {
  const tools = coderTools({ vfs, runner });
  const write = (path: string, content: string) => callTool(tools, "write_file", { path, content });
  assert.deepEqual(await write("a/b/c.txt", "one\ntwo\n"), {
    content: "OK",
    details: {
      path: "a/b/c.txt",
      created: true,
      bytes: 8,
      diff: "--- a/b/c.txt\n+++ a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n",
    },
  });
  const { content, details } = await write("a/b/c.txt", "one\n2\n");
  assert.equal(content, "OK");
  assert.deepEqual(details, {
    path: "a/b/c.txt",
    created: false,
    bytes: 6,
    diff: "--- a/b/c.txt\n+++ a/b/c.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
  });
  assert.equal(await get(vfs, "a/b/c.txt"), "one\n2\n");
  await writeFile(vfs, "binary", new Uint8Array([0xff, 0]));
  assert.deepEqual((await write("binary", "x")).details, {
    path: "binary",
    created: false,
    bytes: 1,
  });
  assert.deepEqual(
    await write("a/b", "x"),
    failed("write_file: Cannot write a/b: it is a folder"),
  );
  assert.match((await write("binary/x", "x")).content, /^write_file: Cannot .*binary\//);
});

Deno.test("write_file keeps the mode and the target of a link", async () => {
  const { hostFs } = await import("../sys/mod.ts");
  const { hostVfs } = await import("../vfs/mod.ts");
  const root = await Deno.makeTempDir();
  await Deno.writeTextFile(`${root}/script`, "old");
  await Deno.chmod(`${root}/script`, 0o755);
  await Deno.symlink("script", `${root}/link`);
  const tools = coderTools({ vfs: hostVfs(hostFs(), { root }), runner });
  await callTool(tools, "write_file", { path: "link", content: "new" });
  await callTool(tools, "edit_file", { path: "link", old_string: "new", new_string: "newer" });
  assert.equal(await Deno.readTextFile(`${root}/script`), "newer");
  assert.equal(await Deno.readLink(`${root}/link`), "script");
  assert.equal((Deno.statSync(`${root}/script`).mode ?? 0) & 0o777, 0o755);
  await Deno.remove(root, { recursive: true });
});

onEveryVfs("edit_file replaces what is unique, and shows the diff", async (vfs) => {
  const tools = coderTools({ vfs, runner });
  await put(vfs, "a.ts", "a\nb\nc\nd\ne\nf\ng\n");
  const edit = await callTool(tools, "edit_file", {
    path: "a.ts",
    old_string: "e\n",
    new_string: "E\nE2\n",
  });
  const diff = "--- a.ts\n+++ a.ts\n@@ -2,6 +2,7 @@\n b\n c\n d\n-e\n+E\n+E2\n f\n g\n";
  assert.deepEqual(edit, {
    content: `OK\n${diff}`,
    details: { path: "a.ts", line: 5, diff },
  });
  assert.equal(await get(vfs, "a.ts"), "a\nb\nc\nd\nE\nE2\nf\ng\n");
  // Nothing in the new text is special.
  await callTool(tools, "edit_file", { path: "a.ts", old_string: "E2", new_string: "$& $1 \\n" });
  assert.equal(await get(vfs, "a.ts"), "a\nb\nc\nd\nE\n$& $1 \\n\nf\ng\n");
});

onEveryVfs("edit_file says how often and where, and changes nothing", async (vfs) => {
  const tools = coderTools({ vfs, runner });
  const text = "x = 1\ny = 2\n\tif x:\n\t\tx = 1\nx = 1\n";
  await put(vfs, "a.py", text);
  const edit = async (old_string: string, new_string = "new", path = "a.py") => {
    const result = await callTool(tools, "edit_file", { path, old_string, new_string });
    assert.equal(result.error, true);
    return result.content;
  };
  assert.equal(
    await edit("x = 1"),
    "edit_file: old_string occurs 3 times in a.py (lines 1, 4, 5): " +
      "give more of the text around the one you mean, or set replace_all",
  );
  assert.equal(
    await edit("z = 1"),
    "edit_file: old_string does not occur in a.py: read the file again and copy the text exactly",
  );
  assert.equal(
    await edit("  if x:\n    x = 1"),
    "edit_file: old_string does not occur in a.py: lines 3-4 differ from it only in indentation: " +
      'line 3 begins with "\\t", in old_string with "  "; line 4 begins with "\\t\\t", in ' +
      'old_string with "    ". The exact text, as JSON: "\\tif x:\\n\\t\\tx = 1"',
  );
  assert.equal(
    await edit("  y = 2  "),
    "edit_file: old_string does not occur in a.py: line 2 differs from it only in indentation: " +
      'line 2 begins with no blanks, in old_string with "  "; line 2 ends with no blanks, in ' +
      'old_string with "  ". The exact text, as JSON: "y = 2"',
  );
  assert.equal(
    await edit(""),
    "edit_file: old_string is empty: give the text to replace, or use write_file",
  );
  assert.equal(
    await edit("y", "y"),
    "edit_file: old_string and new_string are the same: there is nothing to change",
  );
  assert.equal(
    await edit("a", "b", "none"),
    "edit_file: Cannot read none: no such file or folder; to make a new file use write_file",
  );
  assert.equal(await get(vfs, "a.py"), text);
  await put(vfs, "many", "ab\n".repeat(30));
  assert.match(await edit("ab", "c", "many"), /30 times in many \(lines 1, 2, .*, 20, \.\.\.\)/);
  await put(vfs, "overlap", "aaa");
  assert.match(await edit("aa", "b", "overlap"), /occurs 2 times/);
  await writeFile(vfs, "binary", new Uint8Array([65, 0, 66]));
  assert.match(
    await edit("A", "b", "binary"),
    /binary is binary, not text in UTF-8, .*: change it/,
  );
});

onEveryVfs("edit_file keeps CRLF and the byte order mark", async (vfs) => {
  const tools = coderTools({ vfs, runner });
  const edit = async (text: string, old_string: string, new_string: string) => {
    await put(vfs, "f", text);
    const { error, content } = await callTool(tools, "edit_file", {
      path: "f",
      old_string,
      new_string,
    });
    assert.equal(error, undefined, content);
    return await get(vfs, "f");
  };
  assert.equal(await edit("a\r\nb\r\nc\r\n", "a\nb", "x\ny"), "x\r\ny\r\nc\r\n");
  assert.equal(await edit("a\r\nb\r\n", "a\r\nb", "x\r\ny"), "x\r\ny\r\n");
  assert.equal(await edit("a\r\nb\r\n", "b", "x\ny"), "a\r\nx\r\ny\r\n");
  assert.equal(await edit("\ufeffa\r\nb", "a\n", "x\n"), "\ufeffx\r\nb");
  assert.equal(await edit("\ufeffa\nb", "a", "x"), "\ufeffx\nb");
  // Mixed ends: what is there is taken as it is.
  assert.equal(await edit("a\nb\r\nc\n", "a\n", "x\ny\n"), "x\ny\nb\r\nc\n");
  assert.equal(await edit("a\nb\r\nc\n", "b\nc", "x\ny"), "a\nx\r\ny\n");
});

onEveryVfs("edit_file and write_file of one file come one after the other", async (vfs) => {
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  await put(vfs, "f", numbers.map((n) => `<${n}>\n`).join(""));
  await Promise.all(numbers.map((n) =>
    // Also from other registries over the same files.
    callTool(coderTools({ vfs, runner }), "edit_file", {
      path: n % 2 === 0 ? "f" : `${vfs.root}/f`,
      old_string: `<${n}>`,
      new_string: `[${n}]`,
    })
  ));
  assert.equal(await get(vfs, "f"), numbers.map((n) => `[${n}]\n`).join(""));
});

Deno.test("edit_file shows the beginning of a large diff, and watchers all of it", async () => {
  const vfs = memoryVfs();
  const tools = coderTools({ vfs, runner, limits: { diffCharacters: 100 } });
  await put(vfs, "f", "start\n");
  const { content, details } = await callTool(tools, "edit_file", {
    path: "f",
    old_string: "start",
    new_string: Array.from({ length: 50 }, (_, n) => `line ${n}`).join("\n"),
  });
  assert.match(content, /^OK\n--- f\n/);
  assert.match(content, /\n\[\d+ more lines of the diff\]\n$/);
  const { diff } = details as { diff: string };
  const left = Number(/\[(\d+) more/.exec(content)?.[1]);
  assert.equal(content.split("\n").length - 3 + left, diff.split("\n").length - 1);
});
