/**
 * Checks that the rooms without access to the host stay portable:
 *
 * 1. they type-check with a library of types that has no `Deno`,
 * 2. a smoke program that uses them, bundled, runs on Node (`node` on the PATH).
 *
 * The table of ARCHITECTURE.md names these rooms. Run by `deno task portability`.
 */
import config from "../deno.json" with { type: "json" };
import stdCli from "../vendor/std_cli/deno.json" with { type: "json" };
import table from "../ARCHITECTURE.md" with { type: "text" };
import { parseRooms } from "./layers.ts";

const ROOT = new URL("../", import.meta.url);

/** The configuration of the type check: that of the project without the types of Deno. */
function portableConfig(): string {
  // This check is not in the workspace that has the standard library as a member.
  const members = Object.entries(stdCli.exports).map(([path, file]) => [
    `${stdCli.name}${path.slice(1)}`,
    new URL(`vendor/std_cli/${file}`, ROOT).href,
  ]);
  const imports = Object.fromEntries([
    ...Object.entries(config.imports).filter(([, target]) => target.startsWith("npm:")),
    ...members,
  ]);
  const compilerOptions = {
    ...config.compilerOptions,
    lib: [
      "es2023",
      "es2024.string",
      "esnext.disposable",
      "dom",
      "dom.iterable",
      "dom.asynciterable",
    ],
  };
  return JSON.stringify({ imports, compilerOptions });
}

/** The rooms that cannot reach the host, neither directly nor through a room that they import. */
function portableRooms(): string[] {
  const rooms = parseRooms(table);
  const host = (name: string): boolean => {
    const room = rooms.get(name);
    return room?.host === true || [...room?.mayImport ?? []].some(host);
  };
  return [...rooms.keys()].filter((name) => !host(name));
}

/** Runs a command to its end and shows its output; throws if it fails. */
async function run(command: string, args: string[]): Promise<void> {
  const { code } = await new Deno.Command(command, { args, cwd: ROOT }).spawn().status;
  if (code !== 0) throw new Error(`Command failed with status ${code}: ${command} ${args[0]}`);
}

const folder = await Deno.makeTempDir({ prefix: "llmcmd-portability-" });
try {
  const rooms = portableRooms();
  const doors = rooms.map((name) => `import "${new URL(`src/${name}/mod.ts`, ROOT)}";\n`);
  await Deno.writeTextFile(`${folder}/doors.ts`, doors.join(""));
  await Deno.writeTextFile(`${folder}/deno.json`, portableConfig());
  await run(Deno.execPath(), [
    "check",
    "--quiet",
    "--no-lock",
    `--config=${folder}/deno.json`,
    `${folder}/doors.ts`,
  ]);
  await run(Deno.execPath(), [
    "bundle",
    "--quiet",
    `--output=${folder}/smoke.mjs`,
    "tools/portability_smoke.ts",
  ]);
  await run("node", [`${folder}/smoke.mjs`]);
  console.info(`Portable: ${rooms.join(", ")}`);
} finally {
  await Deno.remove(folder, { recursive: true });
}
