import assert from "node:assert/strict";
import { optional } from "../../tests/_optional.ts";
import { existingPaths } from "./_existing_paths.ts";

const NAME = "existingPaths follows links anywhere in a path, and tells folders from files";

Deno.test({ ...optional(NAME, "readlink"), fn: followsLinks });

async function followsLinks() {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${folder}/real folder/sub`, { recursive: true });
    await Deno.writeTextFile(`${folder}/real folder/file`, "");
    await Deno.symlink("real folder", `${folder}/link`);
    await Deno.symlink("file", `${folder}/real folder/to file`);
    await Deno.symlink("nowhere", `${folder}/dangling`);
    await Deno.writeTextFile(`${folder}/with\nlines\n\n`, "");
    await Deno.symlink("with\nlines\n\n", `${folder}/to lines`);
    const real = `${folder}/real folder`;
    const expected: [string, string | undefined, boolean?][] = [
      ["/", "/", true],
      [real, real, true],
      [`${real}/`, real, true],
      [`${real}/sub/../file`, `${real}/file`, false],
      [`${folder}//real folder/./sub`, `${real}/sub`, true],
      [`${folder}/link/sub`, `${real}/sub`, true],
      [`${folder}/link/to file`, `${real}/file`, false],
      [`${folder}/missing`, undefined],
      [`${folder}/dangling`, undefined],
      [`${real}/file`, `${real}/file`, false],
      ["/dev/null", "/dev/null", false],
      [`${folder}/with\nlines\n\n`, `${folder}/with\nlines\n\n`, false],
      [`${folder}/to lines`, `${folder}/with\nlines\n\n`, false],
    ];
    assert.deepEqual(
      await existingPaths(expected.map(([path]) => path)),
      expected.map(([, path, isFolder = false]) =>
        path === undefined ? undefined : { path, folder: isFolder }
      ),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("existingPaths fails where the shell has not looked for all", async () => {
  const folder = await Deno.makeTempDir();
  const sh = `${folder}/sh`;
  try {
    await Deno.writeTextFile(sh, "#!/bin/sh\nprintf 'd/\\0'\n", { mode: 0o755 });
    await assert.rejects(existingPaths(["/", "/etc"], sh), {
      message: `Cannot look for hidden paths: ${sh} ended with 0 before it had looked for all`,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
