/** Test doubles of the ports. */
import assert from "node:assert/strict";
import * as z from "zod";
import type {
  ApartResult,
  CommandPort,
  KeptOutput,
  RunCommand,
  SessionInput,
  SessionOutput,
  SessionPort,
  SessionRead,
  SessionStart,
  SessionState,
  SessionStopped,
  SessionWritten,
  TerminalSession,
} from "../ports/mod.ts";
import type { Registry, ToolContext, ToolResult } from "../tool/mod.ts";
import { cliTools, type CliToolsOptions } from "./cli_tools.ts";
import type { HostPort } from "./host_port.ts";
import { noSessions } from "./no_sessions.ts";

/** A machine with bash and a few programs. */
export function testHost(changes: Partial<HostPort> = {}): HostPort {
  return {
    posix: true,
    sandbox: { kind: "none", reason: "this is a test" },
    workingDirectory: "/work",
    allowedDirectories: undefined,
    platform: () =>
      Promise.resolve({
        platform: "linux",
        shell: "bash",
        shellPath: "/bin/bash",
        pathSeparator: "/",
        commandSeparator: "&&",
        environmentPrefix: "$",
        features: { pipelines: true, redirects: true, backgroundJobs: true, heredoc: true },
      }),
    folder: (path) =>
      path === "/missing"
        ? Promise.reject(new RangeError("Cannot work in /missing: there is no such folder"))
        : Promise.resolve(path),
    programs: (path) => Promise.resolve(path === "/bin" ? ["git", "gtk", "grep", "npm"] : []),
    environment: () => ({ PATH: "/bin", HOME: "/home/me" }),
    withholds: (name) => name === "API_KEY",
    looksSecret: (name) => /KEY|TOKEN/.test(name),
    pattern: (source) => {
      const regex = new RegExp(source);
      return (text) => regex.test(text);
    },
    ...changes,
  };
}

/** An output that was kept completely. */
export function kept(text: string): KeptOutput {
  const { length } = new TextEncoder().encode(text);
  return { head: text, tail: "", bytes: length, droppedBytes: 0 };
}

/** Result of a command without output. */
export function outcome(changes: Partial<ApartResult> = {}): ApartResult {
  return {
    stdout: kept(""),
    stderr: kept(""),
    exitCode: 0,
    signal: null,
    timedOut: false,
    background: false,
    survivors: 0,
    duration: 12.5,
    ...changes,
  };
}

/** Records commands instead of running them; the given function makes their results. */
export class TestCommands implements CommandPort {
  readonly runs: { command: string; options: RunCommand }[] = [];
  readonly #end: (command: string, options: RunCommand) => Promise<ApartResult>;

  constructor(
    end: (command: string, options: RunCommand) => Promise<ApartResult> | ApartResult,
  ) {
    this.#end = async (...args) => await end(...args);
  }

  async run(command: string, options: RunCommand): Promise<ApartResult> {
    this.runs.push({ command, options });
    return await this.#end(command, options);
  }
}

/** Commands that run until they are stopped. */
export class EndlessCommands extends TestCommands {
  /** Settles when the first one runs. */
  readonly started: Promise<void>;
  /** Settles when the first one was stopped. */
  readonly stopped: Promise<unknown>;

  constructor() {
    let start = () => {};
    let stop: (reason: unknown) => void = () => {};
    super((_command, { signal }) => {
      start();
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          stop(signal.reason);
          reject(signal.reason);
        }, { once: true });
      });
    });
    this.started = new Promise((resolve) => start = resolve);
    this.stopped = new Promise((resolve) => stop = resolve);
  }
}

/** Commands that run until `end` is called, to test reports of progress. */
export class ReportedCommands extends TestCommands {
  /** Ends them. */
  readonly end: () => void;

  constructor(result: ApartResult) {
    let end = () => {};
    const ended = new Promise<void>((resolve) => end = resolve);
    super(async () => {
      await ended;
      return result;
    });
    this.end = end;
  }
}

/** State of a session at its prompt. */
export const AT_PROMPT: SessionState = {
  isRunning: true,
  waitingForInput: true,
  inputMode: "line",
  foreground: "bash",
  atPrompt: true,
  confidence: "high",
  exitCode: null,
};

/** A session that outputs its own input. */
export class TestSession implements TerminalSession {
  readonly pid = 12345;
  readonly shell = "bash";
  readonly workingDirectory: string;
  readonly command: string | undefined;
  readonly sessionId: string;
  readonly reads: SessionRead[] = [];
  readonly inputs: SessionInput[] = [];
  readonly variables: [string, string | null][] = [];
  state: SessionState = AT_PROMPT;
  attachCommand: string | undefined;
  output = "$ ";

  constructor(readonly options: SessionStart, id: string) {
    this.sessionId = options.sessionId ?? id;
    this.workingDirectory = options.workingDirectory;
    this.command = options.command;
  }

  read(options: SessionRead): Promise<SessionOutput> {
    this.reads.push(options);
    const { output } = this;
    this.output = "";
    return Promise.resolve({ ...this.state, output, hasMore: false });
  }

  async write(input: SessionInput, options: SessionRead): Promise<SessionWritten> {
    this.inputs.push(input);
    this.output += `${input.input}\n`;
    const keys = [...input.input.matchAll(/\{(\w+)\}/g)].map(([, key = ""]) => key);
    return { ...await this.read(options), keys };
  }

  stop(): Promise<SessionStopped> {
    this.state = { ...this.state, isRunning: false, exitCode: 0 };
    return Promise.resolve({
      exitCode: 0,
      finalOutput: "Goodbye!\n",
      hasMore: false,
      survivors: 0,
    });
  }

  environment(): Record<string, string> {
    return { PATH: "/bin", SESSION_KEY: "k" };
  }

  setVariable(name: string, value: string | null): Promise<void> {
    this.variables.push([name, value]);
    return Promise.resolve();
  }
}

/** Sessions of {@linkcode TestSession}. */
export class TestSessions implements SessionPort {
  readonly all = new Map<string, { owner: string; session: TestSession }>();

  start(owner: string, options: SessionStart): Promise<TestSession> {
    const session = new TestSession(options, `session-${this.all.size + 1}`);
    this.all.set(session.sessionId, { owner, session });
    return Promise.resolve(session);
  }

  get(owner: string, sessionId: string): TestSession | undefined {
    const found = this.all.get(sessionId);
    return found?.owner === owner ? found.session : undefined;
  }

  list(owner: string): TestSession[] {
    return [...this.all.values()].filter((it) => it.owner === owner).map(({ session }) => session);
  }

  stopAll(): Promise<void> {
    this.all.clear();
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stopAll();
  }
}

/** The tools, with test doubles for all ports. */
export function testTools(options: Partial<CliToolsOptions> = {}): Registry {
  return cliTools({
    owner: "me",
    host: testHost(),
    commands: new TestCommands(() => outcome()),
    sessions: noSessions("python3 is missing: install it"),
    ...options,
  });
}

/** Calls a tool as a server does; structured results must fit the tool's schema. */
export async function callTool(
  tools: Registry,
  name: string,
  input: Record<string, unknown>,
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  const tool = tools.get(name);
  assert(tool !== undefined, name);
  const parsed = tool.parse(input);
  if (!parsed.ok) return { content: parsed.error, error: true };
  const { signal } = new AbortController();
  const result = await tool.execute(parsed.input, { signal, callId: "1", ...context });
  if (result.structured !== undefined) {
    assert.deepEqual(JSON.parse(result.content), result.structured);
    const schema = z.fromJSONSchema({ ...tool.output, additionalProperties: false });
    const fits = schema.safeParse(result.structured);
    assert(fits.success, `${name}: ${fits.error?.message}`);
  }
  return result;
}

/** Structured data of a successful result. */
export async function dataOf(...args: Parameters<typeof callTool>): Promise<unknown> {
  const { structured, error, content } = await callTool(...args);
  assert.equal(error ?? false, false, content);
  return structured;
}

/** The message of a failed result. */
export async function failureOf(...args: Parameters<typeof callTool>): Promise<string> {
  const { error, content } = await callTool(...args);
  assert.equal(error, true, content);
  return content;
}
