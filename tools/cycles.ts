/**
 * Checks that no files import each other in a circle, in any room: types and `import()` included.
 * None of the files of a circle can be read, tested or moved without the others. Run by
 * `deno task lint`; prints each circle and exits 1 if there is one.
 *
 * The graph is the one that Deno resolves (`deno info --json`) from the package's entries.
 */
import config from "../deno.json" with { type: "json" };

const ROOT = new URL("../", import.meta.url);

/** The part of `deno info --json` that is read here. */
export interface ModuleInfo {
  /** The file's address. */
  readonly specifier: string;
  /** The files that it imports: those of types, those of values, and those of `import()`. */
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier?: string };
    readonly type?: { readonly specifier?: string };
  }[];
}

/** The files that each file imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The groups of files that import each other (Tarjan's strongly connected components). */
export function findCycles(graph: ImportGraph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    let lowest = index.size;
    index.set(file, lowest);
    low.set(file, lowest);
    stack.push(file);
    const imports = graph.get(file) ?? [];
    for (const other of imports) {
      if (!index.has(other)) lowest = Math.min(lowest, visit(other));
      else if (stack.includes(other)) lowest = Math.min(lowest, index.get(other) ?? lowest);
    }
    low.set(file, lowest);
    if (lowest === index.get(file)) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || imports.includes(file)) cycles.push(group.sort());
    }
    return lowest;
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return cycles;
}

/** The graph of the modules that Deno has resolved; an `import()` counts as any other import. */
export function graphOf(modules: readonly ModuleInfo[]): Map<string, string[]> {
  return new Map(modules.map(({ specifier, dependencies = [] }) => [
    specifier,
    dependencies.flatMap(({ code, type }) => [code?.specifier, type?.specifier])
      .filter((target) => target !== undefined),
  ]));
}

/** Asks Deno for the files below one entry. */
async function readModules(entry: string): Promise<ModuleInfo[]> {
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--quiet", new URL(entry, ROOT).href],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot read the imports of ${entry}: deno info failed`);
  const { modules }: { modules: ModuleInfo[] } = JSON.parse(new TextDecoder().decode(stdout));
  return modules;
}

if (import.meta.main) {
  const parts = await Promise.all(Object.values(config.exports).map(readModules));
  const cycles = findCycles(graphOf(parts.flat()));
  for (const cycle of cycles) {
    const names = cycle.map((file) => file.replace(ROOT.href, ""));
    console.error(`These ${cycle.length} files import each other in a circle: ${names.join(", ")}`);
  }
  if (cycles.length > 0) Deno.exit(1);
}
