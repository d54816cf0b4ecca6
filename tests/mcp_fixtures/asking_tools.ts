import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { type FixtureTool, text } from "./fixture_tool.ts";

type FormSchema = ElicitRequestFormParams["requestedSchema"];

const ANSWER: FormSchema = {
  type: "object",
  properties: {
    username: { type: "string", description: "User's response" },
    email: { type: "string", description: "User's email address" },
  },
  required: ["username", "email"],
};

const DEFAULTS: FormSchema = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  required: [],
};

const titles = (noun: string) =>
  ["First", "Second", "Third"].map((ordinal, index) => ({
    const: `value${index + 1}`,
    title: `${ordinal} ${noun}`,
  }));
const OPTIONS = ["option1", "option2", "option3"];

const CHOICES: FormSchema = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: OPTIONS },
    titledSingle: { type: "string", oneOf: titles("Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
    titledMulti: { type: "array", items: { anyOf: titles("Choice") } },
  },
  required: [],
};

/** A tool that sends the user a form during the call. */
function formTool(name: string, requestedSchema: FormSchema): FixtureTool {
  return {
    name,
    description: "Asks the user",
    async call({ message }, { mcpReq }) {
      const answer = await mcpReq.elicitInput({
        message: typeof message === "string" ? message : "Please fill in the form",
        requestedSchema,
      });
      return text(`User response: ${JSON.stringify(answer)}`);
    },
  };
}

/** The suite's tools that send the client requests or logs, as in revisions before 2026-07-28. */
export const ASKING_TOOLS: readonly FixtureTool[] = [
  {
    name: "test_sampling",
    description: "Asks the client's model",
    inputSchema: {
      type: "object",
      properties: { prompt: { type: "string" } },
      required: ["prompt"],
    },
    async call({ prompt }, { mcpReq }) {
      const { content } = await mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: String(prompt) } }],
        maxTokens: 100,
      });
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  {
    ...formTool("test_elicitation", ANSWER),
    inputSchema: {
      type: "object",
      properties: { message: { type: "string" } },
      required: ["message"],
    },
  },
  formTool("test_elicitation_sep1034_defaults", DEFAULTS),
  formTool("test_elicitation_sep1330_enums", CHOICES),
  {
    name: "test_tool_with_logging",
    description: "Logs while it runs",
    async call(_input, { mcpReq }) {
      for (const line of ["started", "processing data", "completed"]) {
        await mcpReq.log("info", `Tool ${line}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return text("Done");
    },
  },
  {
    name: "test_logging_tool",
    description: "Logs if the request asks for logs",
    async call(_input, { mcpReq }) {
      await mcpReq.log("info", "The tool runs");
      return text("Done");
    },
  },
];
