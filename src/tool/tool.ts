/** What a tool gives back to the model. */
export interface ToolResult {
  /** The text the model reads. */
  content: string;
  /** True when the tool failed; the model reads `content` and may correct itself. */
  error?: boolean;
  /** True to end the run after this call; calls after it in the same message do not run. */
  stop?: boolean;
  /** Anything for people and programs that watch, never sent to the model (a diff, an exit code). */
  details?: unknown;
}

/** What a running tool is given besides its input. */
export interface ToolContext {
  /** Fires when the run is stopped. */
  readonly signal: AbortSignal;
  /** The id of the call, as the model gave it. */
  readonly callId: string;
  /**
   * Takes what the tool has to show to people while it runs, such as a command's output. Bytes are
   * lent until the promise settles.
   */
  readonly onOutput?: ((chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>) | undefined;
}

/** What a tool is given besides the input of a call that was cut. */
export interface CutContext extends ToolContext {
  /** Tokens of one answer at most, if that is known. */
  readonly maxTokens?: number | undefined;
}

/** A tool's function definition for the model: the `function` object of the wire format. */
export interface ToolSpec {
  /** What the model calls it by. */
  readonly name: string;
  /** What it does and when to use it. */
  readonly description: string;
  /** The JSON schema of its input, an object. */
  readonly parameters: Record<string, unknown>;
}

/** Parsed input, or what is wrong with it in one line that the model can act on. */
export type ParsedInput<Input> = { ok: true; input: Input } | { ok: false; error: string };

/** A function the model can call. Made by `defineTool()` or `lazyTool()`. */
export interface Tool<Input = unknown> {
  /** How the model sees the tool. */
  readonly spec: ToolSpec;
  /**
   * Loads what the tool needs, where that was put off: whoever runs tools awaits this before
   * `parse`, and may call it early, such as while the model works on its answer. Further calls give
   * the same promise.
   */
  load?(): Promise<void>;
  /** Checks already decoded JSON against the input schema. */
  parse(input: unknown): ParsedInput<Input>;
  /** Runs the tool. Failures are encoded in the result: it rejects only when the signal fired. */
  execute(input: Input, context: ToolContext): Promise<ToolResult>;
  /**
   * Does what makes sense of a call that the model did not finish, as its answer was cut at the
   * token limit. `input` has the fields that arrived, the last string as far as it came; it is not
   * checked. The result tells the model where to go on. Without this, nothing of such a call is
   * done, and the model is told to make it again. Read it after `load()`.
   */
  readonly executeCut?:
    | ((input: Readonly<Record<string, unknown>>, context: CutContext) => Promise<ToolResult>)
    | undefined;
  /**
   * Begins a call whose arguments are still arriving, for a tool that can work on a part of them.
   * Whoever runs tools may call this when the calls before it in the same message are done. What it
   * gives takes the tool's place for that call. Read it after `load()`.
   */
  readonly begin?: ((context: Pick<ToolContext, "signal">) => BegunCall<Input>) | undefined;
}

/** A call that began before its arguments were complete. */
export interface BegunCall<Input = unknown> {
  /**
   * Takes the next piece of the arguments' JSON, and resolves when what can be done with it is done:
   * the answer is not read on before. Rejects only with what ends the run.
   */
  push(piece: string): Promise<void>;
  /** Whether all that the call does has been done, so that the next one may begin. */
  readonly done: boolean;
  /** Does what is left to do. See `Tool.execute`. */
  execute(input: Input, context: ToolContext): Promise<ToolResult>;
  /** Does what is left to do of a call that was cut. See `Tool.executeCut`. */
  executeCut(input: Readonly<Record<string, unknown>>, context: CutContext): Promise<ToolResult>;
  /** The result of a call that turns out to be invalid, with what was done of it before. */
  refuse(problem: string): ToolResult;
}

/**
 * A schema that can check values and, unless the JSON schema is given with it, describe itself: the
 * Standard Schema and Standard JSON Schema interfaces. Every zod 4 schema is one.
 */
export interface InputSchema<Input> {
  /** The two interfaces in one: `validate`, and `jsonSchema.input`. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Input> | Promise<SchemaResult<Input>>;
    readonly jsonSchema?: {
      readonly input: (options: { target: "draft-2020-12" }) => Record<string, unknown>;
    } | undefined;
    readonly types?: { readonly input: unknown; readonly output: Input } | undefined;
  };
}

/** What a schema says of a value. */
export type SchemaResult<Input> =
  | { readonly value: Input; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing wrong with a value. */
export interface SchemaIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where, from the outside in; absent or empty: the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
