import {
  acceptedContent,
  type ContentBlock,
  type GetPromptResult,
  inputRequired,
  type McpServer,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { IMAGE } from "./media.ts";

/** A prompt in the user's role. */
function said(...contents: ContentBlock[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: "user", content })) };
}

const text = (value: string) => ({ type: "text", text: value } as const);

/** Registers the suite's prompts, and completion for them. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    "test_simple_prompt",
    { description: "Takes nothing" },
    () => said(text("This is a simple prompt for testing.")),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "Takes two arguments",
      argsSchema: z.object({ arg1: z.string(), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Has a resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => {
      const resource = {
        uri: resourceUri,
        mimeType: "text/plain",
        text: "Embedded resource content for testing.",
      };
      const request = text("Please process the embedded resource above.");
      return said({ type: "resource", resource }, request);
    },
  );
  server.registerPrompt(
    "test_prompt_with_image",
    { description: "Has a picture" },
    () => said({ type: "image", ...IMAGE }, text("Please analyze the image above.")),
  );
  const context = z.object({ context: z.string() });
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks for its context", argsSchema: z.object({}) },
    (_input, { mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, "user_context", context);
      if (given !== undefined) return said(text(`Use the following context: ${given.context}`));
      const message = "What context should the prompt use?";
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({ message, requestedSchema: context }),
        },
      });
    },
  );
  server.server.registerCapabilities({ completions: {} });
  server.server.setRequestHandler("completion/complete", () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}
