import { argumentsOf, type FuzzCase, type FuzzOutcome, latin1 } from "./case.ts";

/** What of an outcome can differ. */
export type Aspect = "status" | "stdout" | "stderr" | "files" | "hang";

/** An entry of KNOWN_DIFFERENCES.md. All conditions that it gives must hold. */
export interface KnownDifference {
  /** Names the entry. */
  readonly id: string;
  /** The commands it is about; `*` for all. */
  readonly commands: readonly string[];
  /** What may differ. */
  readonly aspects: readonly Aspect[];
  /** Matches one of the words after the command's name. */
  readonly word?: RegExp;
  /** Matches all words, joined by spaces. */
  readonly line?: RegExp;
  /** Matches standard input or a file, each byte a character. */
  readonly input?: RegExp;
  /** Matches all words, joined by spaces, or standard input, or a file; in UTF-8. */
  readonly anywhere?: RegExp;
  /** Matches GNU's standard output, or a file that it has left, each byte a character. */
  readonly output?: RegExp;
  /** Matches our standard error. */
  readonly ours?: RegExp;
  /** Matches GNU's standard error. */
  readonly gnu?: RegExp;
  readonly reason: string;
}

const CONDITIONS = ["word", "line", "input", "anywhere", "output", "ours", "gnu"];

/** Reads the entries: a heading `### id`, a block of JSON, and the reason below it. */
export function readKnown(markdown: string): KnownDifference[] {
  const entries: KnownDifference[] = [];
  const form = /^### (\S+)\n+```json\n([\s\S]*?)\n```\n+([\s\S]*?)(?=^#|$(?![\s\S]))/gm;
  for (const [, id = "", json = "", reason = ""] of markdown.matchAll(form)) {
    const { commands, aspects, ...rest } = JSON.parse(json);
    if (!Array.isArray(commands) || !Array.isArray(aspects) || reason.trim() === "") {
      throw new SyntaxError(`Entry ${id} needs commands, aspects and a reason`);
    }
    const conditions: Record<string, RegExp> = {};
    for (const [name, source] of Object.entries(rest)) {
      if (!CONDITIONS.includes(name) || typeof source !== "string") {
        throw new SyntaxError(`Entry ${id}: ${name} is no condition`);
      }
      conditions[name] = new RegExp(source, "s");
    }
    entries.push({ id, commands, aspects, ...conditions, reason: reason.trim() });
  }
  const headings = markdown.match(/^### /gm)?.length ?? 0;
  if (headings !== entries.length) {
    throw new SyntaxError(`${headings} entries stand in the list, ${entries.length} have its form`);
  }
  return entries;
}

/** The entry that a difference falls under. */
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
