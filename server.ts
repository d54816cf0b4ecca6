/**
 * The server, for `deno serve`: mounts what exists, so far the mock LLM under `/mock` (the base URL
 * of its OpenAI API is `http://HOST:PORT/mock/v1`).
 *
 * ```sh
 * deno serve --host 127.0.0.1 server.ts
 * LLMCMD_SCENARIOS=scenarios deno serve --host 127.0.0.1 \
 *   --allow-env=LLMCMD_SCENARIOS --allow-read=scenarios server.ts
 * ```
 *
 * Without `LLMCMD_SCENARIOS` (a scenario file, or a folder of them), or without the permission to
 * read that variable, it answers from the scenarios of the specification and of the README, and
 * needs no permission.
 *
 * @module
 */
import examples from "./scenarios/examples.json" with { type: "json" };
import faults from "./scenarios/faults.json" with { type: "json" };
import spec from "./scenarios/spec.json" with { type: "json" };
import {
  mergeScenarios,
  parseScenarios,
  parseScenarioText,
  type ScenarioFile,
} from "./src/mock/mod.ts";
import { type FetchApp, mockApp, serverApp } from "./src/web/mod.ts";

const VARIABLE = "LLMCMD_SCENARIOS";

/** What `deno serve` runs. */
const server: FetchApp = serverApp([{
  path: "/mock",
  about: "Mock LLM: OpenAI's API at /mock/v1, the requests so far at /mock/__mock/journal",
  app: mockApp({ base: "/mock", scenarios: await loadScenarios() }),
}]);

export default server;

async function loadScenarios(): Promise<ScenarioFile> {
  const { state } = await Deno.permissions.query({ name: "env", variable: VARIABLE });
  const path = state === "granted" ? Deno.env.get(VARIABLE) : undefined;
  if (path !== undefined && path !== "") return await readScenarios(path);
  return mergeScenarios([
    parseScenarios(examples, "examples.json"),
    parseScenarios(faults, "faults.json"),
    parseScenarios(spec, "spec.json"),
  ]);
}

/** Reads a file, or the `.json` files of a folder in the order of their names. */
async function readScenarios(path: string): Promise<ScenarioFile> {
  const files = [path];
  if ((await Deno.stat(path)).isDirectory) {
    files.length = 0;
    for await (const { name } of Deno.readDir(path)) {
      if (name.endsWith(".json")) files.push(`${path}/${name}`);
    }
    if (files.length === 0) throw new TypeError(`${path}: The folder has no .json file`);
  }
  return mergeScenarios(
    await Promise.all(
      files.sort().map(async (file) => parseScenarioText(await Deno.readTextFile(file), file)),
    ),
  );
}
