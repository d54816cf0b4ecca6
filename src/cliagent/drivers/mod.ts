/**
 * The CLIs that the gateway supports: how each is started without a terminal, and how its output
 * becomes events.
 *
 * @module
 */
import type { DriverName } from "../registry/mod.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import type { Driver } from "./driver.ts";
import { gemini } from "./gemini.ts";
import { generic } from "./generic.ts";
import { qwen } from "./qwen.ts";

export type {
  AgentCommand,
  AgentUsage,
  CliEvent,
  CliOutcome,
  CliSession,
  Driver,
  DriverRequest,
  OutputParser,
} from "./driver.ts";
export { LineSplitter } from "./lines.ts";
export { noOutput, normaliseOutput } from "./normalise.ts";

/** The drivers by name. */
export const drivers: Readonly<Record<DriverName, Driver>> = {
  codex,
  qwen,
  gemini,
  claude,
  generic,
};
