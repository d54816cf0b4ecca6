import type { CoderLimits } from "../../coder/mod.ts";
import type { OptionValues } from "../../command_line/mod.ts";
import type { OpenCoderOptions } from "../coder/mod.ts";
import type { CODER_OPTIONS, LIMIT_OPTIONS } from "./options.ts";

/** What the command line says of how the coding agent works. */
export function coderArguments(
  options: OptionValues<typeof CODER_OPTIONS>,
): Pick<
  OpenCoderOptions,
  "sandbox" | "allow" | "network" | "calls" | "yes" | "baseUrl" | "model"
> {
  const { sandbox, "allow-dir": allow, ask: calls, yes, "base-url": baseUrl, model } = options;
  return { sandbox, allow, network: !options["no-network"], calls, yes, baseUrl, model };
}

/** The limits that the command line sets. */
export function limitArguments(options: OptionValues<typeof LIMIT_OPTIONS>): Partial<CoderLimits> {
  const limits = {
    apiCalls: options["max-calls"],
    tokens: options["max-tokens"],
    contextTokens: options.context,
    bashSeconds: options["bash-timeout"],
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
