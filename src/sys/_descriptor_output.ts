import { aborted } from "./_aborted.ts";
import { DirectOutput } from "./_direct_output.ts";
import { FileError } from "./errors.ts";
import type { OutputFile } from "./output_file.ts";
import { mayUse } from "./permissions.ts";
import { seekableSize } from "./_seekable_size.ts";

/** The flag of a file that was opened for appending, in `/proc/self/fdinfo/N` of Linux. */
const O_APPEND = 0o2000;

/** The number of the descriptor of this process that a path names, if it names one. */
export function descriptorOf(path: string): number | undefined {
  if (path === "/dev/stdout") return 1;
  if (path === "/dev/stderr") return 2;
  const [, process, number] =
    /^\/(?:dev|proc\/(self|thread-self|\d+))\/fd\/(\d{1,9})$/.exec(path) ?? [];
  const own = process === undefined || !/^\d/.test(process) || process === String(Deno.pid);
  return own && number !== undefined ? Number(number) : undefined;
}

/**
 * Opens a descriptor of this process for writing; `path` is the name that the user gave. Deno can
 * write to standard output and error themselves. What is behind others must be opened anew: a pipe
 * or a device is the same then, but a regular file gets a position of its own.
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
  // On other systems opening such a name gives the same descriptor once more.
  const anew = info.isFile && Deno.build.os === "linux";
  if (anew && !await isAppending(number)) {
    throw new FileError(
      action,
      path,
      "it is a regular file that was not opened for appending, and others would write over the " +
        `output; give its name, or ${redirect}`,
    );
  }
  return new DirectOutput(path, await open(anew ? { append: true } : { write: true }));
}

async function isAppending(number: number): Promise<boolean> {
  const info = await Deno.readTextFile(`/proc/self/fdinfo/${number}`);
  return (parseInt(/^flags:\s*([0-7]+)$/m.exec(info)?.[1] ?? "0", 8) & O_APPEND) !== 0;
}
