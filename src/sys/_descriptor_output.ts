import { aborted } from "./_aborted.ts";
import { DirectOutput } from "./_direct_output.ts";
import { FileError } from "./errors.ts";
import type { OutputFile } from "./output_file.ts";
import { mayUse } from "./permissions.ts";
import { seekableSize } from "./_seekable_size.ts";

/** The flag of a file that was opened for appending, in `/proc/self/fdinfo/N` of Linux. */
const O_APPEND = 0o2000;

/**
 * The file descriptor of this process that a path names, such as 3 for `/dev/fd/3`; `undefined` for
 * other paths.
 */
export function descriptorOf(path: string): number | undefined {
  if (path === "/dev/stdout") return 1;
  if (path === "/dev/stderr") return 2;
  const [, process, number] =
    /^\/(?:dev|proc\/(self|thread-self|\d+))\/fd\/(\d{1,9})$/.exec(path) ?? [];
  const own = process === undefined || !/^\d/.test(process) || process === String(Deno.pid);
  return own && number !== undefined ? Number(number) : undefined;
}

/**
 * Opens a file descriptor of this process for writing; `path` is the name that the user gave. Deno
 * writes to standard output and error directly. Others are opened again by name: that gives the
 * same pipe or device, but a regular file gets a position of its own.
 */
export async function openDescriptor(
  path: string,
  number: number,
  signal: AbortSignal | undefined,
): Promise<OutputFile> {
  if (number === 1) return new DirectOutput(path, Deno.stdout, { keepOpen: true });
  if (number === 2) return new DirectOutput(path, Deno.stderr, { keepOpen: true });
  const action = `write ${path}`;
  const name = `/dev/fd/${number}`;
  const open = (options: Deno.OpenOptions) =>
    aborted(Deno.open(name, options), signal, (late) => late.close());
  if (!mayUse("read", name)) {
    const file = await open({ write: true });
    if (seekableSize(file) === undefined) return new DirectOutput(path, file);
    file.close();
  }
  const info = await Deno.stat(name);
  const redirect = `redirect standard output, as in >&${number}`;
  if (info.isDirectory) throw new FileError(action, path, "it is a folder");
  if (info.isSocket) throw new FileError(action, path, `it is a socket; ${redirect}`);
  // On other systems, opening such a name duplicates the descriptor.
  const anew = info.isFile && Deno.build.os === "linux";
  if (anew && !await isAppending(number)) {
    throw new FileError(
      action,
      path,
      "it is a regular file that was not opened for appending, so other writers would overwrite " +
        `the output; give its name, or ${redirect}`,
    );
  }
  return new DirectOutput(path, await open(anew ? { append: true } : { write: true }));
}

async function isAppending(number: number): Promise<boolean> {
  const info = await Deno.readTextFile(`/proc/self/fdinfo/${number}`);
  return (parseInt(/^flags:\s*([0-7]+)$/m.exec(info)?.[1] ?? "0", 8) & O_APPEND) !== 0;
}
