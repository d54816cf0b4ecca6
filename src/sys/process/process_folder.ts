import { attempt } from "../_attempt.ts";
import { onEndAtOnce } from "../signals.ts";

/** A temporary folder whose path can be given to other processes. */
export interface ScratchFolder extends AsyncDisposable {
  /** Its path, absolute. */
  readonly path: string;
  /** Makes a folder inside, and returns its path. */
  makeFolder(name: string): Promise<string>;
  /** Leaves the folder where it is: disposing no longer removes it. */
  keep(): void;
}

/**
 * Makes a temporary folder that only this user can enter; disposing removes it with its contents,
 * if it still exists. Needs `--allow-read` and `--allow-write` for the system's folder of temporary
 * files.
 *
 * @throws {PermissionError | FileError} The folder can't be made.
 */
export async function scratchFolder(): Promise<ScratchFolder> {
  const path = await attempt("a temporary folder", () => Deno.makeTempDir({ prefix: "llmcmd-" }));
  const forget = onEndAtOnce(() => Deno.removeSync(path, { recursive: true }));
  let removed: Promise<void> | undefined;
  return {
    path,
    async makeFolder(name) {
      const folder = `${path}/${name}`;
      await attempt(folder, () => Deno.mkdir(folder, { mode: 0o700 }));
      return folder;
    },
    keep() {
      forget();
      removed ??= Promise.resolve();
    },
    [Symbol.asyncDispose]() {
      return removed ??= attempt(path, async () => {
        await Deno.remove(path, { recursive: true }).catch((error) => {
          if (!(error instanceof Deno.errors.NotFound)) throw error;
        });
        forget();
      });
    },
  };
}
