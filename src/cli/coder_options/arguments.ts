import type { CoderLimits } from "../../coder/mod.ts";
import type { OptionValues } from "../../command_line/mod.ts";
import type { OpenCoderOptions } from "../coder/mod.ts";
import type { CODER_OPTIONS, LIMIT_OPTIONS } from "./options.ts";

/** The coding agent's options from the command line. */
export function coderArguments(
  options: OptionValues<typeof CODER_OPTIONS>,
): Pick<
  OpenCoderOptions,
  "sandbox" | "allow" | "network" | "calls" | "yes" | "baseUrl" | "model"
> {
  const { sandbox, "allow-dir": allow, ask: calls, yes, "base-url": baseUrl, model } = options;
  return { sandbox, allow, network: !options["no-network"], calls, yes, baseUrl, model };
}

/** The limits from the command line. */
export function limitArguments(options: OptionValues<typeof LIMIT_OPTIONS>): Partial<CoderLimits> {
  const limits = {
    apiCalls: options["max-calls"],
    tokens: options["max-tokens"],
    contextTokens: options.context,
    bashSeconds: options["bash-timeout"],
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
