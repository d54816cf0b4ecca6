import { type AgentRun, startRun } from "../agent/mod.ts";
import { Turn } from "./_turn.ts";
import type { CoderOptions, CoderResult } from "./options.ts";

/**
 * Runs one turn of the coding agent: from the user's message to the final answer, with all calls
 * between.
 *
 * The reader of `events` sets the pace, and nothing happens before the first read. Cancelling
 * `events` stops the run. Besides the events of the loop, a `notice` names the AGENTS.md in use or
 * reports that the conversation was compacted, and a `warning` that another model takes over. A
 * `message` comes for each answer and each result once the log has it, but not for the system
 * prompt or the user's message.
 *
 * - The calls of a message run one after another. All calls of the conversation are answered, also
 *   after a failure.
 * - Near the end of the model's context, or when the endpoint says that it is exceeded, the
 *   conversation is compacted and the turn goes on; if that does not help, it ends with an error
 *   that says so.
 * - With a `log` all is kept as it happens: `resume()` restores the conversation of a killed
 *   program.
 *
 * Throws a `RangeError` for a limit that makes no sense. All other failures are in the result.
 *
 * @example
 * ```ts
 * import { follow } from "@llmcmd/llmcmd/agent";
 * import { run } from "@llmcmd/llmcmd/coder";
 * import type { ChatClient, ChatDelta } from "@llmcmd/llmcmd/llm";
 * import { memoryVfs, readFile } from "@llmcmd/llmcmd/vfs";
 *
 * // A model that writes a file and is done; see openaiClient() for a real one.
 * const writing: ChatDelta[] = [
 *   { type: "tool_call", index: 0, id: "1", name: "write_file",
 *     arguments: '{"path": "src/a.txt", "content": "hello"}' },
 *   { type: "finish", reason: "tool_calls" },
 * ];
 * const done: ChatDelta[] = [{ type: "text", content: "Done." }, { type: "finish", reason: "stop" }];
 * const client: ChatClient = {
 *   stream: ({ messages }) =>
 *     ReadableStream.from(messages.at(-1)?.role === "tool" ? done : writing),
 * };
 * const vfs = memoryVfs();
 * const runner = { run: () => Promise.reject(new Error("There is no shell here")) };
 * const turn = run({ input: "Write a file", client, model: "any", vfs, runner });
 * const { text, messages } = await follow(turn);
 * if (text !== "Done." || messages.length !== 5) throw new Error(text);
 * const file = new TextDecoder().decode(await readFile(vfs, "src/a.txt"));
 * if (file !== "hello") throw new Error(file);
 * ```
 */
export function run(options: CoderOptions): AgentRun<CoderResult> {
  return startRun(options.signal, (signal, settle) => new Turn(options, signal).run(settle));
}
