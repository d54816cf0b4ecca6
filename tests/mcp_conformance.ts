/**
 * Checks the MCP server with the official conformance suite, for each revision. Run by `deno task
 * test:mcp`; not part of `deno task test`, as it needs the npm registry.
 *
 * It tests two servers, both behind the guard of `mcpApp`. The first is made by our factory, with
 * the tools, resources and prompts that the suite needs, and must pass every scored scenario. The
 * second has the CLI tools. Of the scenarios that are not scored, those fail that are about tasks,
 * an extension that our servers do not have, and about tools whose input goes into HTTP headers,
 * which none of ours needs.
 */
import { openCliTools } from "../src/cli/mcp/mcp.ts";
import { type McpHandler, mcpHandler } from "../src/mcp/mod.ts";
import { mcpApp } from "../src/web/mcp/mod.ts";
import { fixtureHandler } from "./mcp_fixtures/fixture_server.ts";

const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** The revisions, and the number of scenarios that the suite scores for each. */
const SCORED: Readonly<Record<string, number>> = { "2025-11-25": 30, "2026-07-28": 37 };

/** Scenarios that apply to the CLI tools. */
const TRANSPORT: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
  ],
  "2026-07-28": ["tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"],
};

const about = { name: "llmcmd", version: "0" };
const onError = () => {};

/** Serves a handler while `use` runs, then closes it. The suite sends no key, so this adds it. */
async function serving(
  handler: McpHandler,
  use: (url: string) => Promise<boolean>,
): Promise<boolean> {
  const token = crypto.randomUUID();
  const app = mcpApp({ handler, token });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${token}`);
    return app.fetch(new Request(request, { headers }));
  });
  try {
    return await use(`http://localhost:${server.addr.port}/mcp`);
  } finally {
    await handler.close();
    await server.shutdown();
  }
}

/** Runs the suite; resolves to its output, and to true if there was no failure. */
async function runSuite(
  url: string,
  args: readonly string[],
): Promise<{ text: string; passed: boolean }> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-lock", "--quiet", "--allow-all", SUITE, "server", "--url", url, ...args],
    stdout: "piped",
    stderr: "inherit",
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (!success) console.info(text);
  return { text, passed: success };
}

/** Runs all scenarios of a revision; resolves to true if each scored one has passed. */
async function conforms(url: string, revision: string, scored: number): Promise<boolean> {
  const { text, passed } = await runSuite(url, ["--requirements", revision]);
  const unscored = new Set(
    Array.from(text.matchAll(/^ +[\u2713\u2717] (\S+) \(/gm), ([, name]) => name),
  );
  const results = [...text.matchAll(/^([\u2713\u2717]) (\S+): /gm)].filter(([, , name]) =>
    !unscored.has(name)
  );
  const good = results.filter(([, mark]) => mark === "\u2713").length;
  console.info(`${revision}: ${good} of ${results.length} scored scenarios pass`);
  return passed && good === scored && results.length === scored;
}

/** Runs a scenario; resolves to true if it has passed. */
async function passes(url: string, revision: string, scenario: string): Promise<boolean> {
  const args = ["--scenario", scenario, "--spec-version", revision];
  const { text, passed } = await runSuite(url, args);
  const [line, count] = /^Passed: (\d+)\/\1, 0 failed, 0 warnings$/m.exec(text) ?? [];
  console.info(`${revision}, the CLI tools: ${scenario}: ${line ?? "failed"}`);
  return passed && Number(count) > 0;
}

const failures: string[] = [];
for (const [revision, scored] of Object.entries(SCORED)) {
  const handler = await fixtureHandler(about, onError);
  const passed = await serving(handler, (url) => conforms(url, revision, scored));
  if (!passed) failures.push(revision);
}
{
  await using cli = await openCliTools({
    ...{ owner: "test", program: "test", sandbox: "none", allow: [] },
    warn() {},
  });
  for (const [revision, scenarios] of Object.entries(TRANSPORT)) {
    for (const scenario of scenarios) {
      const handler = await mcpHandler({ tools: cli.tools, about, onError });
      const passed = await serving(handler, (url) => passes(url, revision, scenario));
      if (!passed) failures.push(`${scenario} at ${revision}, with the CLI tools`);
    }
  }
}
if (failures.length > 0) console.error(`Not as it should be: ${failures.join(", ")}`);
Deno.exit(failures.length === 0 ? 0 : 1);
