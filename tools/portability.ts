/**
 * Checks that the rooms which do not speak to the host stay portable:
 *
 * 1. they type-check with a library of types that has no `Deno`,
 * 2. a smoke program that uses them, bundled, runs on Node (`node` on the PATH).
 *
 * Which rooms these are stands in the table of ARCHITECTURE.md. Run by `deno task portability`.
 */
import config from "../deno.json" with { type: "json" };
import stdCli from "../vendor/std_cli/deno.json" with { type: "json" };
import table from "../ARCHITECTURE.md" with { type: "text" };
import { parseRooms } from "./layers.ts";

const ROOT = new URL("../", import.meta.url);

/** The configuration of the type check: ours, but for the types of Deno. */
function portableConfig(): string {
  // The standard library's workspace member is no part of this check's own workspace.
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

/** The rooms that neither speak to the host nor may import a room that does, however far down. */
function portableRooms(): string[] {
  const rooms = parseRooms(table);
  const host = (name: string): boolean => {
    const room = rooms.get(name);
    return room?.host === true || [...room?.mayImport ?? []].some(host);
  };
  return [...rooms.keys()].filter((name) => !host(name));
}

/** Runs a command to its end with its output shown, and throws when it fails. */
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
