import { UsageError } from "../../command_line/mod.ts";
import { isSameFile, isStandardOutput, terminals } from "../../sys/mod.ts";
import type { RunArguments } from "./arguments.ts";
import type { OpenInputs } from "./open_inputs.ts";

/**
 * Refuses a file of `--events` that the run also reads or writes: it would be emptied before it is
 * read, or overwritten by the output.
 *
 * @throws {UsageError}
 */
export function requireOwnEvents({ events, inputs, output, instructions }: RunArguments): void {
  if (events === undefined || events === "-") return;
  if (filesRead({ inputs, instructions }).some((name) => isSameFile(events, name))) {
    throw new UsageError(`--events would overwrite the input '${events}': give another file`);
  }
  if (output !== undefined && isSameFile(events, output)) {
    throw new UsageError(`--events and -o name the same file '${events}': give another one`);
  }
  if (output === undefined && isStandardOutput(events)) {
    throw new UsageError(`--events would overwrite the output, which goes to '${events}', too`);
  }
}

/** The files of a run that its partial output must not replace. */
export function keptFiles(args: RunArguments): string[] {
  const { events } = args;
  return [...filesRead(args), ...(events === undefined || events === "-" ? [] : [events])];
}

function filesRead({ inputs, instructions }: Pick<RunArguments, "inputs" | "instructions">) {
  const all = ["file" in instructions ? instructions.file : "-", ...inputs];
  return all.filter((name) => name !== "-");
}

/**
 * Refuses `llmcmd ... a.csv > a.csv`, where the shell has already emptied the input: any result
 * would look like a success. Compares standard output only with an empty input, as that takes 20
 * ms.
 *
 * @throws {UsageError}
 */
export function requireKeptInputs(
  { fds, terminal, instructionsFromInput }: OpenInputs,
  files: readonly string[],
): void {
  if (terminals().stdout) return;
  const isEmpty = (fd: number) => fds.get(fd).source?.at?.size === 0;
  for (const [index, name] of files.entries()) {
    if (name !== "-" && isEmpty(index + 3) && isStandardOutput(name)) {
      throw new UsageError(`'${name}' ${EMPTIED}: with -o '${name}' it is replaced at the end`);
    }
  }
  // Without other inputs, standard input may be the emptied file.
  const only = files.every((name) => name === "-");
  if (only && !terminal && !instructionsFromInput && isEmpty(0) && isStandardOutput(0)) {
    throw new UsageError(`standard input ${EMPTIED}: with -o FILE it is replaced at the end`);
  }
}

const EMPTIED = "is the output, too, so the shell has emptied it before it could be read";
