import { messageOf } from "../base/mod.ts";
import { describeIssues } from "./_issues.ts";
import { scenarioFileSchema } from "./_schema.ts";
import type { ScenarioFile } from "./scenario.ts";

/**
 * Checks the decoded JSON of a scenario file.
 *
 * Fields that the format does not know are errors, so that a misspelt one is not ignored in
 * silence; only a `$schema` at the top is allowed and dropped.
 *
 * @throws {TypeError} naming the file and the place in it, such as
 * `scenarios.json: scenarios[0].steps[1].response.content: Expected string, received number`.
 *
 * @example
 * ```ts
 * import { parseScenarios } from "@llmcmd/llmcmd/mock";
 *
 * const file = parseScenarios({
 *   scenarios: [{ name: "hi", trigger: "hello", steps: [{ response: { content: "Hello!" } }] }],
 * }, "scenarios.json");
 * if (file.scenarios[0]?.trigger !== "hello") throw new Error("unexpected");
 * ```
 */
export function parseScenarios(value: unknown, file: string): ScenarioFile {
  const result = scenarioFileSchema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = describeIssues(result.error.issues);
  throw new TypeError(path === "" ? `${file}: ${message}` : `${file}: ${path}: ${message}`);
}

/**
 * Decodes and checks the text of a scenario file; a byte order mark is skipped.
 *
 * @throws {SyntaxError} naming the file, when the text is not JSON.
 * @throws {TypeError} as {@linkcode parseScenarios}.
 */
export function parseScenarioText(text: string, file: string): ScenarioFile {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch (error) {
    throw new SyntaxError(`${file}: ${messageOf(error)}`);
  }
  return parseScenarios(value, file);
}

/**
 * Joins scenario files into one, in the order given (for a folder: by file name). The first
 * default response wins, as the first scenario that matches does.
 */
export function mergeScenarios(files: readonly ScenarioFile[]): ScenarioFile {
  const fallback = files.find((file) => file.default_response !== undefined)?.default_response;
  return {
    scenarios: files.flatMap((file) => file.scenarios),
    ...(fallback === undefined ? {} : { default_response: fallback }),
  };
}
