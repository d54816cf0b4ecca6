import { parseScenarios } from "../../mock/mod.ts";
import { send } from "../http/_testing.ts";
import type { FetchApp } from "../http/mod.ts";
import { type MockApp, mockApp, type MockAppOptions } from "./mock_app.ts";

/** A mock app that answers from these scenarios, given as JSON values. */
export function appOf(
  scenarios: unknown[],
  options: Omit<MockAppOptions, "scenarios"> = {},
): MockApp {
  return mockApp({ scenarios: parseScenarios({ scenarios }, "test.json"), ...options });
}

/** One scenario with the trigger `go` and one step. */
export function go(step: unknown): unknown {
  return { name: "go", trigger: "go", steps: [step] };
}

/** The body of a chat request whose user says `text`. */
export function chatBody(text: string, fields: Record<string, unknown> = {}): string {
  return JSON.stringify({ model: "m", messages: [{ role: "user", content: text }], ...fields });
}

/** Posts a chat request to an app without a socket. */
export function post(
  app: FetchApp,
  body: string,
  path = "/v1/chat/completions",
  init: RequestInit = {},
): Promise<Response> {
  return send(app, path, { method: "POST", body, ...init });
}
