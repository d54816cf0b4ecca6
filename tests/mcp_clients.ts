/**
 * Lets real MCP clients use `llmcmd mcp`: the MCP inspector over standard streams and over HTTP,
 * and codex and gemini with the mock as their model, each set up as users do. Prints a row for
 * each, and exits with 1 if a result was wrong. Run by `deno task test:mcp-clients [NAME...]`. It
 * is not one of the other tests, as it installs the clients (`LLMCMD_AGENTS`,
 * ~/.cache/llmcmd-agents).
 */
import assert from "node:assert/strict";
import { CLI_TOOL_NAMES } from "../src/mcp/mod.ts";
import { geminiApi, parseScenarios, responsesApi } from "../src/mock/mod.ts";
import { newToken } from "../src/terminal/_testing.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import { bundle } from "../tools/bundle.ts";
import { processes } from "./_processes.ts";
import { Served } from "./_serving.ts";
import { AGENTS_FOLDER, installAgents, installInspector } from "./agents/install.ts";

/** Identifies a sleeping process by its duration. It must end with the server. */
const SLEEP = newToken();
/** The command line; its output does not occur in the line itself. */
const LINE = `sleep ${SLEEP} & echo hi $((6 * 7))`;

const SCENARIO = {
  name: "runs-once",
  trigger: "Run the line",
  steps: [
    {
      response: {
        tool_calls: [{
          by_tool: { mcp_llmcmd_CliRun: { command: LINE }, CliRun: { command: LINE } },
        }],
      },
    },
    { response: { content: "It ran." } },
  ],
};

const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-mcp-clients-" }));
/** The working folder of clients and commands. */
const work = `${root}/work`;
const home = `${root}/home`;
for (const path of [work, `${root}/bin`, `${home}/.gemini`, `${root}/tmp`]) {
  await Deno.mkdir(path, { recursive: true });
}
const program = await bundle(
  new URL("../cli.ts", import.meta.url).pathname,
  `${root}/llmcmd`,
);
const RUN = ["run", "--quiet", "--no-prompt", "--allow-all", program];
await Deno.writeTextFile(
  `${root}/bin/llmcmd`,
  `#!/bin/sh\nexec '${Deno.execPath()}' ${RUN.join(" ")} "$@"\n`,
  { mode: 0o755 },
);

const mock = mockApp({ scenarios: parseScenarios({ scenarios: [SCENARIO] }, "x"), strict: true });
const endpoint = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  (request) => mock.fetch(request),
);
const url = `http://127.0.0.1:${endpoint.addr.port}`;

/** Runs a program of a client, or `llmcmd`, in its own environment. */
async function run(
  bin: string,
  args: readonly [string, ...string[]],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
) {
  const [name, ...rest] = args;
  const child = new Deno.Command("env", {
    args: [name, ...rest],
    cwd: work,
    clearEnv: true,
    env: {
      PATH: `${root}/bin:${bin}:${Deno.env.get("PATH")}`,
      HOME: home,
      TMPDIR: `${root}/tmp`,
      ...env,
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(120_000),
  }).spawn();
  const [{ code, stdout, stderr }] = await Promise.all([
    child.output(),
    new Response(input).body?.pipeTo(child.stdin) ?? child.stdin.close(),
  ]);
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Asserts the result of the line, with a sleeping process in the background. */
function assertRan(result: Record<string, unknown>): void {
  const { duration, ...ran } = result;
  assert.equal(typeof duration, "number");
  assert.deepEqual(ran, {
    ...{ status: "success", exitCode: 0, stdout: "hi 42\n", stderr: "" },
    ...{ workingDirectory: work, background: true },
  });
}

/** Lets the inspector list the tools, call one, and make a call that is refused. */
async function inspect(bin: string, server: readonly string[]): Promise<void> {
  const ask = (...args: string[]) => run(bin, ["inspector", "--cli", ...server, ...args]);
  const listed = await ask("--method", "tools/list", "--strict");
  assert.equal(listed.code, 0, listed.stderr);
  const names = JSON.parse(listed.stdout).tools.map(({ name }: { name: string }) => name);
  assert.deepEqual(names.toSorted(), CLI_TOOL_NAMES.toSorted());
  const call = (...args: string[]) => {
    const pairs = args.flatMap((pair) => ["--tool-arg", pair]);
    return ask("--method", "tools/call", "--tool-name", "CliRun", ...pairs);
  };
  const called = await call(`command=${LINE}`);
  assert.equal(called.code, 0, called.stderr);
  const { structuredContent, content } = JSON.parse(called.stdout);
  assertRan(structuredContent);
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  const refused = await call("command=echo hi", "workingDirectory=/nowhere");
  // The inspector's status for `isError`.
  assert.equal(refused.code, 5, refused.stderr);
  assert.match(refused.stdout, /Cannot work in \/nowhere: there is no such folder/);
}

async function inspectOverHttp(bin: string): Promise<void> {
  const served = await Served.start(work, 0, [], [...RUN, "mcp", "--http"], {
    TMPDIR: `${root}/tmp`,
  });
  try {
    const address = `${served.url}/mcp`;
    await inspect(bin, [address, "--header", `Authorization: ${served.headers.authorization}`]);
    const keyless = await run(bin, ["inspector", "--cli", address, "--method", "tools/list"]);
    assert.match(keyless.stderr, /auth_required/);
    // The process in the background runs until the server ends.
    assert.ok((await left()).includes(`sleep ${SLEEP} `));
  } finally {
    await served.end("SIGTERM");
  }
}

/** The result of the tool that the model got, after two requests. */
function carriedBack(api: typeof responsesApi | typeof geminiApi): Record<string, unknown> {
  const asked = mock.mock.journal.entries.map(({ path, body, scenario, step }) => ({
    results: api.parse(body, { path, query: "alt=sse" }).toolResults,
    answered: `${scenario} ${step}`,
  }));
  mock.mock.journal.clear();
  assert.deepEqual(asked.map(({ answered }) => answered), ["runs-once 0", "runs-once 1"]);
  assert.deepEqual(asked.map(({ results }) => results.length), [0, 1]);
  const text = asked[1]?.results[0] ?? "";
  return JSON.parse(/^\{"status".*\}$/m.exec(text)?.[0] ?? assert.fail(text));
}

async function printedConfig(client: string): Promise<string> {
  const { code, stdout, stderr } = await run("", ["llmcmd", "mcp", "--print-config", client]);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function useCodex(bin: string): Promise<void> {
  await Deno.writeTextFile(
    `${home}/config.toml`,
    'model = "gpt-5.1"\nmodel_provider = "mock"\n' +
      `[model_providers.mock]\nname = "mock"\nbase_url = "${url}/v1"\nenv_key = "KEY"\n` +
      'wire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n' +
      // Nobody can approve the call.
      `${await printedConfig("codex")}default_tools_approval_mode = "approve"\n`,
  );
  const options = { input: "Run the line", env: { CODEX_HOME: home, KEY: "key" } };
  const args = ["exec", "--ephemeral", "--skip-git-repo-check", "-"];
  const { code, stdout, stderr } = await run(bin, ["codex", ...args], options);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "It ran.\n");
  assertRan(carriedBack(responsesApi));
}

async function useGemini(bin: string): Promise<void> {
  // Gemini configures servers as Claude does.
  const servers = JSON.parse(await printedConfig("claude"));
  const security = { auth: { selectedType: "gemini-api-key" } };
  await Deno.writeTextFile(
    `${home}/.gemini/settings.json`,
    JSON.stringify({ ...servers, security }),
  );
  const env = {
    GEMINI_API_KEY: "key",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  };
  const args = ["-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-o", "json"];
  const asked = await run(bin, ["gemini", ...args], { input: "Run the line", env });
  assert.equal(asked.code, 0, asked.stderr);
  assert.equal(JSON.parse(asked.stdout).response, "It ran.");
  assertRan(carriedBack(geminiApi));
}

/** Processes of a client, of our server, or of its commands. */
async function left(): Promise<string[]> {
  const all = await processes();
  return all
    .filter(({ cwd, command }) =>
      [cwd, command].some((it) => it.includes(root)) || command.includes(SLEEP)
    )
    .map(({ command }) => command.replaceAll("\0", " "));
}

/** Asserts that after at most 10 seconds no process and no temporary file of ours is left. */
async function assertNothingLeft(): Promise<void> {
  let survivors = await left();
  for (let look = 0; look < 200 && survivors.length > 0; look++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    survivors = await left();
  }
  assert.deepEqual(survivors, []);
  const files = Array.from(Deno.readDirSync(`${root}/tmp`), ({ name }) => name);
  assert.deepEqual(files.filter((name) => name.startsWith("llmcmd")), []);
}

const CLIENTS: Record<string, () => Promise<void>> = {
  "inspector, stdio": async () =>
    await inspect(await installInspector(AGENTS_FOLDER), ["llmcmd", "mcp"]),
  "inspector, HTTP": async () => await inspectOverHttp(await installInspector(AGENTS_FOLDER)),
  codex: async () => await useCodex(await installAgents(AGENTS_FOLDER)),
  gemini: async () => await useGemini(await installAgents(AGENTS_FOLDER)),
};

let [passed, failed] = [0, 0];
try {
  for (const [client, use] of Object.entries(CLIENTS)) {
    if (Deno.args.length > 0 && !Deno.args.some((name) => client.startsWith(name))) continue;
    const begin = performance.now();
    try {
      await use();
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      await assertNothingLeft();
      console.info(`${client}\t${seconds} s\t0 processes left`);
      passed++;
    } catch (error) {
      failed++;
      console.error(`${client}: ${error instanceof Error ? error.message : error}`);
    }
  }
} finally {
  await endpoint.shutdown();
  await Deno.remove(root, { recursive: true });
}
console.info(`${passed} passed, ${failed} failed`);
Deno.exit(passed > 0 && failed === 0 ? 0 : 1);
