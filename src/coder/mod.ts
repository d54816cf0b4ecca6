/**
 * The coding agent: its four tools, its prompt, one turn of a conversation as
 * {@linkcode run}, and what keeps a conversation usable over days: compaction, titles, and a log
 * from which a killed program goes on.
 *
 * It does not speak to the host: files come from a `Vfs`, commands from a {@linkcode CommandRunner},
 * the model from a `ChatClient`, and {@linkcode Conversations} are kept in a `SessionStore`. It reads
 * no configuration, except for {@linkcode chat}, and draws nothing.
 *
 * @module
 */
export {
  type ApprovalAnswer,
  type ApprovalOptions,
  type ApprovalRequest,
  type AskFor,
  type AskUser,
  Grants,
} from "./approval.ts";
export { type BashDetails, type BashInput, describeOutcome } from "./bash.ts";
export type { CommandOutcome, CommandSandbox, Survivors, Truncation } from "../ports/mod.ts";
export { chat, type ChatHost } from "./chat.ts";
export type { CommandRunner, RunCommandOptions } from "./command_runner.ts";
export { compact, type Compaction, type CompactOptions } from "./compact.ts";
export { Conversation, type SmallModel, turnChange } from "./conversation.ts";
export { Conversations, type ConversationsOptions } from "./conversations.ts";
export type { EditDetails, EditInput } from "./edit_file.ts";
export { type Exchange, lastExchange } from "./exchange.ts";
export type { InstructionFile } from "./instructions.ts";
export { type CoderLimits, defaultCoderLimits } from "./limits.ts";
export type { CoderOptions, CoderResult } from "./options.ts";
export type { FileFacts, PromptFacts } from "./prompt.ts";
export type { ReadDetails, ReadInput } from "./read_file.ts";
export { run } from "./run.ts";
export { type NewSession, newSession, resume, type Session, sessionLabel } from "./session.ts";
export { SessionError, type SessionProblem } from "./session_error.ts";
export {
  encodeRecord,
  type ParsedLog,
  parseSessionLog,
  type SessionEvent,
  type SessionLog,
  type SessionRecord,
} from "./session_log.ts";
export type { Replacement } from "./text/mod.ts";
export { title, type TitleOptions } from "./title.ts";
export { estimateTokens } from "./tokens.ts";
export {
  approvedTools,
  type ApprovedToolsOptions,
  coderTools,
  type CoderToolsOptions,
  type CommandTool,
} from "./tools.ts";
export { beginsTurn, type CuttableRecord, withoutCut } from "./without_cut.ts";
export { onlyWriter, type Writer, type Writers } from "./writer.ts";
export type { WriteDetails, WriteInput } from "./write_file.ts";
