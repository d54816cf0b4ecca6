import type { DriverRequest } from "./driver.ts";

/**
 * Returns the words of an option, or none if the entry's `args` set it already in one of its
 * spellings: the entry overrides the driver.
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

/** The option that starts or resumes a session with an id chosen by the gateway. */
export function sessionOption(session: DriverRequest["session"]): readonly string[] {
  if (session === undefined || session === "new") return [];
  return [session.resume ? "--resume" : "--session-id", session.id];
}
