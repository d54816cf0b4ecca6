import * as z from "zod";
import { defineTool, Registry, type Tool } from "../../src/tool/mod.ts";

const nothing = z.strictObject({});

/** A schema that zod does not generate; it must reach `tools/list` unchanged. */
const JSON_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

function jsonSchemaTool(): Tool {
  const name = "json_schema_2020_12_tool";
  const description = "Has a schema of many keywords";
  const input = z.looseObject({});
  const tool = defineTool({ name, description, input, execute: () => "Done" });
  return { ...tool, spec: { name, description, parameters: JSON_SCHEMA } };
}

/** The suite's tools that our own kind of tool can express. */
export function textTools(): Registry {
  return new Registry([
    defineTool({
      name: "test_simple_text",
      description: "Returns text",
      input: nothing,
      execute: () => "This is a simple text response for testing.",
    }),
    defineTool({
      name: "test_streaming_elicitation",
      description: "Returns text without any request to the client",
      input: nothing,
      execute: () => "Done",
    }),
    defineTool({
      name: "test_error_handling",
      description: "Fails",
      input: nothing,
      execute: () => {
        throw new Error("This tool intentionally returns an error for testing");
      },
    }),
    defineTool({
      name: "test_tool_with_progress",
      description: "Reports its progress",
      input: nothing,
      async execute(_input, { progress }) {
        for (const step of [0, 50, 100]) {
          progress?.({ progress: step, total: 100, message: `Completed step ${step} of 100` });
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return "Done";
      },
    }),
    jsonSchemaTool(),
  ]);
}
