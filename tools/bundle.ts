/**
 * Bundles the command: `deno task bundle` writes it to `dist/llmcmd/`, from where it is installed;
 * `deno task build` and the benchmark of its start use the function.
 *
 * From source a start opens each of the modules, some 800 files: the bundle takes about half the
 * time of that.
 */

/**
 * Bundles a program into a folder, with what it imports lazily in files of their own: a run loads
 * what it uses. Returns the path of the file to run.
 *
 * That file names all the others, so Deno reads them at the start and then lets the program import
 * them without a permission. {@linkcode lazyEntry} names another that does not.
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
 * The file beside a bundle's entry that starts the same program, and reads its other files only when
 * they are imported: for that it needs the permission to read their folder.
 */
export function lazyEntry(entry: string): string {
  return entry.replace(/\.js$/, "_lazy.js");
}

/**
 * Deno reads before the start whatever `import("./name.js")` names. So imports are written in a way
 * that it can't see through, and a list of them all, which never runs, is put into the entry.
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

/** The file of a bundle of the command that is run. */
const ENTRY = "cli.js";

/** Lists the parts that a folder only keeps. */
const LIST = "parts.json";

/** The name of a part, and since when no bundle names it, in milliseconds since the epoch. */
type Parts = Record<string, number>;

/**
 * Moves a new bundle to where another may be in use. A program that runs reads parts of the old one
 * later, whose names hold a hash of what is in them: they stay for 30 days.
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
    // A part of the bundle that is replaced was one until now.
    parts[name] = kept[name] ?? now;
    if (now - parts[name] <= KEPT) continue;
    delete parts[name];
    await Deno.remove(`${to}/${name}`);
  }
  // The entries last, so that none names a part that is not there yet.
  for (const name of [...names, ...entries]) await Deno.rename(`${from}/${name}`, `${to}/${name}`);
  await Deno.writeTextFile(`${to}/${LIST}`, JSON.stringify(parts));
  await Deno.remove(from);
}

if (import.meta.main) {
  const folder = "dist/llmcmd";
  const fresh = `${folder}.new`;
  // What a bundle that was stopped has left.
  await Deno.remove(fresh, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await bundle("cli.ts", fresh);
  await moveBundle(fresh, folder, Date.now());
  console.info(`${folder}/${ENTRY}\n${folder}/${lazyEntry(ENTRY)}`);
}
