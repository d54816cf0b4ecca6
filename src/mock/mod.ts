/**
 * A mock LLM: answers requests of a wire API from scenario files, with faults on demand. It tests
 * agents and their clients without a key, costs or chance.
 *
 * It decides what to send and when, as plain data, and so runs on any runtime. It opens no sockets
 * and sets no timers (`web` does), reads no files, and knows nothing of agents or tools.
 *
 * @module
 */
export type {
  Fault,
  Scenario,
  ScenarioFile,
  ScenarioMatch,
  ScenarioResponse,
  ScenarioStep,
  ScenarioToolCall,
  ScenarioToolChoice,
  ScenarioUsage,
} from "./scenario.ts";
export { mergeScenarios, parseScenarios, parseScenarioText } from "./parse_scenarios.ts";
export {
  defaultMockLimits,
  Mock,
  type MockHttpRequest,
  type MockLimits,
  type MockOptions,
  type MockReply,
  type PlayedScript,
} from "./mock.ts";
export {
  type EncodeOptions,
  type MockAnswer,
  type MockCall,
  type MockError,
  type MockRequest,
  MockRequestError,
  type WireApi,
  type WireApiName,
  wireApiNames,
  type WireEvent,
  type WireTarget,
} from "./wire_api.ts";
export { chatApi } from "./chat.ts";
export { responsesApi } from "./responses.ts";
export { messagesApi } from "./messages.ts";
export { geminiApi } from "./gemini.ts";
export { wireApiAt, wireApis } from "./wire_apis.ts";
export { type JournalEntry, type JournalLimits, RequestJournal } from "./journal.ts";
export type { BodyPiece, HttpScript } from "./_http_script.ts";
