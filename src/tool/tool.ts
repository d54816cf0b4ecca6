/** The result of a tool for the model. */
export interface ToolResult {
  /** The text the model reads. */
  content: string;
  /** True when the tool failed; the model reads `content` and may correct itself. */
  error?: boolean;
  /** True to end the run after this call; calls after it in the same message do not run. */
  stop?: boolean;
  /** Anything for people and programs that watch, never sent to the model (a diff, an exit code). */
  details?: unknown;
  /**
   * The result as data that fits the tool's output schema, for clients that read data. The model
   * reads `content`, which says the same.
   */
  structured?: Readonly<Record<string, unknown>>;
}

/** The progress of a call. */
export interface ToolProgress {
  /** Grows from one report to the next, in any unit, such as seconds. */
  readonly progress: number;
  /** The final value of `progress`, if that is known. */
  readonly total?: number | undefined;
  /** One line for people. */
  readonly message?: string | undefined;
}

/** The context of a running tool. */
export interface ToolContext {
  /** Fires when the run is stopped. */
  readonly signal: AbortSignal;
  /** The id of the call, as the model gave it. */
  readonly callId: string;
  /** Takes reports of a long call's progress; absent where the caller wants none. */
  readonly progress?: ((progress: ToolProgress) => void) | undefined;
  /**
   * Takes what the tool has to show to people while it runs, such as a command's output. Bytes are
   * lent until the promise settles.
   */
  readonly onOutput?: ((chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>) | undefined;
}

/** The context of a call that was cut. */
export interface CutContext extends ToolContext {
  /** Tokens of one answer at most, if that is known. */
  readonly maxTokens?: number | undefined;
}

/** A tool's function definition for the model: the `function` object of the wire format. */
export interface ToolSpec {
  /** Its name for the model. */
  readonly name: string;
  /** Its purpose and when to use it. */
  readonly description: string;
  /** The JSON schema of its input, an object. */
  readonly parameters: Record<string, unknown>;
}

/**
 * Facts about a tool that a client may rely on before a call, such as to decide whether to ask a
 * person. The names and meanings are those of the Model Context Protocol.
 */
export interface ToolAnnotations {
  /** A name for people. */
  readonly title?: string | undefined;
  /** It changes nothing; false if absent. */
  readonly readOnlyHint?: boolean | undefined;
  /** It may destroy something; true if absent. Only for a tool that changes something. */
  readonly destructiveHint?: boolean | undefined;
  /** To call it again with the same input does nothing more; false if absent. */
  readonly idempotentHint?: boolean | undefined;
  /** Its reach is not limited, as that of a web search; true if absent. */
  readonly openWorldHint?: boolean | undefined;
}

/** Parsed input, or what is wrong with it in one line that the model can act on. */
export type ParsedInput<Input> = { ok: true; input: Input } | { ok: false; error: string };

/** A function the model can call. Made by `defineTool()` or `lazyTool()`. */
export interface Tool<Input = unknown> {
  /** The tool as the model sees it. */
  readonly spec: ToolSpec;
  /** The JSON schema of its structured results, an object; absent without such results. */
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  /** Facts that a client may rely on. */
  readonly annotations?: ToolAnnotations | undefined;
  /**
   * Loads code that the tool needs lazily. Callers await this before `parse`, and may call it
   * early, such as while the model works on its answer. Further calls give the same promise.
   */
  load?(): Promise<void>;
  /** Checks already decoded JSON against the input schema. */
  parse(input: unknown): ParsedInput<Input>;
  /** Runs the tool. Failures are encoded in the result: it rejects only when the signal fired. */
  execute(input: Input, context: ToolContext): Promise<ToolResult>;
  /**
   * Runs the usable part of a call that the model did not finish, as its answer was cut at the
   * token limit. `input` has the fields that arrived, the last string as far as it came; it is not
   * checked. The result says where the model has to continue. Without this function, such a call is
   * not run, and the result asks the model to make it again. Read it after `load()`.
   */
  readonly executeCut?:
    | ((input: Readonly<Record<string, unknown>>, context: CutContext) => Promise<ToolResult>)
    | undefined;
  /**
   * Begins a call whose arguments are still arriving, for a tool that can work on a part of them.
   * It may be called when the calls before it in the same message are done. Its result replaces the
   * tool for that call. Read it after `load()`.
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
  /** True once the call has done all its work, so that the next one may begin. */
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

/** A schema that can describe the values that it gives. Every zod 4 schema is one. */
export interface OutputSchema {
  /** The part of the Standard JSON Schema interface that is needed. */
  readonly "~standard": {
    readonly jsonSchema: {
      readonly output: (options: { target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** The result of checking a value by a schema. */
export type SchemaResult<Input> =
  | { readonly value: Input; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing wrong with a value. */
export interface SchemaIssue {
  /** The problem. */
  readonly message: string;
  /** The path to the field, from the outside in; absent or empty for the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
