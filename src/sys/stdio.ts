import { FileSink } from "./file_sink.ts";

/**
 * Standard output as a sink. `write` resolves when the system has the bytes; it rejects with
 * `Deno.errors.BrokenPipe` when the reader has gone. `close` leaves the descriptor open.
 */
export function stdoutSink(): FileSink {
  return new FileSink(Deno.stdout, { name: "stdout", keepOpen: true });
}

/** Standard error as a sink, with the rules of {@linkcode stdoutSink}. */
export function stderrSink(): FileSink {
  return new FileSink(Deno.stderr, { name: "stderr", keepOpen: true });
}
