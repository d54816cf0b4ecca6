import assert from "node:assert/strict";
import { openOutputFile } from "./open_output_file.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
}

Deno.test("openOutputFile shows new contents only after close", () =>
  inFolder(async (folder) => {
    const path = `${folder}/\u8868.txt`;
    await Deno.writeTextFile(path, "old");
    const output = await openOutputFile(path);
    await output.write(bytes("new "));
    await output.write(bytes("contents"));
    assert.equal(await Deno.readTextFile(path), "old");
    await output.close();
    await output.abort();
    assert.equal(await Deno.readTextFile(path), "new contents");
    assert.deepEqual(names(folder), ["\u8868.txt"]);
    assert.equal(output.partial, undefined);
  }));

Deno.test("openOutputFile makes an empty file when nothing is written", () =>
  inFolder(async (folder) => {
    const output = await openOutputFile(`${folder}/a`);
    await output.close();
    assert.equal(await Deno.readTextFile(`${folder}/a`), "");
  }));

Deno.test("OutputFile.abort leaves the file and keeps the partial output beside it", () =>
  inFolder(async (folder) => {
    const path = `${folder}/a`;
    await Deno.writeTextFile(path, "old");
    await Deno.writeTextFile(`${path}.partial`, "an older one");
    const output = await openOutputFile(path);
    await output.write(bytes("half"));
    await output.abort();
    await output.close();
    assert.equal(output.partial, `${path}.partial`);
    assert.equal(await Deno.readTextFile(path), "old");
    assert.equal(await Deno.readTextFile(`${path}.partial`), "half");
    assert.deepEqual(names(folder), ["a", "a.partial"]);
  }));

Deno.test("OutputFile.abort leaves nothing behind when nothing was written", () =>
  inFolder(async (folder) => {
    const output = await openOutputFile(`${folder}/a`);
    await output.abort();
    assert.equal(output.partial, undefined);
    assert.deepEqual(names(folder), []);
  }));

Deno.test("OutputFile.abort after a close that failed tells where the output is", () =>
  inFolder(async (folder) => {
    const path = `${folder}/a`;
    const output = await openOutputFile(path);
    await output.write(bytes("all of it"));
    await Deno.mkdir(path);
    await assert.rejects(output.close(), { message: `Cannot replace ${path}: it is a folder` });
    await output.abort();
    assert.equal(output.partial, `${path}.partial`);
    assert.equal(await Deno.readTextFile(`${path}.partial`), "all of it");
  }));

Deno.test("OutputFile.abort does not replace a file that is to be kept", () =>
  inFolder(async (folder) => {
    const path = `${folder}/a`;
    await Deno.writeTextFile(`${path}.partial`, "an input");
    await Deno.symlink("a.partial", `${folder}/link`);
    const output = await openOutputFile(path, undefined, [`${folder}/link`]);
    await output.write(bytes("half"));
    await output.abort();
    assert.equal(await Deno.readTextFile(`${path}.partial`), "an input");
    assert.match(output.partial ?? "", /\/\.llmcmd-[0-9a-f-]+\.tmp$/);
    assert.equal(await Deno.readTextFile(output.partial ?? ""), "half");
  }));

Deno.test("openOutputFile keeps the mode of the file and a symbolic link to it", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/deep`);
    await Deno.writeTextFile(`${folder}/deep/real`, "old", { mode: 0o600 });
    await Deno.chmod(`${folder}/deep/real`, 0o640);
    await Deno.symlink("deep/real", `${folder}/link`);
    await Deno.symlink("link", `${folder}/link2`);
    const output = await openOutputFile(`${folder}/link2`);
    await output.write(bytes("new"));
    await output.close();
    assert.equal(await Deno.readTextFile(`${folder}/deep/real`), "new");
    assert.equal(((await Deno.stat(`${folder}/deep/real`)).mode ?? 0) & 0o7777, 0o640);
    assert.equal(await Deno.readLink(`${folder}/link2`), "link");
    assert.equal(await Deno.readLink(`${folder}/link`), "deep/real");
    assert.deepEqual(names(`${folder}/deep`), ["real"]);
  }));

Deno.test("openOutputFile makes the target of a dangling symbolic link", () =>
  inFolder(async (folder) => {
    await Deno.symlink("nothing", `${folder}/link`);
    const output = await openOutputFile(`${folder}/link`);
    await output.write(bytes("new"));
    await output.close();
    assert.equal(await Deno.readTextFile(`${folder}/nothing`), "new");
    assert.equal(await Deno.readLink(`${folder}/link`), "nothing");
  }));

Deno.test("openOutputFile refuses a loop of links, a folder and a missing folder by name", () =>
  inFolder(async (folder) => {
    await Deno.symlink("loop", `${folder}/loop`);
    const cases: [string, string][] = [
      [`${folder}/loop`, "too many symbolic links"],
      [folder, "it is a folder"],
      [`${folder}/`, "it is a folder"],
      [
        `${folder}/none/a`,
        `in ${folder}/none: no such file or folder`,
      ],
    ];
    for (const [path, why] of cases) {
      await assert.rejects(openOutputFile(path), (error: Error) => {
        assert.equal(error.name, "FileError");
        assert.ok(error.message.includes(path) && error.message.endsWith(why), error.message);
        return true;
      });
    }
  }));

Deno.test("openOutputFile writes devices and FIFOs directly", () =>
  inFolder(async (folder) => {
    const nothing = await openOutputFile("/dev/null");
    await nothing.write(bytes("gone"));
    await nothing.close();
    assert.equal((await Deno.stat("/dev/null")).isCharDevice, true);

    await new Deno.Command("mkfifo", { args: [`${folder}/fifo`] }).output();
    const reading = Deno.readTextFile(`${folder}/fifo`);
    const fifo = await openOutputFile(`${folder}/fifo`);
    await fifo.write(bytes("through"));
    await fifo.abort();
    assert.equal(await reading, "through");
    assert.equal(fifo.partial, undefined);
    assert.deepEqual(names(folder), ["fifo"]);
  }));

Deno.test("openOutputFile names the file when the disk is full", async () => {
  const full = await openOutputFile("/dev/full");
  await assert.rejects(full.write(bytes("x")), {
    name: "FileError",
    message: "Cannot write /dev/full: no space left on the disk",
  });
  await full.abort();
});

/** Runs code in a Deno with the given permissions only. */
async function sandboxed(code: string, ...flags: string[]): Promise<string> {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  const door = new URL("./mod.ts", import.meta.url).href;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  await Deno.writeTextFile(file, `import { openOutputFile } from "${door}";\n${code}`);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", `--config=${config}`, "--no-lock", ...flags, file],
  }).output();
  await Deno.remove(file);
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

Deno.test("openOutputFile works with --allow-write alone: in place, only at the end", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/real`, "old contents");
    await Deno.symlink("real", `${folder}/link`);
    await Deno.writeTextFile(`${folder}/kept`, "kept");
    const printed = await sandboxed(
      `const bytes = new TextEncoder().encode("new");
      const done = await openOutputFile("${folder}/link");
      await done.write(bytes);
      bytes.fill(0);
      await done.close();
      const failed = await openOutputFile("${folder}/kept");
      await failed.write(new TextEncoder().encode("half"));
      await failed.abort();
      const created = await openOutputFile("${folder}/created");
      await created.abort();
      console.log(failed.partial, created.partial);`,
      `--allow-write=${folder}`,
    );
    assert.equal(printed, `${folder}/kept.partial undefined\n`);
    assert.equal(await Deno.readTextFile(`${folder}/real`), "new");
    assert.equal(await Deno.readTextFile(`${folder}/kept`), "kept");
    assert.equal(await Deno.readTextFile(`${folder}/kept.partial`), "half");
    assert.deepEqual(names(folder), ["kept", "kept.partial", "link", "real"]);
  }));

Deno.test("openOutputFile names the missing flag", () =>
  inFolder(async (folder) => {
    const printed = await sandboxed(
      `await openOutputFile("${folder}/a b,c").catch((error) => console.log(error.message));`,
      `--allow-read=${folder}`,
    );
    assert.equal(
      printed,
      `Cannot write ${folder}/a b,c: permission --allow-write='${folder}/a b,,c' is missing ` +
        `(add it to the flags of deno run; if this was installed, install it again with the flag)\n`,
    );
  }));
