import { pageHelp, readCommand } from "../../command_line/mod.ts";
import { envValue, stdinSource, terminals } from "../../sys/mod.ts";
import { openCoder } from "../coder/mod.ts";
import { coderArguments, limitArguments } from "../coder_options/mod.ts";
import { stderrMessages } from "../messages/mod.ts";
import { printText, type TextOutput } from "../pages/pages.ts";
import { openSessionHome } from "../sessions/sessions.ts";
import { untilSignal } from "../signals/signals.ts";
import { askOn } from "./approval_question.ts";
import { AgentConversation } from "./conversation.ts";
import type { LineInput } from "./lines.ts";
import { type OpenFront, openFront } from "./open_front.ts";
import { AGENT_PAGE } from "./page.ts";
import { withInput } from "./piped_input.ts";
import { startLine } from "./start_line.ts";
import { AgentTalk } from "./talk.ts";

/** Runs `llmcmd agent` until its input ends or a signal comes. */
export async function runAgentCommand(
  args: readonly string[],
  stdout: TextOutput,
): Promise<number> {
  const page = AGENT_PAGE;
  const { options } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const { prompt, json, quiet } = options;
  const messages = stderrMessages(page.name);
  const terminal = terminals();
  const interactive = terminal.stdin && terminal.stdout && prompt === undefined;
  let talk: AgentTalk | undefined;
  let open: OpenFront | undefined;
  const warn = (message: string) => {
    if (open?.console === undefined) messages.warn(message);
    // If the terminal is gone, the next print reports it.
    else open.front.fail(`warning: ${message}`).catch(() => {});
  };
  const interrupt = () => talk?.interrupt() === true;
  return await untilSignal(
    async (signal) => {
      const coder = await openCoder({
        ...coderArguments(options),
        commandTools: options.tools,
        turnLimits: limitArguments(options),
        warn,
        onOutput: (callId, chunk) => open?.front.output?.(callId, chunk),
      });
      try {
        const { stateFolder, turn: { runner, facts } } = coder;
        if (stateFolder === undefined) {
          warn("the session is not kept: neither HOME nor XDG_STATE_HOME is set");
        }
        await using home = await openSessionHome({
          ...{ stateFolder, program: page.name, many: false },
        });
        await using conversation = new AgentConversation(coder, home, warn);
        const label = options.continue ? await goOn(conversation, warn) : undefined;
        await messages.flush();
        const once = prompt !== undefined;
        open = await openFront({ messages, json, quiet, once, stateFolder, warn, interrupt });
        const { front, lines, rich } = open;
        try {
          talk = new AgentTalk({
            conversation,
            runner,
            front,
            signal,
            ask: once ? undefined : askOn(lines),
          });
          if (prompt !== undefined) {
            const tell = (message: string) => messages.say(message);
            return await talk.say(
              terminal.stdin ? prompt : await withInput(prompt, stdinSource(), { signal, tell }),
            );
          }
          if (rich) {
            const { model, session } = conversation;
            await front.note(startLine({
              ...{ model, root: coder.root, sandbox: facts?.sandbox, session },
              home: envValue("HOME"),
              kept: stateFolder !== undefined,
            }));
          }
          if (interactive && label !== undefined) await talk.recall(label);
          return await talkOn(talk, lines, interactive, signal);
        } finally {
          await lines.close();
        }
      } finally {
        await coder[Symbol.asyncDispose]();
      }
    },
    () => messages.flush(),
    () => open?.console?.lent === true || interactive && interrupt(),
  );
}

/** Continues the last session; returns its title. */
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

/** Answers line by line. Resolves to the exit status: in a pipe that of the first failure. */
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
  }
  return interactive ? 0 : status;
}
