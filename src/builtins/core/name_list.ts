import type { ByteSource } from "../../streams/mod.ts";
import type { BuiltinIo } from "../builtin.ts";
import { LineReader } from "../text/mod.ts";
import { errorText, isFatal, openFile } from "./operands.ts";

/** The result of reading `--files0-from`: names, some of them possibly empty, or the error. */
export type NameList =
  | { readonly names: readonly string[]; readonly regular: boolean }
  | { readonly problem: "open" | "read"; readonly why: string };

/** Reads the NUL-terminated file names in `path`; `-` is standard input. */
export async function readNameList(path: string, io: BuiltinIo): Promise<NameList> {
  let source: ByteSource | undefined;
  try {
    source = path === "-" ? io.stdin : await openFile(path, io);
    const names: string[] = [];
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const reader = new LineReader(source, 0);
    for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
      const parts = decoder.decode(block).split("\0");
      if (parts.at(-1) === "") parts.pop();
      for (const part of parts) names.push(part);
    }
    return { names, regular: source.at !== undefined };
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    const why = errorText(error);
    // Opening a folder succeeds, only reading fails.
    return { problem: source === undefined && why !== "Is a directory" ? "open" : "read", why };
  } finally {
    if (path !== "-") await source?.return();
  }
}
