import { type ChatClient, openaiClient, type OpenAIClientOptions } from "../llm/mod.ts";
import {
  type Mock,
  type MockOptions,
  parseScenarios,
  type Scenario,
  type ScenarioFile,
} from "../mock/mod.ts";
import { mockApp } from "../web/mock/mod.ts";

/** Options of {@linkcode mockClient}. */
export interface MockClientOptions extends Omit<MockOptions, "scenarios"> {
  /** Limits of the client, its retries and its clock: see `openaiClient()`. */
  client?: Omit<OpenAIClientOptions, "apiKey" | "baseUrl" | "fetch">;
}

/** A client that asks a mock LLM. */
export interface MockClient extends ChatClient {
  /** The mock that answers. Its journal has the requests. */
  readonly mock: Mock;
}

/**
 * A client whose model is a script: the mock LLM and the client of the library, joined without a
 * socket. Requests and answers take the whole way through HTTP, so that faults of a scenario (error
 * statuses, cuts, pauses) have the effect that they would have on a real connection.
 *
 * Requests that match no scenario get the mock's default answer, or with `strict` the status 400.
 *
 * @param scenarios A scenario file, or the list in one. The first scenario that matches a request
 * answers it.
 *
 * @throws {TypeError} A scenario is not valid; the message names the place.
 *
 * @example A test of a program that has a tool
 * ```ts
 * import { defineTool, follow, Registry, runAgent } from "@llmcmd/llmcmd/agent";
 * import { mockClient } from "@llmcmd/llmcmd/testing";
 * import assert from "node:assert/strict";
 * import { z } from "zod";
 *
 * const client = mockClient([{
 *   name: "dice",
 *   trigger: "Roll",
 *   steps: [
 *     { response: { tool_calls: [{ function: { name: "roll", arguments: { sides: 6 } } }] } },
 *     { match: { tool_result_contains: "4" }, response: { content: "A four" } },
 *   ],
 * }], { strict: true });
 * const roll = defineTool({
 *   name: "roll",
 *   description: "Rolls dice",
 *   input: z.strictObject({ sides: z.int() }),
 *   execute: ({ sides }) => `${sides - 2}`,
 * });
 * const result = await follow(runAgent({
 *   client,
 *   model: "mock",
 *   tools: new Registry([roll]),
 *   messages: [{ role: "user", content: "Roll the dice" }],
 * }));
 * assert.equal(result.text, "A four");
 * assert.equal(client.mock.journal.total, 2);
 * ```
 */
export function mockClient(
  scenarios: ScenarioFile | readonly Scenario[],
  { client: clientOptions, ...options }: MockClientOptions = {},
): MockClient {
  const file = "scenarios" in scenarios ? scenarios : { scenarios };
  const app = mockApp({ ...options, scenarios: parseScenarios(file, "mockClient") });
  const client = openaiClient({
    ...clientOptions,
    apiKey: "none",
    baseUrl: "http://localhost/v1",
    fetch: async (input, init) => await app.fetch(new Request(input, init)),
  });
  return { mock: app.mock, stream: (request, options) => client.stream(request, options) };
}
