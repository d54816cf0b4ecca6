import { type Builtin, loadBuiltin } from "../../builtins/mod.ts";
import { nameCommand, splitCommandLine } from "../command/mod.ts";
import { type Opened, probe } from "./probe.ts";
import { type OperandFiles, refusal } from "./stage_files.ts";

/** Options that come first: patch prints its result, as it cannot write files here. */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  patch: ["--output=-", "--reject-file=-"],
};

/** One checked command of a `cmd`. */
export interface CheckedCommand {
  name: string;
  args: readonly string[];
  builtin: Builtin;
  /** True if it reads its standard input, as far as is known before it runs. */
  readsInput: boolean;
  /** The descriptors that it opens as files, as far as they are known before it runs. */
  opens: readonly Opened[];
  /** True if a failure counts as success. */
  mayFail?: boolean;
  /** Warnings for standard error before it begins. */
  notes?: readonly string[];
}

/**
 * Parses a `cmd` into commands and checks them, so that a wrong name, option or pattern is reported
 * before any data flows. Throws an error whose message is written for the model.
 */
export async function parseCommand(
  cmd: string,
  context: { readonly signal: AbortSignal; readonly operands: OperandFiles },
): Promise<CheckedCommand[]> {
  const line = splitCommandLine(cmd);
  const commands: Omit<CheckedCommand, "readsInput" | "opens">[] = [];
  for (const { name, args, notes } of line.commands.map(nameCommand)) {
    commands.push({
      name,
      args: [...DEFAULTS[name] ?? [], ...args],
      builtin: await loadBuiltin(name),
      mayFail: line.mayFail,
      notes,
    });
  }
  const { signal, operands } = context;
  const checked: CheckedCommand[] = [];
  for (const command of commands) {
    const { name, args, builtin } = command;
    const options = { signal, find: (path: string) => operands.find(path) };
    const { problem, refused, ...known } = await probe(builtin, args, options);
    if (refused !== undefined) throw new RangeError(refusal(name, refused.path, refused.why));
    if (problem !== undefined) throw new RangeError(problem || `${name}: invalid arguments`);
    checked.push({ ...command, ...known });
  }
  return checked;
}
