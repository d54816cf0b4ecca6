import { type ByteSource, drain, MemorySink } from "../../streams/mod.ts";
import type { LlmTask, ProxyLlm } from "./llm.ts";

/** The budget of the test LLMs. */
export const QUOTA = {
  weighted_tokens: { used: 12.5, limit: 100, remaining: 87.5 },
  api_calls: { used: 1, limit: null, remaining: null },
};

/** The tokens of their tasks. */
export const USAGE = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };

/** An LLM that runs `work` for each task. */
export function llmOf(work: (task: LlmTask) => Promise<number>): ProxyLlm {
  return {
    quota: () => QUOTA,
    run: async (task) => ({ exitCode: await work(task), usage: USAGE }),
  };
}

async function textOf(source: ByteSource): Promise<string> {
  const sink = new MemorySink();
  await drain(source, sink);
  return sink.text();
}

/** An LLM that writes its prompt and inputs to its output. */
export const echo = llmOf(async ({ prompt, topLevel, stdin, stdout, stderr, files }) => {
  const parts = [prompt, topLevel, stdin && await textOf(stdin)];
  for (const { name, source } of files) parts.push(`${name}=${await textOf(source)}`);
  await stdout.write(new TextEncoder().encode(parts.join("|")));
  await stderr?.write(new TextEncoder().encode("told"));
  return 0;
});

/** An LLM whose tasks wait until they are stopped. */
export function waiting(started: () => void): ProxyLlm {
  return llmOf(({ signal }) => {
    started();
    return new Promise((resolve) => {
      if (signal.aborted) resolve(1);
      signal.addEventListener("abort", () => resolve(1));
    });
  });
}

/** A request that runs a task. */
export function task(params: Record<string, unknown>): Record<string, unknown> {
  return { id: "l", op: "LLMCMD", params };
}

/** The code of an error; `none` for a success. */
export function codeOf(response: unknown): string {
  return (response as { error?: { code?: string } }).error?.code ?? "none";
}

/** The response to a completed task. */
export function end(more: Record<string, unknown>): Record<string, unknown> {
  return { id: "l", ok: true, result: { exit_code: 0, ...more, usage: USAGE, quota: QUOTA } };
}
