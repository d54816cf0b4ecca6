import assert from "node:assert/strict";
import spec from "../../../scenarios/spec.json" with { type: "json" };
import type { AgentEvent, AgentRun } from "../../agent/mod.ts";
import { type CommandRunner, run } from "../../coder/mod.ts";
import { type Message, openaiClient } from "../../llm/mod.ts";
import { parseScenarios, type ScenarioFile } from "../../mock/mod.ts";
import { memorySessionStore } from "../../store/mod.ts";
import { memoryVfs, type Vfs } from "../../vfs/mod.ts";
import type { FetchApp } from "../http/mod.ts";
import { mockApp } from "../mock/mod.ts";
import { type ChatApp, chatApp, type ChatAppOptions, type TurnStart } from "./mod.ts";

/** An event as a client reads it. */
export interface SeenEvent {
  event: string;
  id: number;
  // deno-lint-ignore no-explicit-any -- what tests look at
  data: any;
}

/** The scenarios of scenarios/spec.json. */
export const SPEC: ScenarioFile = parseScenarios(spec, "spec.json");

/** Runs nothing and reports success. */
export const ECHO: CommandRunner = {
  run: (command) =>
    Promise.resolve({
      text: `ran ${command}\n`,
      truncated: undefined,
      exitCode: 0,
      signal: null,
      timedOut: false,
      aborted: false,
      background: undefined,
      survivors: 0,
      sandbox: { kind: "none", reason: "a test" },
      duration: 1,
    }),
};

/** A chat whose agent uses the mock LLM, works on files in memory and runs no commands. */
export function coderChat(
  options: Partial<ChatAppOptions> & {
    scenarios?: ScenarioFile;
    vfs?: Vfs;
    runner?: CommandRunner;
  } = {},
): ChatApp {
  const { scenarios = SPEC, vfs = memoryVfs({ root: "/work" }), runner = ECHO } = options;
  const mock = mockApp({ scenarios });
  const client = openaiClient({
    apiKey: "sk-secret",
    baseUrl: "http://mock/v1",
    fetch: async (url, init) => await mock.fetch(new Request(url, init)),
  });
  return chatApp({
    store: memorySessionStore(),
    about: { root: "/work", model: "mock" },
    startTurn: ({ message, messages, log, signal, onOutput }) =>
      run({ input: message, messages, log, signal, onOutput, client, model: "mock", vfs, runner }),
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}

/** A chat whose turns are played by the test. */
export class PlayedTurns {
  readonly turns: PlayedTurn[] = [];
  readonly start = (turn: TurnStart): AgentRun<{ messages: Message[] }> => {
    const played = new PlayedTurn(turn);
    this.turns.push(played);
    return played.run;
  };
}

/** A turn that a test plays. */
export class PlayedTurn {
  readonly given: TurnStart;
  readonly run: AgentRun<{ messages: Message[] }>;
  /** Why it was cancelled or stopped. */
  stopped: unknown;
  #push: ((event: AgentEvent | undefined) => void) | undefined;
  #queue: (AgentEvent | undefined)[] = [];

  constructor(given: TurnStart) {
    this.given = given;
    given.signal.addEventListener("abort", () => {
      this.stopped = given.signal.reason;
      this.say({ type: "error", error: { name: "AbortError", message: "secret" } });
      this.end();
    });
    this.run = {
      result: Promise.resolve({ messages: [] }),
      events: new ReadableStream<AgentEvent>({
        pull: async (controller) => {
          const event = this.#queue.length > 0
            ? this.#queue.shift()
            : await new Promise<AgentEvent | undefined>((resolve) => this.#push = resolve);
          if (event === undefined) controller.close();
          else controller.enqueue(event);
        },
      }, { highWaterMark: 0 }),
    };
  }

  /** Lets an event happen. */
  say(event: AgentEvent | undefined): void {
    const push = this.#push;
    this.#push = undefined;
    if (push === undefined) this.#queue.push(event);
    else push(event);
  }

  /** Makes the model say something. */
  text(content: string): void {
    this.say({ type: "text", content });
  }

  /** Events that have not been read yet. */
  get waiting(): number {
    return this.#queue.length;
  }

  end(): void {
    this.say(undefined);
  }
}

/** A request as the page makes it. */
export function ask(
  app: FetchApp,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return Promise.resolve(app.fetch(
    new Request(`http://localhost:8765${path}`, {
      method,
      headers: {
        host: "localhost:8765",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
  ));
}

/** The cookie that a response sets. */
export function cookieOf(response: Response): string {
  return response.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
}

/** Reads events one after the other. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";

  constructor(response: Response) {
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
    const body = response.body ?? assert.fail();
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next event or comment. */
  async next(): Promise<SeenEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return parse(block);
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += value;
    }
  }

  async rest(): Promise<SeenEvent[]> {
    const events: SeenEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      events.push(event);
    }
    return events;
  }

  leave(): Promise<void> {
    return this.#reader.cancel();
  }
}

function parse(block: string): SeenEvent {
  const fields = new Map(
    block.split("\n").map((line): [string, string] => {
      const at = line.indexOf(":");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  return {
    event: fields.get("event") ?? `: ${fields.get("")}`,
    id: Number(fields.get("id") ?? 0),
    data: JSON.parse(fields.get("data") ?? "null"),
  };
}

/** All events of a response. */
export function eventsOf(response: Response): Promise<SeenEvent[]> {
  return new EventReader(response).rest();
}
