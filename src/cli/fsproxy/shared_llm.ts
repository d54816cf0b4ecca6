import { type AgentEvent, follow } from "../../agent/mod.ts";
import { redactor } from "../../base/mod.ts";
import { Quota } from "../../llm/mod.ts";
import { run } from "../../llmcmd/mod.ts";
import { type ByteSink, FdTable, memorySource } from "../../streams/mod.ts";
import { requireNet, tempFolder } from "../../sys/mod.ts";
import { type LlmBudget, type LlmTask, ProxyError, type ProxyLlm } from "../../vfs/mod.ts";
import { missingKey } from "../configuration/mod.ts";
import {
  chatClientOf,
  hostOf,
  LIMIT_NAMES,
  readRunSettings,
  type RunSettings,
} from "../endpoint/mod.ts";
import { failureOfRun } from "../failure/mod.ts";
import type { Messages } from "../messages/mod.ts";

/**
 * Opens the LLM of the usual settings for a program, with one budget for all its tasks.
 *
 * @throws {ConfigError} A setting is wrong, or the key is missing.
 * @throws {PermissionError} The endpoint may not be reached.
 */
export async function openSharedLlm(messages: Messages): Promise<ProxyLlm> {
  const { settings, hidden } = await readRunSettings({}, (text) => messages.warn(text));
  const redact = redactor([settings.apiKey, new URL(settings.baseUrl).search]);
  messages.redactWith(redact);
  if (settings.apiKey === undefined) throw missingKey("llmcmd", hidden, settings.baseUrl);
  requireNet(hostOf(settings.baseUrl));
  return sharedLlm(settings, redact);
}

/** Offers an LLM to a program. `redact` removes secrets from the messages that the program gets. */
export function sharedLlm(settings: RunSettings, redact: (text: string) => string): ProxyLlm {
  const { limits } = settings;
  const client = chatClientOf(settings);
  const all = new Quota({
    maxCalls: limits.apiCalls,
    maxTokens: limits.tokens === 0 ? undefined : limits.tokens,
    weights: limits.tokenWeights,
    names: { calls: LIMIT_NAMES.apiCalls, tokens: LIMIT_NAMES.tokens },
  });
  return {
    quota: () => ({
      weighted_tokens: budget(all.weighted, all.maxTokens),
      api_calls: budget(all.calls, all.maxCalls),
    }),
    async run(task) {
      requireRest(all);
      const fds = descriptorsOf(task);
      try {
        const events = run({
          instructions: task.prompt,
          model: task.topLevel ? settings.model : settings.internalModel,
          ...{ fds, client, limits, quota: all, signal: task.signal },
          maxTokens: settings.maxTokens,
          temp: tempFolder,
        });
        const tell = teller(task.stderr, redact);
        const result = await follow(events, (event) => tell(warningOf(event)));
        const { status, message } = failureOfRun(result);
        const why = message === undefined ? undefined : redact(message);
        if (status !== 0) await tell(why);
        return { exitCode: status, message: why, usage: { ...result.usage } };
      } finally {
        await fds.abort(task.signal.reason);
      }
    },
  };
}

function budget(used: number, limit: number | undefined): LlmBudget {
  if (limit === undefined) return { used, limit: null, remaining: null };
  return { used, limit, remaining: Math.max(0, limit - used) };
}

/** Refuses a task if the budget is used up. */
function requireRest(quota: Quota): void {
  const { callsLeft, maxTokens, weighted } = quota;
  if (callsLeft > 0 && weighted < (maxTokens ?? Infinity)) return;
  const name = callsLeft === 0 ? LIMIT_NAMES.apiCalls : LIMIT_NAMES.tokens;
  throw new ProxyError("E_RANGE", `quota exceeded: nothing is left of ${name}`);
}

function descriptorsOf({ stdin, stdout, files }: LlmTask): FdTable {
  const fds = new FdTable();
  fds.open({ number: 0, name: "stdin", source: stdin ?? memorySource(new Uint8Array()) });
  fds.open({ number: 1, name: "stdout", sink: stdout });
  fds.open({ number: 2, name: "stderr" });
  files.forEach(({ name, source }, index) => fds.open({ number: index + 3, name, source }));
  return fds;
}

function warningOf(event: AgentEvent): string | undefined {
  return event.type === "warning" ? `warning: ${event.message}` : undefined;
}

/** Returns a function that writes lines to the task's standard error, and ignores errors of it. */
function teller(stderr: ByteSink | undefined, redact: (text: string) => string) {
  const encoder = new TextEncoder();
  return async (text: string | undefined) => {
    if (text === undefined || stderr === undefined) return;
    await stderr.write(encoder.encode(`llmcmd: ${redact(text)}\n`)).catch(() => {});
  };
}
