import assert from "node:assert/strict";
import { compile } from "./build.ts";

/** Kinds of permissions that an executable has, as `deno compile` recorded them at its end. */
async function permissionsOf(executable: string): Promise<string[]> {
  using file = await Deno.open(executable);
  const { size } = await file.stat();
  await file.seek(Math.max(0, size - 1024 * 1024), Deno.SeekMode.Start);
  const tail = await new Response(file.readable).text();
  const found = [...tail.matchAll(/"permissions":(\{.*?\})/g)].at(-1) ?? assert.fail(executable);
  const permissions: Record<string, unknown> = JSON.parse(found[1] ?? "");
  return Object.keys(permissions).filter((key) =>
    key.startsWith("allow_") && permissions[key] !== null
  ).map((key) => key.slice("allow_".length)).sort();
}

Deno.test("compile gives an executable the permission to start programs only for the agent", async () => {
  const folder = await Deno.makeTempDir();
  // The base binary of executables is another download. This one serves to look, not to run.
  const variable = "DENORT_BIN";
  const before = Deno.env.get(variable);
  Deno.env.set(variable, Deno.execPath());
  try {
    await Deno.writeTextFile(`${folder}/program.js`, "");
    await compile(`${folder}/program.js`, `${folder}/narrow`, false);
    await compile(`${folder}/program.js`, `${folder}/agent`, true);
    const narrow = await permissionsOf(`${folder}/narrow`);
    // Deno always allows imports from its own list of hosts.
    assert.deepEqual(narrow, ["env", "import", "net", "read", "write"]);
    const all = await permissionsOf(`${folder}/agent`);
    for (const kind of ["env", "net", "read", "run", "sys", "write"]) {
      assert.ok(all.includes(kind), kind);
    }
  } finally {
    if (before === undefined) Deno.env.delete(variable);
    else Deno.env.set(variable, before);
    await Deno.remove(folder, { recursive: true });
  }
});
