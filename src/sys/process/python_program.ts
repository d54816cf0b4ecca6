import { mayRun } from "./_start_error.ts";
import { processHost } from "./process_host.ts";

const NAME = "python3";
const found = new Map<string, string>();

/**
 * The Python for helpers: the first `python3` on the PATH that is not a script, otherwise the bare
 * name. Scripts of version managers (pyenv, asdf) take a third of a second to find the real one,
 * each time.
 *
 * Needs `--allow-read` for the folders on the PATH and `--allow-run` for the program found; without
 * them it returns the bare name. `searched`: a PATH instead of the environment's.
 */
export function pythonProgram(searched: string = processHost().env["PATH"] ?? ""): string {
  let program = found.get(searched);
  if (program === undefined) {
    program = firstProgram(searched) ?? NAME;
    found.set(searched, program);
  }
  return program;
}

function firstProgram(searched: string): string | undefined {
  for (const folder of searched.split(":")) {
    const path = `${folder}/${NAME}`;
    try {
      if (!folder.startsWith("/") || isScript(path)) continue;
      return mayRun(path) ? path : undefined;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) return undefined;
    }
  }
  return undefined;
}

function isScript(path: string): boolean {
  using file = Deno.openSync(path);
  const beginning = new Uint8Array(2);
  file.readSync(beginning);
  return beginning[0] === 0x23 && beginning[1] === 0x21;
}
