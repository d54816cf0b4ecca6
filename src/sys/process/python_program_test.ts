import assert from "node:assert/strict";
import { pythonProgram } from "./python_program.ts";

/** Makes a folder for each `python3`, and searches a PATH of these folders. */
async function withPath(
  programs: readonly (string | undefined)[],
  use: (folders: readonly string[], program: string) => void,
): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    const folders: string[] = [];
    for (const [index, content] of programs.entries()) {
      const folder = `${root}/${index}`;
      folders.push(folder);
      await Deno.mkdir(folder);
      if (content === undefined) continue;
      await Deno.writeTextFile(`${folder}/python3`, content, { mode: 0o755 });
    }
    use(folders, pythonProgram(folders.join(":")));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("pythonProgram passes by scripts that would look for the real one", async () => {
  const shim = '#!/usr/bin/env bash\nexec pyenv exec "$0" "$@"\n';
  const elf = "\x7fELF";
  await withPath([shim, undefined, elf], (folders, program) => {
    assert.equal(program, `${folders[2]}/python3`);
  });
  await withPath([shim], (_, program) => assert.equal(program, "python3"));
  await withPath([undefined], (_, program) => assert.equal(program, "python3"));
  await withPath([elf, shim], (folders, program) => {
    assert.equal(program, `${folders[0]}/python3`);
  });
});
