/**
 * llmcmd: an LLM that works inside Unix pipelines on sandboxed descriptors.
 *
 * This entry has the parts that most programs need: the text builtins as transform streams, the
 * `llmcmd` program as {@linkcode run} with the descriptors that it works on, the agent loop with
 * custom tools, and the client. Each part also has an entry with all of its exports: `/streams`,
 * `/builtins`, `/llm` and `/agent`. Further entries are `/regex`, `/coder` (the coding agent), `/mock`
 * (the mock LLM), `/web` (its endpoint and the chat), `/store` and `/vfs`. All of these run on any
 * platform with web standards. `/sys`, `/terminal`, `/cli` (the command) and `/server` need Deno;
 * `/testing` has doubles for tests.
 *
 * @module
 */

// Descriptors, and the byte streams behind them.
export {
  BadFdError,
  BrokenPipeError,
  type ByteSink,
  type ByteSource,
  type Chunk,
  drain,
  encodeNdjson,
  encodeSse,
  type Fd,
  type FdInit,
  FdTable,
  fromReadable,
  fromWritable,
  type FromWritableOptions,
  type Limit,
  LimitError,
  limitSource,
  MemorySink,
  memorySource,
  type MemorySourceOptions,
  type RandomAccess,
  Source,
  type SseEvent,
  toReadable,
  toWritable,
} from "./src/streams/mod.ts";

// The builtins.
export {
  base64,
  type Builtin,
  type BuiltinIo,
  type BuiltinLimits,
  type BuiltinName,
  builtinNames,
  type BuiltinTransform,
  cat,
  column,
  comm,
  cut,
  defaultBuiltinLimits,
  diff,
  expand,
  type FileOpener,
  type FileStream,
  fmt,
  fold,
  grep,
  head,
  iconv,
  isBuiltinName,
  join,
  md5sum,
  nl,
  od,
  paste,
  patch,
  rev,
  runBuiltin,
  type RunBuiltinIo,
  sed,
  sha256sum,
  shuf,
  sort,
  tac,
  tail,
  tee,
  type TempStore,
  tr,
  transform,
  type TransformFactory,
  type TransformOptions,
  unexpand,
  uniq,
  wc,
  xxd,
} from "./src/builtins/mod.ts";

// The client.
export {
  type ChatBody,
  type ChatClient,
  type ChatDelta,
  type FinishReason,
  LlmError,
  type LlmErrorOptions,
  type Message,
  openaiClient,
  type OpenAIClientOptions,
  Quota,
  type QuotaOptions,
  type StreamOptions,
  type TokenWeights,
  type ToolCall,
  type Usage,
} from "./src/llm/mod.ts";

// The agent loop and its tools.
export {
  type AgentEvent,
  type AgentOptions,
  type AgentResult,
  type AgentRun,
  type AnswerEnd,
  type CutContext,
  defineTool,
  type EventError,
  follow,
  type InputSchema,
  lazyTool,
  type ParsedInput,
  Registry,
  runAgent,
  type RunEndReason,
  type SchemaIssue,
  type SchemaResult,
  type Tool,
  type ToolContext,
  type ToolOptions,
  type ToolResult,
  type ToolSpec,
  type TurnInfo,
} from "./src/agent/mod.ts";

// The program.
export {
  defaultLimits,
  type LlmcmdLimits,
  type LlmcmdOptions,
  type LlmcmdResult,
  run,
  splitWords,
} from "./src/llmcmd/mod.ts";
