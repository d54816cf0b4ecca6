/**
 * Runs the real CLI agents behind `llmcmd proxy`, with the mock as their model: a long answer, a
 * change of a file in a worktree, a second turn, a cancelled run. Prints a row for each agent, and
 * exits with 1 if a result was wrong. Run by `deno task test:agents [NAME...]`. It is not one of
 * the other tests, as it installs the agents (`LLMCMD_AGENTS`, ~/.cache/llmcmd-agents).
 */
import assert from "node:assert/strict";
import scenarios from "../../scenarios/agents.json" with { type: "json" };
import { parseScenarios } from "../../src/mock/mod.ts";
import { mockApp } from "../../src/web/mock/mod.ts";
import { processes } from "../_processes.ts";
import { Proxy, SLEEP } from "../_proxy.ts";
import { AGENTS, AGENTS_FOLDER as folder, installAgents } from "./install.ts";

const PARAGRAPHS = "The first paragraph.\n\nThe second one, with \u00fcml\u00e4uts.\n\n" +
  "The third and last.";

// qwen refuses a command that begins with "sleep".
const WAIT = `true && sleep ${SLEEP}`;

const SLEEPING = {
  name: "agent-sleeps",
  trigger: "Sleep",
  steps: [{
    response: {
      content: null,
      tool_calls: [{
        by_tool: {
          exec_command: { cmd: WAIT },
          run_shell_command: { command: WAIT },
          Bash: { command: WAIT },
        },
      }],
    },
  }],
};

/** Entries of the file of models that connect each agent to the mock. */
function entries(url: string): Record<string, Record<string, unknown>> {
  const provider = `{name="mock",base_url="${url}/v1",env_key="OPENAI_API_KEY",` +
    'wire_api="responses",request_max_retries=0,stream_max_retries=0}';
  return {
    codex: {
      env: ["CODEX_HOME", "OPENAI_API_KEY"],
      model: "gpt-5.1",
      args: ["-c", `model_providers.mock=${provider}`, "-c", "model_provider=mock"],
    },
    gemini: {
      env: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
      model: "gemini-2.5-flash",
    },
    qwen: {
      env: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"],
      args: ["--auth-type", "openai"],
    },
    // IS_SANDBOX lets it run as root, as in a container.
    claude: { env: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "IS_SANDBOX"] },
  };
}

/** The variables that the proxy passes on to the agents. */
function variables(url: string, bin: string, folder: string): Record<string, string> {
  return {
    PATH: `${bin}:${Deno.env.get("PATH")}`,
    // codex refuses to work with a home below the folder for temporary files.
    CODEX_HOME: `${folder}/codex-home`,
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: "mock",
    GEMINI_API_KEY: "key",
    GOOGLE_GEMINI_BASE_URL: url,
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: url,
    IS_SANDBOX: "1",
  };
}

async function sleeping(): Promise<number> {
  return (await processes()).filter(({ command }) => command.includes(SLEEP)).length;
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Checks an agent; resolves to its row of the table. */
async function check(proxy: Proxy, name: string): Promise<string[]> {
  const say = async (content: string, more: Record<string, unknown> = {}) => {
    const begin = performance.now();
    const { response, body } = await proxy.ask(name, {
      messages: [{ role: "user", content }],
      ...more,
    });
    assert.equal(response.status, 200, `${name}: ${JSON.stringify(body)}`);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const { prompt_tokens: input, completion_tokens: output } = body.usage;
    assert.ok(input > 0 && output > 0, `${name}: tokens ${JSON.stringify(body.usage)}`);
    const run = response.headers.get("x-run-id");
    return { text: body.choices[0].message.content, run, seconds, tokens: `${input}+${output}` };
  };
  const long = await say("Tell me in three paragraphs");
  assert.equal(long.text, PARAGRAPHS);
  const edit = await say("Change the greeting");
  assert.equal(edit.text, "Done.\n\nThe greeting is now goodbye.");
  const patch = await (await proxy.get(`/runs/${edit.run}/patch`)).text();
  assert.match(patch, /^-hello\n\+goodbye$/m);
  const metadata = { conversation: name };
  await say("Tell me in three paragraphs", { metadata });
  const second = await say("And now in one word", { metadata });
  assert.equal(second.text, "Goodbye.");

  const asked = proxy.ask(name, { messages: [{ role: "user", content: "Sleep" }] });
  let answered = false;
  asked.finally(() => answered = true);
  while (await sleeping() === 0 && !answered) await pause();
  if (answered) assert.fail(`${name} did not sleep: ${JSON.stringify((await asked).body)}`);
  const { data } = await (await proxy.get("/runs")).json();
  const { id } = data.find((run: { state: string }) => run.state === "running");
  await fetch(`${proxy.url}/runs/${id}/cancel`, {
    method: "POST",
    headers: { authorization: `Bearer ${proxy.key}` },
  });
  assert.equal((await asked).response.status, 499);
  assert.equal(await sleeping(), 0, `${name}: processes after a cancelled run`);
  return [
    ...[name, long.seconds, long.tokens, edit.seconds, edit.tokens],
    ...[second.seconds, second.tokens],
  ];
}

const bin = await installAgents(folder);
await Deno.mkdir(`${folder}/codex-home`, { recursive: true });
const mock = mockApp({
  scenarios: parseScenarios({ scenarios: [...scenarios.scenarios, SLEEPING] }, "agents.json"),
  strict: true,
});
const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  (request) => mock.fetch(request),
);
const url = `http://127.0.0.1:${server.addr.port}`;
const chosen = Deno.args.length > 0 ? Deno.args : AGENTS;
const models = Object.fromEntries(
  Object.entries(entries(url)).map(([driver, more]) => [
    driver,
    { driver, repoPath: "repo", worktree: true, agentFile: null, timeout: 120, ...more },
  ]),
);
let failed = 0;
{
  await using proxy = await Proxy.start(models, variables(url, bin, folder));
  await Deno.mkdir(`${proxy.folder}/.gemini`);
  await Deno.writeTextFile(
    `${proxy.folder}/.gemini/settings.json`,
    JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }),
  );
  await Deno.writeTextFile(`${proxy.folder}/repo/greeting.txt`, "hello\n");
  await proxy.initRepo();
  console.info("agent, three paragraphs (s, tokens), edit (s, tokens), second turn (s, tokens)");
  for (const name of chosen) {
    try {
      console.info((await check(proxy, name)).join("\t"));
    } catch (error) {
      failed++;
      console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const left = (await proxy.git("worktree", "list")).trim().split("\n").length - 1;
  console.info(`worktrees of conversations: ${left}`);
}
await server.shutdown();
console.info(`${chosen.length - failed} passed, ${failed} failed`);
Deno.exit(failed === 0 ? 0 : 1);
