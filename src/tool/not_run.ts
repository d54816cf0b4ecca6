import type { CutContext, ToolResult } from "./tool.ts";

/** The result of a call that was cut at the token limit, where nothing of it can be done. */
export function notRun({ maxTokens }: Pick<CutContext, "maxTokens">): ToolResult {
  const limit = maxTokens === undefined ? "the token limit" : `${maxTokens} tokens`;
  return {
    content: `Not run: your answer was cut at ${limit}, in the middle of this call. ` +
      "Make the call again with less in it, or in several calls",
    error: true,
  };
}
