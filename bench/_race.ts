/**
 * Counts of attempts, of those that succeeded, and of those that reached files outside of the
 * allowed ones.
 */
export interface RaceCount {
  attempts: number;
  done: number;
  escapes: number;
}

/** The result of a race. */
export interface RaceResult {
  /** The number of times that a folder or a file and a link were exchanged. */
  readonly swaps: number;
  /** The counts of each kind of attempt. */
  readonly counts: Readonly<Record<string, RaceCount>>;
}

/** The content of the files outside; see the client. */
const OUTSIDE = "what is outside";

const here = (name: string) => new URL(name, import.meta.url).pathname;

/**
 * Runs a program that takes all files that an FS proxy allows, while another exchanges a folder and
 * a file there for links that lead outside. `flags` are the permissions of the proxy for a
 * temporary folder.
 */
export async function race(
  seconds: number,
  flags: (folder: string) => readonly string[],
): Promise<RaceResult> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-race-" }));
  try {
    await prepare(folder);
    const names = ["d", "e", "f", "g"].map((name) => `${folder}/in/${name}`);
    const swapping = new Deno.Command("python3", {
      args: [here("_race_swap.py"), ...names],
      ...{ stdin: "piped", stdout: "piped" },
    }).spawn();
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--no-check", ...flags(folder)],
        ...[here("_race_client.ts"), folder, String(seconds)],
      ],
    }).output();
    await swapping.stdin.close();
    const swaps = Number(new TextDecoder().decode((await swapping.output()).stdout));
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
    const counts: Record<string, RaceCount> = JSON.parse(new TextDecoder().decode(stdout));
    await judge(`${folder}/out`, counts);
    return { swaps, counts };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Creates the same names inside and outside, so that only the folder differs. */
async function prepare(folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/in/d`, { recursive: true });
  await Deno.mkdir(`${folder}/out`);
  for (const place of ["in/d", "out"]) {
    for (const name of ["x", "y"]) {
      await Deno.writeTextFile(`${folder}/${place}/${name}`, place === "out" ? OUTSIDE : "in");
    }
    for (let number = 0; number < 2000; number++) {
      await Deno.writeTextFile(`${folder}/${place}/remove-${number}`, "");
      await Deno.writeTextFile(`${folder}/${place}/rename-${number}`, "");
    }
  }
  await Deno.writeTextFile(`${folder}/out/only-outside`, "");
  await Deno.writeTextFile(`${folder}/in/f`, "in");
  await Deno.writeTextFile(`${folder}/out/file`, OUTSIDE);
  await Deno.symlink("../out", `${folder}/in/e`);
  await Deno.symlink("../out/file", `${folder}/in/g`);
}

/** Adds the escapes that show in the folder outside. */
async function judge(out: string, counts: Record<string, RaceCount>): Promise<void> {
  const escaped = (name: string, number: number) => {
    const count = counts[name];
    if (count !== undefined) count.escapes += number;
  };
  const left = { remove: 2000, rename: 2000 };
  for await (const { name, isDirectory } of Deno.readDir(out)) {
    if (name.startsWith("made-")) escaped(isDirectory ? "mkdir" : "make", 1);
    if (name.startsWith("remove-")) left.remove--;
    if (name.startsWith("rename-")) left.rename--;
  }
  escaped("remove", left.remove);
  escaped("rename", left.rename);
  for (
    const [file, name] of [
      ["x", "write in place"],
      ["y", "replace"],
      ["file", "write of a file"],
    ] as const
  ) {
    const text = await Deno.readTextFile(`${out}/${file}`).catch(() => "gone");
    if (text !== OUTSIDE) escaped(name, 1);
  }
}
