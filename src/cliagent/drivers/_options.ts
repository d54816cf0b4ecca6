import type { DriverRequest } from "./driver.ts";

/**
 * The words of an option, or none where the entry's `args` have it already in one of its spellings:
 * then theirs counts.
 */
function unlessGiven(
  args: readonly string[],
  spellings: readonly string[],
  ...words: readonly string[]
): readonly string[] {
  const given = args.some((arg) =>
    spellings.some((name) =>
      arg === name || arg.startsWith(`${name}=`) ||
      (/^-\w$/.test(name) && arg.startsWith(name) && !arg.startsWith("--"))
    )
  );
  return given ? [] : words;
}

/** {@linkcode unlessGiven} for the `args` of one entry. */
export function optionsOf(args: readonly string[]): (
  spellings: readonly string[],
  ...words: readonly string[]
) => readonly string[] {
  return (spellings, ...words) => unlessGiven(args, spellings, ...words);
}

/** Begins or resumes a session under an id of ours. */
export function sessionOption(session: DriverRequest["session"]): readonly string[] {
  if (session === undefined || session === "new") return [];
  return [session.resume ? "--resume" : "--session-id", session.id];
}
