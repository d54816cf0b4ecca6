import { messageOf } from "../base/mod.ts";
import type { ErrorBody } from "../llm/mod.ts";
import { DEFAULT_RESPONSE, makeAnswer } from "./_answer.ts";
import {
  answerScript,
  errorScript,
  type HttpScript,
  jsonScript,
  replacingScript,
} from "./_http_script.ts";
import { Attempts, describeMissing, selectStep } from "./_select.ts";
import { hideHeaders, type JournalEntry, type JournalLimits, RequestJournal } from "./journal.ts";
import type { Fault, ScenarioFile } from "./scenario.ts";
import { type MockAnswer, type MockRequest, MockRequestError, type WireApi } from "./wire_api.ts";

/** Limits of a mock. */
export interface MockLimits extends JournalLimits {
  /** Most bytes of a request body; the server enforces it. Default 16 MiB. */
  bodyBytes: number;
  /** Most milliseconds that a request body may take; the server enforces it. Default 60,000. */
  bodyTime: number;
}

/** The default limits. */
export const defaultMockLimits: MockLimits = {
  bodyBytes: 16 * 1024 * 1024,
  bodyTime: 60_000,
  journalEntries: 1000,
  journalCharacters: 16 * 1024 * 1024,
};

/** Options of a {@linkcode Mock}. */
export interface MockOptions {
  /** The answers; see {@linkcode parseScenarios}. */
  scenarios: ScenarioFile;
  /**
   * Refuses with status 400 what matches no scenario, goes past its last step, or has messages in
   * an order that a real endpoint refuses. Default: the default response.
   */
  strict?: boolean;
  /** Limits that differ from {@linkcode defaultMockLimits}. */
  limits?: Partial<MockLimits>;
}

/** The mock's decision: an answer with the fault that changes or replaces it, or an error. */
export interface MockReply {
  /** Its origin. */
  kind: JournalEntry["kind"];
  /** The scenario that matched. */
  scenario?: string;
  /** Index of the step, counted from 0; past the last one when no step was left. */
  step?: number;
  /** For a step with a limited number of faults: which request to this step it was, from 1. */
  attempt?: number;
  /** The answer; absent for an error. */
  answer?: MockAnswer;
  /** The fault of the answer. */
  fault?: Fault;
  /** The error for a refused request, with status 400. */
  error?: ErrorBody["error"];
  /** The number of tokens of a request that asks for nothing else. */
  tokens?: number;
}

/** An HTTP request, decoded. */
export interface MockHttpRequest {
  /** The path, without the query. */
  path: string;
  /** The query, without `?`. It is not written into the journal, as it may hold a key. */
  query?: string;
  /** Names in lower case. */
  headers: Iterable<readonly [string, string]>;
  /** The text of the body. */
  body: string;
}

/** A response to play, and what to call when it has ended. */
export interface PlayedScript extends HttpScript {
  /** Notes in the journal how the response ended. */
  ended(how: NonNullable<JournalEntry["end"]>): void;
}

/**
 * A model that answers from a script. It keeps nothing between requests but its journal and the
 * counts for faults that are limited in number: the step is found from the messages alone.
 *
 * @example
 * ```ts
 * import { chatApi, Mock, parseScenarios } from "@llmcmd/llmcmd/mock";
 *
 * const mock = new Mock({
 *   scenarios: parseScenarios({
 *     scenarios: [{ name: "hi", trigger: "hello", steps: [{ response: { content: "Hi!" } }] }],
 *   }, "scenarios.json"),
 * });
 * const request = chatApi.parse({ messages: [{ role: "user", content: "Say hello" }] });
 * if (mock.respond(request).answer?.content !== "Hi!") throw new Error("unexpected");
 * ```
 */
export class Mock {
  /** The requests that the mock received. */
  readonly journal: RequestJournal;
  /** The limits that hold. */
  readonly limits: MockLimits;
  readonly #file: ScenarioFile;
  readonly #strict: boolean;
  readonly #attempts: Attempts = new Attempts();

  /** Makes a mock. The scenarios must not be changed afterwards. */
  constructor(options: MockOptions) {
    this.#file = options.scenarios;
    this.#strict = options.strict ?? false;
    this.limits = { ...defaultMockLimits, ...options.limits };
    this.journal = new RequestJournal(this.limits);
  }

  /** The models that it reports: `mock-model` and those named in scenarios. */
  get models(): string[] {
    const asked = this.#file.scenarios.flatMap(({ match, steps }) =>
      [match, ...steps.map((step) => step.match)].flatMap((it) => it?.model ?? [])
    );
    return [...new Set(["mock-model", ...asked])];
  }

  /** Decides what to answer. Does not write the journal. */
  respond(request: MockRequest): MockReply {
    if (request.countOnly === true) {
      return { kind: "count", tokens: Math.ceil(request.characters / 4) };
    }
    if (this.#strict && request.disorder !== undefined) {
      return {
        kind: "error",
        error: invalidRequest(request.disorder, request.api === "responses" ? "input" : "messages"),
      };
    }
    const found = selectStep(this.#file.scenarios, request);
    const origin = found === undefined ? {} : { scenario: found.scenario.name, step: found.index };
    if (found?.step === undefined) {
      if (this.#strict) {
        const message = found === undefined
          ? describeMissing(this.#file.scenarios, request) ??
            this.#describeMismatch(request.userText)
          : `Scenario '${found.scenario.name}' has no step ${found.index + 1}; ` +
            `its last is ${found.scenario.steps.length}`;
        return { ...origin, kind: "error", error: invalidRequest(message, null, "no_scenario") };
      }
      const answer = makeAnswer(request, this.#file.default_response ?? DEFAULT_RESPONSE);
      return { ...origin, kind: "default", answer };
    }
    const { step } = found;
    const answer = makeAnswer(request, step.response ?? {});
    const attempt = this.#attempts.next(step);
    const kind = attempt.fault === undefined ? "answer" : "fault";
    return { ...origin, ...attempt, kind, answer };
  }

  /**
   * Answers an HTTP request of a wire API: reads the body, decides, writes the journal and gives
   * the response to play. Never throws for what a client sends.
   */
  serve(api: WireApi, { path, query = "", headers, body }: MockHttpRequest): PlayedScript {
    let decoded: unknown = body;
    let stream = false;
    let reply: MockReply;
    let script: HttpScript;
    try {
      decoded = decode(body);
      const request = api.parse(decoded, { path, query });
      stream = request.stream;
      reply = this.respond(request);
      script = toScript(api, request, reply);
    } catch (error) {
      if (!(error instanceof MockRequestError)) throw error;
      const refusal = invalidRequest(error.message, error.param, error.code);
      reply = { kind: "error", error: refusal };
      script = errorScript(api, 400, refusal);
    }
    const { answer: _answer, error: _error, tokens: _tokens, fault, ...origin } = reply;
    const entry = this.journal.add({
      time: new Date().toISOString(),
      path,
      headers: hideHeaders(headers),
      body: decoded,
      ...origin,
      ...(fault === undefined ? {} : { fault: Object.keys(fault) }),
      status: script.status,
      stream,
    }, body.length);
    return { ...script, ended: (how) => void (entry.end ??= how) };
  }

  #describeMismatch(text: string): string {
    const triggers = this.#file.scenarios.map(({ name, trigger, match }) => {
      if (trigger !== undefined) return JSON.stringify(trigger);
      return match?.regex === undefined ? `(${name})` : `/${match.regex}/${match.flags ?? ""}`;
    });
    const more = triggers.length > 30 ? `, and ${triggers.length - 30} more` : "";
    return `No scenario matches ${JSON.stringify([...text.slice(0, 200)].slice(0, 80).join(""))} ` +
      `(triggers: ${triggers.slice(0, 30).join(", ") || "none"}${more})`;
  }
}

function toScript(api: WireApi, request: MockRequest, reply: MockReply): HttpScript {
  const { answer, fault, error, tokens } = reply;
  if (tokens !== undefined && api.tokens !== undefined) return jsonScript(api.tokens(tokens));
  if (answer === undefined) return errorScript(api, 400, error ?? invalidRequest("Refused"));
  return (fault && replacingScript(api, fault)) ?? answerScript(api, request, answer, fault);
}

function decode(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    const reason = messageOf(error);
    throw new MockRequestError(`The request body is not JSON: ${reason}`, null, "invalid_json");
  }
}

function invalidRequest(
  message: string,
  param: string | null = null,
  code: string | null = null,
): ErrorBody["error"] {
  return { message, type: "invalid_request_error", code, param };
}
