/**
 * Bundles the command: `deno task bundle` writes it to `dist/llmcmd/`, from where it is installed.
 * `deno task build` and the benchmark of its start call the function.
 *
 * From source a start opens some 800 files; the bundle takes about half that time.
 */

/**
 * Bundles a program into a folder. Lazy imports become files of their own, so that a run loads only
 * the parts that it uses. Returns the path of the entry.
 *
 * The entry names all other files, so Deno reads them at the start, and the program may import them
 * without a permission. {@linkcode lazyEntry} returns an entry that does not name them.
 */
export async function bundle(program: string, folder: string): Promise<string> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--minify",
      "--code-splitting",
      `--outdir=${folder}`,
      program,
    ],
    env: { NO_COLOR: "1" },
    stdout: "null",
  }).output();
  if (!success) throw new Error(`Cannot bundle ${program}: ${new TextDecoder().decode(stderr)}`);
  const name = program.split("/").at(-1) ?? program;
  const entry = `${folder}/${name.replace(/\.ts$/, ".js")}`;
  await splitEntry(folder, entry);
  return entry;
}

/**
 * The second entry of a bundle, which reads the other files only when they are imported. It needs
 * the permission to read their folder.
 */
export function lazyEntry(entry: string): string {
  return entry.replace(/\.js$/, "_lazy.js");
}

/**
 * Deno reads every `import("./name.js")` at the start. So this rewrites imports in a form that Deno
 * cannot analyse, and adds to the entry a list of all imports, which never runs.
 */
async function splitEntry(folder: string, entry: string): Promise<void> {
  const parts = new Set<string>();
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".js")) continue;
    const path = `${folder}/${name}`;
    const text = await Deno.readTextFile(path);
    const changed = text.replace(/\bimport\(("\.\/[\w-]+\.js")\)/g, (_, part: string) => {
      parts.add(part);
      return `import("".concat(${part}))`;
    });
    if (changed !== text) await Deno.writeTextFile(path, changed);
  }
  await Deno.copyFile(entry, lazyEntry(entry));
  const list = [...parts].sort().map((part) => `import(${part});\n`).join("");
  if (list !== "") await Deno.writeTextFile(entry, `\n(() => {\n${list}});\n`, { append: true });
}

/** Milliseconds for which a part that no bundle names any more is kept: 30 days. */
const KEPT = 30 * 24 * 60 * 60 * 1000;

/** The entry of the command's bundle. */
const ENTRY = "cli.js";

/** The list of old parts in a folder. */
const LIST = "parts.json";

/**
 * Names of old parts, each with the time since which no bundle names it, in milliseconds since
 * 1970.
 */
type Parts = Record<string, number>;

/**
 * Moves a new bundle to a folder where another may be in use. A running program may still import
 * parts of the old one, whose names hold a hash of their content; those stay for 30 days.
 */
export async function moveBundle(from: string, to: string, now: number): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  const entries = [ENTRY, lazyEntry(ENTRY)];
  const names = Deno.readDirSync(from).map(({ name }) => name).filter((name) =>
    !entries.includes(name)
  ).toArray();
  const kept: Parts = await Deno.readTextFile(`${to}/${LIST}`).then(JSON.parse, () => ({}));
  const parts: Parts = {};
  for (const { name } of Deno.readDirSync(to)) {
    if (name === LIST || entries.includes(name) || names.includes(name)) continue;
    // A part of the bundle that is replaced was in use until now.
    parts[name] = kept[name] ?? now;
    if (now - parts[name] <= KEPT) continue;
    delete parts[name];
    await Deno.remove(`${to}/${name}`);
  }
  // The entries last, so that they never name a missing part.
  for (const name of [...names, ...entries]) await Deno.rename(`${from}/${name}`, `${to}/${name}`);
  await Deno.writeTextFile(`${to}/${LIST}`, JSON.stringify(parts));
  await Deno.remove(from);
}

if (import.meta.main) {
  const folder = "dist/llmcmd";
  const fresh = `${folder}.new`;
  // Left by a bundle that was interrupted.
  await Deno.remove(fresh, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await bundle("cli.ts", fresh);
  await moveBundle(fresh, folder, Date.now());
  console.info(`${folder}/${ENTRY}\n${folder}/${lazyEntry(ENTRY)}`);
}
