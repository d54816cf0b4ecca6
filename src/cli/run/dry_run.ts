import { completionsUrl } from "../../llm/mod.ts";
import { firstRequest, type LlmcmdOptions } from "../../llmcmd/mod.ts";
import type { RunSettings } from "../endpoint/mod.ts";

/** The output of `--dry-run`: the body of the first request, and its target. */
export function describeFirstRequest(
  options: LlmcmdOptions,
  { baseUrl }: RunSettings,
): { body: string; target: string } {
  return {
    body: `${JSON.stringify(firstRequest(options), null, 2)}\n`,
    target: `POST ${completionsUrl(baseUrl).href}`,
  };
}
