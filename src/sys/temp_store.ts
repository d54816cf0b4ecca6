import type { TempStore } from "../streams/mod.ts";
import { attempt } from "./_attempt.ts";
import { openInputFile } from "./file_source.ts";
import { FileSink } from "./file_sink.ts";
import { onEndAtOnce } from "./signals.ts";

/**
 * Makes a temporary folder that only this user can enter. Needs `--allow-read` and `--allow-write`
 * for the system's folder of temporary files.
 *
 * @throws {PermissionError | FileError} The folder can't be made.
 */
export async function tempFolder(): Promise<TempStore> {
  const folder = await attempt("a temporary folder", () => Deno.makeTempDir({ prefix: "llmcmd-" }));
  const forget = onEndAtOnce(() => Deno.removeSync(folder, { recursive: true }));
  const sinks: FileSink[] = [];
  let removed: Promise<void> | undefined;
  return {
    async create() {
      const path = `${folder}/${sinks.length}`;
      const file = await attempt(path, () => Deno.open(path, { write: true, createNew: true }));
      const sink = new FileSink(file, { name: path });
      sinks.push(sink);
      return { sink, open: () => openInputFile(path) };
    },
    [Symbol.asyncDispose]() {
      return removed ??= (async () => {
        for (const sink of sinks) await sink.close();
        await attempt(folder, () => Deno.remove(folder, { recursive: true }));
        forget();
      })();
    },
  };
}
