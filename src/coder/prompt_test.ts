import assert from "node:assert/strict";
import { memoryVfs, type Vfs, writeFile } from "../vfs/mod.ts";
import { loadInstructions, recentInstructions } from "./instructions.ts";
import { isOwnPrompt, systemPrompt } from "./prompt.ts";

Deno.test("systemPrompt tells the surroundings, and quotes what could forge lines", () => {
  const prompt = systemPrompt({
    root: "/work/a\nb",
    date: "2026-11-27",
    platform: "linux x86_64",
    sandbox: { kind: "bwrap", network: false, writable: ["/work"] },
    files: { writable: ["/work", "/data\nx"], tmp: "/tmp", beyond: "asked" },
    calls: "commands",
    instructions: [{ path: "/AGENTS.md", text: "Be kind" }, { path: "/work/AGENTS.md", text: "x" }],
  });
  assert.match(prompt, /^You are a coding assistant\. You help the user by reading, writing, and/);
  assert.match(prompt, /\n- Working folder: "\/work\/a\\nb" \(relative paths start here\)\n/);
  assert.match(prompt, /\n- Date: 2026-11-27\n- Platform: linux x86_64\n/);
  assert.match(
    prompt,
    /\n- The file tools change files only in \/work, "\/data\\nx", and for temporary files in \/tmp\. They read everything but .*; for a path beyond, the user is asked and may refuse\n/,
  );
  assert.match(prompt, /\n- The user is asked before each command, and may refuse\n/);
  assert.match(
    prompt,
    /sandbox \(bwrap\): the system is read-only but for \/work and \/tmp, which is private and the same for all tools; secrets are hidden; there is no network but between the bash calls of this session\n/,
  );
  assert.match(
    prompt,
    /\n\nThe project's \/AGENTS\.md says:\n\nBe kind\n\nThe project's \/work\/AGENTS\.md says:\n\nx$/,
  );
  const cli = systemPrompt({ root: "/", date: "d", commandTools: "cli" });
  assert.match(cli, /\n- Each CliRun call starts anew .* start a session with CliSession/);
  assert.doesNotMatch(cli, /bash/);
  const plain = systemPrompt({ root: "/", date: "d", sandbox: { kind: "none", reason: "r" } });
  assert.match(plain, /bash runs without a sandbox: what it does .* do not hold for it$/);
  assert.equal(isOwnPrompt(plain), true);
  assert.equal(isOwnPrompt("You are a pirate."), false);
});

Deno.test("loadInstructions reads AGENTS.md from the outermost folder to the working folder", async () => {
  const vfs = memoryVfs({
    root: "/a/b/c",
    files: { "/AGENTS.md": "top\n", "/a/b/c/AGENTS.md": "here", "/a/b/AGENTS.md": "  \n" },
  });
  assert.deepEqual(await loadInstructions(vfs, 1000), {
    files: [{ path: "/AGENTS.md", text: "top" }, { path: "/a/b/c/AGENTS.md", text: "here" }],
    notices: ["Using /AGENTS.md", "Using /a/b/c/AGENTS.md"],
  });
  const none = await loadInstructions(memoryVfs({ root: "/a" }), 1000);
  assert.deepEqual(none, { files: [], notices: [] });
});

Deno.test("loadInstructions cuts what is too long, the farthest first, and says so", async () => {
  const vfs = memoryVfs({
    root: "/a",
    files: { "/AGENTS.md": "\u00e4".repeat(10), "/a/AGENTS.md": "0123456789" },
  });
  assert.deepEqual(await loadInstructions(vfs, 15), {
    files: [{ path: "/AGENTS.md", text: "\u00e4\u00e4" }, {
      path: "/a/AGENTS.md",
      text: "0123456789",
    }],
    notices: [
      "Using the first 5 bytes of /AGENTS.md (20 bytes): the limit for all AGENTS.md is 15 bytes",
      "Using /a/AGENTS.md",
    ],
  });
});

Deno.test("loadInstructions reads each file in its encoding, and says which", async () => {
  const wide = Uint8Array.from([0xff, 0xfe, 0x41, 0, 0xac, 0x20, 0x3d, 0xd8, 0x1f, 0xdc]);
  const vfs = memoryVfs({
    root: "/a/b/c",
    files: {
      "/AGENTS.md": "\ufeffmarked\r\nlines\r\n",
      "/a/AGENTS.md": Uint8Array.of(0x93, 0xfc, 0x94),
      "/a/b/AGENTS.md": Uint8Array.of(0, 1, 2),
      "/a/b/c/AGENTS.md": wide,
    },
  });
  const latin = { path: "/a/AGENTS.md", text: "\u201c\u00fc\u201d" };
  assert.deepEqual(await loadInstructions(vfs, 1000), {
    files: [
      { path: "/AGENTS.md", text: "marked\r\nlines" },
      latin,
      { path: "/a/b/c/AGENTS.md", text: "A\u20ac\u{1f41f}" },
    ],
    notices: [
      "Using /AGENTS.md",
      "Using /a/AGENTS.md, which is windows-1252",
      "Not using /a/b/AGENTS.md: it is not text",
      "Using /a/b/c/AGENTS.md, which is UTF-16LE",
    ],
  });
  // Cut within a pair of surrogates.
  const { files, notices } = await loadInstructions(
    memoryVfs({ root: "/a", files: { "/a/AGENTS.md": wide } }),
    8,
  );
  assert.deepEqual(files, [{ path: "/a/AGENTS.md", text: "A\u20ac" }]);
  assert.match(
    notices.join(),
    /^Using the first 8 bytes of .* \(10 bytes\), which is UTF-16LE: the/,
  );
});

Deno.test("recentInstructions looks again after a second, and for each Vfs by itself", async () => {
  const at = async (vfs: Vfs, time: number, most = 100) => {
    const { files } = await recentInstructions(vfs, most, () => time);
    return files.map(({ text }) => text).join();
  };
  const vfs = memoryVfs({ root: "/a", files: { "/a/AGENTS.md": "one" } });
  assert.equal(await at(vfs, 5000), "one");
  await writeFile(vfs, "/a/AGENTS.md", new TextEncoder().encode("two"));
  assert.equal(await at(vfs, 5999), "one");
  assert.equal(await at(vfs, 5999, 2), "tw");
  assert.equal(await at(vfs, 7000), "two");
  assert.equal(await at(memoryVfs({ root: "/a" }), 7000), "");
  // A clock that was set back is no reason to wait for it.
  await writeFile(vfs, "/a/AGENTS.md", new TextEncoder().encode("three"));
  assert.equal(await at(vfs, 10), "three");
});
