import type { SandboxMode } from "../terminal/mod.ts";
import { UsageError } from "./usage.ts";

/** What a command line says of how the coding agent works: the options of `CODER_OPTIONS`. */
export interface CoderArguments {
  sandbox: SandboxMode;
  allow: string[];
  model?: string;
}

/** What counts where the command line says nothing. */
export function usualCoderArguments(): CoderArguments {
  return { sandbox: "auto", allow: [] };
}

/**
 * Takes the argument of an option.
 *
 * @throws {UsageError} There is no such sandbox.
 */
export function takeCoderArgument(
  into: CoderArguments,
  option: "sandbox" | "allow-dir" | "model",
  value: string,
): void {
  if (option === "sandbox") into.sandbox = parseSandbox(value);
  else if (option === "model") into.model = value;
  else into.allow.push(value);
}

function parseSandbox(text: string): SandboxMode {
  if (text === "auto" || text === "bwrap" || text === "none") return text;
  throw new UsageError(`no sandbox '${text}': give auto, bwrap or none`);
}
