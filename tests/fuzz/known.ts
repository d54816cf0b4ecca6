import * as z from "zod";
import { argumentsOf, type FuzzCase, type FuzzOutcome, latin1 } from "./case.ts";

/** The parts of an outcome that can differ. */
const ASPECTS = ["status", "stdout", "stderr", "files", "hang"] as const;

/** A part of an outcome that can differ. */
export type Aspect = typeof ASPECTS[number];

const condition = z.string().min(1).transform((source, context) => {
  try {
    return new RegExp(source, "s");
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error));
    return z.NEVER;
  }
}).optional();

const schema = z.strictObject({
  /** The name of the entry in the fuzzer's summary. */
  id: z.string().regex(/^[a-z0-9-]+$/),
  /** The commands that the entry applies to; `*` for all. */
  commands: z.array(z.string().min(1)).min(1),
  /** The parts of an outcome that may differ. */
  aspects: z.array(z.enum(ASPECTS)).min(1),
  /** Matches one of the arguments. */
  word: condition,
  /** Matches all arguments, joined by spaces. */
  line: condition,
  /** Matches standard input or a file, each byte as one character. */
  input: condition,
  /** Matches all arguments, joined by spaces, or standard input, or a file; in UTF-8. */
  anywhere: condition,
  /** Matches GNU's standard output, or a file that it has left, each byte as one character. */
  output: condition,
  /** Matches our standard error. */
  ours: condition,
  /** Matches GNU's standard error. */
  gnu: condition,
  /** The reason why the results differ. */
  reason: z.string().min(1),
});

/**
 * An entry of `known_differences.json`. It covers a difference if all of its conditions hold and
 * only parts among its aspects differ.
 */
export type KnownDifference = Readonly<z.infer<typeof schema>>;

/**
 * Reads the text of `known_differences.json`, a JSON array of {@linkcode KnownDifference}, with
 * regular expressions as strings.
 *
 * @throws {SyntaxError} The text is not JSON, an entry lacks a field or has an unknown one, a
 * regular expression is wrong, or an id occurs twice.
 */
export function readKnown(text: string): KnownDifference[] {
  const { data, error } = z.array(schema).safeParse(JSON.parse(text));
  if (data === undefined) {
    throw new SyntaxError(`The known differences are not valid: ${z.prettifyError(error)}`);
  }
  const ids = data.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) {
    throw new SyntaxError(`The known differences have two entries with the id ${twice}`);
  }
  return data;
}

/** Reads the list of known differences that the fuzzer uses. */
export async function readKnownFile(): Promise<KnownDifference[]> {
  return readKnown(
    await Deno.readTextFile(new URL("known_differences.json", import.meta.url)),
  );
}

/** The entry that covers a difference. */
export function findKnown(
  known: readonly KnownDifference[],
  test: FuzzCase,
  aspects: readonly Aspect[],
  ours: FuzzOutcome,
  gnu: FuzzOutcome,
): KnownDifference | undefined {
  const words = argumentsOf(test);
  const line = words.join(" ");
  const inputs = [test.stdin, ...Object.values(test.files)];
  const decoder = new TextDecoder();
  return known.find((entry) =>
    (entry.commands.includes("*") || entry.commands.includes(test.command)) &&
    aspects.every((aspect) => entry.aspects.includes(aspect)) &&
    (entry.word === undefined || words.some((word) => entry.word?.test(word))) &&
    (entry.line === undefined || entry.line.test(line)) &&
    (entry.ours === undefined || entry.ours.test(ours.stderr)) &&
    (entry.gnu === undefined || entry.gnu.test(gnu.stderr)) &&
    (entry.input === undefined || inputs.some((data) => entry.input?.test(latin1(data)))) &&
    (entry.anywhere === undefined || entry.anywhere.test(line) ||
      inputs.some((data) => entry.anywhere?.test(decoder.decode(data)))) &&
    (entry.output === undefined ||
      [gnu.stdout, ...Object.values(gnu.files)].some((data) => entry.output?.test(latin1(data))))
  );
}
