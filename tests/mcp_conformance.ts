/**
 * Holds the MCP server to the official conformance suite, as that stands for each revision. Run by
 * `deno task test:mcp`; it is no part of `deno task test`, as it needs the npm registry.
 *
 * Two servers are asked, both behind the guard of `mcpApp`: one of the suite's own tools, as far as a
 * tool of ours can be one, and the CLI tools. Scenarios about what no server of ours offers fail, and
 * are listed here: the suite reports one that is missing in the list, and one that passes all the
 * same.
 */
import * as z from "zod";
import { openCliTools } from "../src/cli/mcp/mcp.ts";
import { mcpHandler } from "../src/mcp/mod.ts";
import { defineTool, Registry } from "../src/tool/mod.ts";
import { mcpApp } from "../src/web/mod.ts";

const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** Scenarios that need resources, prompts, completion, logging, or questions to the user. */
const NOT_OFFERED: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [
    "completion-complete",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "logging-set-level",
    "prompts-get-embedded-resource",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-with-image",
    "prompts-list",
    "resources-list",
    "resources-read-binary",
    "resources-read-text",
    "resources-subscribe",
    "resources-templates-read",
    "resources-unsubscribe",
    "tools-call-audio",
    "tools-call-elicitation",
    "tools-call-embedded-resource",
    "tools-call-image",
    "tools-call-mixed-content",
    "tools-call-sampling",
    "tools-call-with-logging",
  ],
  "2026-07-28": [
    // All but the lists of resources and prompts.
    "caching",
    "completion-complete",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-list-roots",
    "input-required-result-basic-sampling",
    "input-required-result-capability-check",
    "input-required-result-ignore-extra-params",
    "input-required-result-missing-input-response",
    "input-required-result-multi-round",
    "input-required-result-multiple-input-requests",
    "input-required-result-non-tool-request",
    "input-required-result-request-state",
    "input-required-result-result-type",
    "input-required-result-tampered-state",
    "prompts-get-embedded-resource",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-with-image",
    "prompts-list",
    "resources-list",
    "resources-read-binary",
    "resources-read-text",
    "resources-templates-read",
    "sep-2164-resource-not-found",
    // All but four checks, which call tools that ask the user or log.
    "server-stateless",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-image",
    "tools-call-mixed-content",
  ],
};

/** Scenarios that the CLI tools can be asked. */
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

/** The suite's tools that a tool of ours can be. */
function fixtureTools(): Registry {
  const input = z.strictObject({});
  return new Registry([
    defineTool({
      name: "test_simple_text",
      description: "Returns text",
      input,
      execute: () => "This is a simple text response for testing.",
    }),
    defineTool({
      name: "test_error_handling",
      description: "Fails",
      input,
      execute: () => {
        throw new Error("This tool intentionally returns an error for testing");
      },
    }),
    defineTool({
      name: "test_tool_with_progress",
      description: "Reports its progress",
      input,
      async execute(_input, { progress }) {
        for (const step of [0, 50, 100]) {
          progress?.({ progress: step, total: 100, message: `Completed step ${step} of 100` });
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return "Done";
      },
    }),
  ]);
}

/** Serves tools while something is asked of them. The suite knows nothing of a key. */
async function serving(tools: Registry, use: (url: string) => Promise<boolean>): Promise<boolean> {
  const about = { name: "llmcmd", version: "0" };
  const onError = () => {};
  const handler = await mcpHandler({ tools, about, onError });
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

/** Runs the suite; says whether all went as it should. */
async function conforms(url: string, args: readonly string[]): Promise<boolean> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-lock", "--quiet", "--allow-all", SUITE, "server", "--url", url, ...args],
    stdout: "piped",
    stderr: "inherit",
  }).output();
  console.info(args.slice(0, 2).join(" "));
  const text = new TextDecoder().decode(stdout);
  const about = /^Total: .*|^Passed: .*/m.exec(text)?.[0] ?? "";
  console.info(code === 0 ? about : text);
  return code === 0;
}

const folder = await Deno.makeTempDir({ prefix: "llmcmd-conformance-" });
const failures: string[] = [];
try {
  for (const [revision, scenarios] of Object.entries(NOT_OFFERED)) {
    const expected = `${folder}/${revision}.yml`;
    await Deno.writeTextFile(expected, `server:\n${scenarios.map((it) => `  - ${it}\n`).join("")}`);
    const args = ["--requirements", revision, "--expected-failures", expected];
    if (!await serving(fixtureTools(), (url) => conforms(url, args))) failures.push(revision);
  }
  await using cli = await openCliTools({
    ...{ owner: "test", program: "test", sandbox: "none", allow: [] },
    warn() {},
  });
  for (const [revision, scenarios] of Object.entries(TRANSPORT)) {
    for (const scenario of scenarios) {
      const args = ["--scenario", scenario, "--spec-version", revision];
      const passed = await serving(cli.tools, (url) => conforms(url, args));
      if (!passed) failures.push(`${scenario} at ${revision}, with the CLI tools`);
    }
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
if (failures.length > 0) console.error(`Not as it should be: ${failures.join(", ")}`);
Deno.exit(failures.length === 0 ? 0 : 1);
