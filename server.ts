/**
 * The server, for `deno serve`. It has the mock LLM under `/mock`; the base URL of its OpenAI API is
 * `http://HOST:PORT/mock/v1`.
 *
 * If `LLMCMD_SERVE_TOKEN` is set, the chat with the coding agent is at `/`, for requests with that
 * token: `http://HOST:PORT/?token=TOKEN`. Without a token there is no chat, as `deno serve` may
 * accept connections from everywhere. The chat reads the same environment as `llmcmd serve` and needs
 * `--allow-all`.
 *
 * If `LLMCMD_GATEWAY_MODELS` names a file of models, this machine's CLI agents answer beside the
 * chat, as under `llmcmd proxy`: their API at `/v1`, their page at `/gateway`, with the same token.
 *
 * ```sh
 * deno serve --host 127.0.0.1 server.ts
 * LLMCMD_SERVE_TOKEN=$(openssl rand -hex 16) deno serve --host 127.0.0.1 --allow-all server.ts
 * LLMCMD_SCENARIOS=scenarios deno serve --host 127.0.0.1 \
 *   --allow-env=LLMCMD_SCENARIOS --allow-read=scenarios server.ts
 * ```
 *
 * `LLMCMD_SCENARIOS` names a scenario file, or a folder of them. If it is not set or may not be read,
 * the mock answers from the bundled scenarios (`spec.json`, `examples.json`, `faults.json`) and needs
 * no permission.
 *
 * @module
 */
import examples from "./scenarios/examples.json" with { type: "json" };
import faults from "./scenarios/faults.json" with { type: "json" };
import spec from "./scenarios/spec.json" with { type: "json" };
import { mergeScenarios, parseScenarios, type ScenarioFile } from "./src/mock/mod.ts";
import type { FetchApp } from "./src/web/http/mod.ts";
import { mockApp } from "./src/web/mock/mod.ts";
import { serverApp } from "./src/web/server/mod.ts";

const mounts: FetchApp = serverApp([{
  path: "/mock",
  about: "Mock LLM: OpenAI's and Anthropic's APIs at /mock/v1, Gemini's at /mock/v1beta, " +
    "the requests so far at /mock/__mock/journal",
  app: mockApp({ base: "/mock", scenarios: await loadScenarios() }),
}]);

/** The app that `deno serve` runs. */
const server: FetchApp = await withChat(mounts);

export default server;

/** Puts the chat in front of the mounted apps, if a token is set. */
async function withChat(mounts: FetchApp): Promise<FetchApp> {
  const token = await variable("LLMCMD_SERVE_TOKEN");
  if (token === undefined) return mounts;
  const { tokenChat } = await import("./src/cli/mod.ts");
  const models = await variable("LLMCMD_GATEWAY_MODELS");
  const app = await tokenChat(token, (message) => console.warn(message), models);
  return {
    fetch: (request) =>
      /^\/mock(\/|$)/.test(new URL(request.url).pathname)
        ? mounts.fetch(request)
        : app.fetch(request),
  };
}

async function loadScenarios(): Promise<ScenarioFile> {
  const path = await variable("LLMCMD_SCENARIOS");
  if (path !== undefined) {
    const { scenariosAt } = await import("./src/cli/mod.ts");
    return await scenariosAt([path]);
  }
  return mergeScenarios([
    parseScenarios(examples, "examples.json"),
    parseScenarios(faults, "faults.json"),
    parseScenarios(spec, "spec.json"),
  ]);
}

/** The value of a variable; `undefined` if it is not set or may not be read. */
async function variable(name: string): Promise<string | undefined> {
  const { state } = await Deno.permissions.query({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) || undefined : undefined;
}
