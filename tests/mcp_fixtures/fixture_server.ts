/**
 * The server that the conformance suite needs: ours, with tools, resources and prompts that only
 * the suite uses.
 */
import { InMemoryServerEventBus, type McpServer } from "@modelcontextprotocol/server";
import { handlerForFactory, type McpHandler } from "../../src/mcp/mcp_handler.ts";
import { type McpAbout, mcpFactory } from "../../src/mcp/mcp_server.ts";
import { toolRequests } from "../../src/mcp/tool_requests.ts";
import { ASKING_TOOLS } from "./asking_tools.ts";
import { CONTENT_TOOLS } from "./content_tools.ts";
import { entryOf, type FixtureTool, text } from "./fixture_tool.ts";
import { INPUT_REQUIRED_TOOLS } from "./input_required_tools.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources.ts";
import { textTools } from "./text_tools.ts";

/** Makes the handler of the suite's server. */
export async function fixtureHandler(
  about: McpAbout,
  onError: (error: Error) => void,
): Promise<McpHandler> {
  const bus = new InMemoryServerEventBus(onError);
  const tools = textTools();
  const ours = await toolRequests(tools);
  const make = await mcpFactory(tools, about);
  const fixtures = new Map(
    [...CONTENT_TOOLS, ...ASKING_TOOLS, ...INPUT_REQUIRED_TOOLS, ...changeTools(bus)]
      .map((tool) => [tool.name, tool]),
  );
  const factory = (): McpServer => {
    const server = make();
    server.server.registerCapabilities({ logging: {}, tools: { listChanged: true } });
    server.server.setRequestHandler("tools/list", () => ({
      tools: [...ours.list().tools, ...[...fixtures.values()].map(entryOf)],
    }));
    server.server.setRequestHandler("tools/call", async (request, context) => {
      const { name, arguments: input = {} } = request.params;
      const fixture = fixtures.get(name);
      return await (fixture?.call(input, context) ?? ours.call(request, context));
    });
    registerResources(server);
    registerPrompts(server);
    return server;
  };
  return await handlerForFactory(factory, { onError, bus });
}

/** Tools that notify subscribers of a change. */
function changeTools(bus: InMemoryServerEventBus): FixtureTool[] {
  return (["tool", "prompt"] as const).map((what) => ({
    name: `test_trigger_${what}_change`,
    description: `Tells that the ${what}s have changed`,
    call() {
      bus.publish({ kind: `${what}s_list_changed` });
      return text("Done");
    },
  }));
}
