/**
 * Imports many test files into one isolate, which costs far less than an isolate for each. Used by
 * the entries that `tools/run_tests.ts` writes.
 */

/**
 * Imports test files one after another. A file that throws becomes a failed test with its name, and
 * the others still run.
 */
export async function importTests(files: readonly string[]): Promise<void> {
  Deno.test.beforeEach(keepEnvironment);
  Deno.test.afterEach(restoreEnvironment);
  let importing = "";
  // A file that waits for ever is named when somebody ends the run.
  const end = () => {
    console.error(`Ended while importing ${importing}`);
    Deno.exit(130);
  };
  for (const signal of SIGNALS) Deno.addSignalListener(signal, end);
  for (const file of files) {
    importing = file;
    keepEnvironment();
    try {
      await import(file);
    } catch (error) {
      Deno.test(`${file} can be imported`, () => {
        throw error;
      });
    }
  }
  for (const signal of SIGNALS) Deno.removeSignalListener(signal, end);
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

let variables: Readonly<Record<string, string>> = {};
let folder = "";

function keepEnvironment(): void {
  variables = Deno.env.toObject();
  folder = Deno.cwd();
}

/** Reverts changes of a test, so that they do not affect the next. */
function restoreEnvironment(): void {
  const now = Deno.env.toObject();
  for (const name of Object.keys(now)) if (!(name in variables)) Deno.env.delete(name);
  for (const [name, value] of Object.entries(variables)) {
    if (now[name] !== value) Deno.env.set(name, value);
  }
  Deno.chdir(folder);
}
