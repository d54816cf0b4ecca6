/** One builtin as a program, with the host's files, for whole-process measurements. */
import { Stage } from "../src/builtins/mod.ts";
import { drain } from "../src/streams/mod.ts";
import {
  createFile,
  openInputFile,
  stderrSink,
  stdinSource,
  stdoutSink,
  tempFolder,
} from "../src/sys/mod.ts";

const [name = "", ...args] = Deno.args;
const stderr = stderrSink();
const stage = new Stage(name, args, {
  stdin: stdinSource(),
  warn: (message) => void stderr.write(new TextEncoder().encode(`${message}\n`)),
  signal: new AbortController().signal,
  open: (path) => openInputFile(path),
  create: (path) => createFile(path),
  temp: tempFolder,
});
try {
  await drain(stage, stdoutSink());
  Deno.exit(await stage.finished);
} catch (error) {
  // A limit: no status that a command has.
  console.error(String(error));
  Deno.exit(99);
}
