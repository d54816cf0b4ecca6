import { messageOf } from "../base/mod.ts";
import type { Builtin, BuiltinIo } from "../builtins/mod.ts";
import { type Chunk, Source } from "../streams/mod.ts";

/** The error that the probe's standard input throws. */
class Touched extends Error {
  override readonly name = "Touched";
}

/** A standard input that only records whether it was read. */
class TouchedSource extends Source {
  touched = false;

  protected override pull(): Promise<Chunk | undefined> {
    this.touched = true;
    return Promise.reject(new Touched("The probe has no input"));
  }
}

/**
 * Runs a builtin until it first asks for input or gives output. If it fails before that, its
 * options, operands or pattern are wrong, and what it wrote to standard error is returned. Builtins
 * read all of these before they touch their input, so the answer is the same as that of the real
 * run. Gives `undefined` when nothing is wrong.
 */
export async function probe(
  builtin: Builtin,
  args: readonly string[],
  { signal, open }: Pick<BuiltinIo, "signal" | "open">,
): Promise<string | undefined> {
  const stdin = new TouchedSource();
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const run = builtin(args, { stdin, signal, warn, ...(open === undefined ? {} : { open }) });
  try {
    const { done, value } = await run.next();
    const failed = done === true && value !== 0 && warnings.length > 0;
    return failed && !stdin.touched ? warnings.join("\n") : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (stdin.touched) return undefined;
    return messageOf(error);
  } finally {
    await run.return(0).catch(() => {});
    await stdin.return();
  }
}
