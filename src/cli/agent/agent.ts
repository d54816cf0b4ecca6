import { pageHelp, readCommand } from "../../command_line/mod.ts";
import { LimitError, limitSource, toReadable } from "../../streams/mod.ts";
import { stdinSource, stdoutSink, terminals } from "../../sys/mod.ts";
import { askOn } from "./approval_question.ts";
import { AgentConversation } from "./conversation.ts";
import { type LineInput, MOST_INPUT, sourceLines, tooLong } from "./lines.ts";
import { agentPage, coderArguments, limitArguments } from "../pages/mod.ts";
import { AgentTalk } from "./talk.ts";
import { terminalLines } from "./terminal.ts";
import { openCoder } from "../open_coder.ts";
import { printText, type TextOutput } from "../print_text.ts";
import { openSessionHome } from "../session_home.ts";
import { stderrMessages } from "../stderr_messages.ts";
import { untilSignal } from "../until_signal.ts";

/** Runs `llmcmd agent` until its input ends, or a signal comes. */
export async function runAgentCommand(
  args: readonly string[],
  stdout: TextOutput,
): Promise<number> {
  const page = await agentPage();
  const { options } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const { prompt, json } = options;
  const messages = stderrMessages(page.name);
  const warn = (message: string) => messages.warn(message);
  const terminal = terminals();
  const interactive = terminal.stdin && terminal.stdout && prompt === undefined;
  let talk: AgentTalk | undefined;
  return await untilSignal(
    async (signal) => {
      const coder = await openCoder({
        ...coderArguments(options),
        turnLimits: limitArguments(options),
        warn,
      });
      try {
        const { stateFolder, turn: { runner } } = coder;
        if (stateFolder === undefined) {
          warn("the session is not kept: neither HOME nor XDG_STATE_HOME is set");
        }
        await using home = await openSessionHome({
          ...{ stateFolder, program: page.name, many: false, warn },
        });
        await using conversation = new AgentConversation(coder, home, warn);
        const label = options.continue ? await goOn(conversation, warn) : undefined;
        await messages.flush();
        const output = stdoutSink();
        const print = (bytes: Uint8Array<ArrayBuffer>) => output.write(bytes);
        const said = { conversation, runner, messages, signal, json, print };
        if (prompt !== undefined) {
          talk = new AgentTalk(said);
          return await talk.say(await withInput(prompt, terminal.stdin, signal));
        }
        const lines = interactive && !json
          ? await terminalLines(print, stateFolder, warn)
          : sourceLines(stdinSource());
        talk = new AgentTalk({ ...said, ask: askOn(lines) });
        if (interactive && label !== undefined) await talk.recall(label);
        return await talkOn(talk, lines, interactive, signal);
      } finally {
        await coder[Symbol.asyncDispose]();
      }
    },
    () => messages.flush(),
    () => interactive && talk?.interrupt() === true,
  );
}

/** Goes on with the last session; gives its name in lists. */
async function goOn(
  conversation: AgentConversation,
  warn: (message: string) => void,
): Promise<string | undefined> {
  const [last] = await conversation.list(1);
  if (last === undefined) {
    return void warn("there is no session of this folder yet: this begins one");
  }
  await conversation.resume(last.id);
  return last.title;
}

/** The message of `-p`, with what is piped to standard input. */
async function withInput(
  prompt: string,
  terminal: boolean,
  signal: AbortSignal,
): Promise<string> {
  if (terminal) return prompt;
  const source = limitSource(stdinSource(), { name: "standard input", max: MOST_INPUT });
  const input = toReadable(source).pipeThrough(new TransformStream(), { signal });
  try {
    const text = await new Response(input).text();
    return text.trim() === "" ? prompt : `${prompt}\n\n${text}`;
  } catch (error) {
    throw error instanceof LimitError ? tooLong("standard input") : error;
  }
}

/** Answers line by line; resolves to the exit status: of the first failure in a pipe. */
async function talkOn(
  talk: AgentTalk,
  lines: LineInput,
  interactive: boolean,
  signal: AbortSignal,
): Promise<number> {
  const end = () => void lines.close();
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  let status = 0;
  try {
    for (;;) {
      const line = await lines.next();
      if (line === undefined || signal.aborted) break;
      const outcome = interactive ? await talk.answer(line) : await talk.pipe(line);
      if (status === 0) status = outcome;
    }
  } finally {
    signal.removeEventListener("abort", end);
    await lines.close();
  }
  return interactive ? 0 : status;
}
