/** Runs one builtin as a program, with the host's files, for measurements of whole processes. */
import { READER_LEFT, Stage } from "../src/builtins/mod.ts";
import { drain } from "../src/streams/mod.ts";
import {
  createFile,
  FileSink,
  isBrokenPipe,
  openInputFile,
  stderrSink,
  stdinSource,
  stdoutSink,
  tempFolder,
} from "../src/sys/mod.ts";

const [name = "", ...args] = Deno.args;
const stderr = stderrSink();
/** Settles when all messages so far are written. */
let warned: Promise<unknown> = Promise.resolve();

async function appendTo(path: string): Promise<FileSink> {
  return new FileSink(await Deno.open(path, { create: true, append: true }), { name: path });
}

/** Removes an empty folder; throws for anything else. */
async function removeFolder(path: string): Promise<void> {
  if (!(await Deno.lstat(path)).isDirectory) throw new Deno.errors.NotADirectory(path);
  await Deno.remove(path);
}

/**
 * Runs the builtin; resolves to its status. 99, which no command has, means that a limit ended it.
 */
async function run(): Promise<number> {
  const stage = new Stage(name, args, {
    stdin: stdinSource(),
    warn: (message) => {
      const line = new TextEncoder().encode(`${message}\n`);
      warned = warned.then(() => stderr.write(line)).catch(() => {});
    },
    signal: new AbortController().signal,
    open: (path) => openInputFile(path),
    create: (path, append) => append === true ? appendTo(path) : createFile(path),
    remove: (path) => Deno.remove(path),
    mkdir: (path) => Deno.mkdir(path),
    rmdir: removeFolder,
    mode: async (path) => ((await Deno.stat(path)).mode ?? 0) & 0o777,
    chmod: (path, mode) => Deno.chmod(path, mode),
    temp: tempFolder,
  });
  try {
    await drain(stage, stdoutSink());
    return await stage.finished;
  } catch (error) {
    if (isBrokenPipe(error)) return READER_LEFT;
    console.error(String(error));
    return 99;
  }
}

const status = await run();
await warned;
Deno.exit(status);
