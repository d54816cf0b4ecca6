/** One builtin as a program: standard input to standard output, for whole-process measurements. */
import { Stage } from "../src/builtins/mod.ts";
import { drain } from "../src/streams/mod.ts";
import { stderrSink, stdinSource, stdoutSink } from "../src/sys/mod.ts";

const [name = "", ...args] = Deno.args;
const stderr = stderrSink();
const stage = new Stage(name, args, {
  stdin: stdinSource(),
  warn: (message) => void stderr.write(new TextEncoder().encode(`${message}\n`)),
  signal: new AbortController().signal,
});
await drain(stage, stdoutSink());
Deno.exit(await stage.finished);
