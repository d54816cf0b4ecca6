import { messageOf } from "../base/mod.ts";
import type { Builtin, BuiltinIo } from "../builtins/mod.ts";
import { type Chunk, Source } from "../streams/mod.ts";

/** What the probe's standard input throws. */
class Touched extends Error {
  override readonly name = "Touched";
}

/** A standard input that only tells whether it was asked for anything. */
class TouchedSource extends Source {
  touched = false;

  protected override pull(): Promise<Chunk | undefined> {
    this.touched = true;
    return Promise.reject(new Touched("The probe has no input"));
  }
}

/**
 * Runs a builtin up to where it first asks for input or gives output, and gives what it wrote to
 * standard error if it failed before that: then its options, its operands or its pattern are wrong.
 * Builtins read all of these before they touch their input, so the answer is the same as that of
 * the real run. Gives `undefined` when nothing is wrong.
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
