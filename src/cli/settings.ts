import { closest } from "../base/mod.ts";
import { DEFAULT_MAX_TOKENS, defaultLimits, type LlmcmdLimits } from "../llmcmd/mod.ts";
import { type ConfigEntry, ConfigError } from "./config_file.ts";
import { type Key, KEYS } from "./pages/mod.ts";
import { parseSize, SIZES } from "./sizes.ts";
import {
  checkApiKey,
  checkBaseUrl,
  DEFAULT_BASE_URL,
  PATIENCE_NAMES,
  type Setting,
} from "./endpoint_settings.ts";

/** The model when nothing else is set. */
export const DEFAULT_MODEL = "gpt-4o-mini";

/** What configuration files and environment say. */
export interface Settings {
  /** Absent when no key is set. */
  readonly apiKey?: string;
  readonly baseUrl: string;
  readonly model: string;
  /** The model of tasks below other tasks. */
  readonly internalModel: string;
  /** Tokens of one answer at most. */
  readonly maxTokens: number;
  readonly limits: LlmcmdLimits;
  /** How long the endpoint is waited for, in milliseconds. */
  readonly patience: { readonly firstTokenTimeout: number; readonly maxRetryWait: number };
}

/** What raises the limits that end a run. */
export const LIMIT_NAMES = {
  apiCalls: "LLMCMD_MAX_API_CALLS",
  inputBytes: "LLMCMD_MAX_INPUT_BYTES",
  outputBytes: "LLMCMD_MAX_OUTPUT_BYTES",
  seconds: "LLMCMD_TIMEOUT",
  tokens: "LLMCMD_MAX_TOKENS_BUDGET",
} as const;

/** Most bytes that the read tool gives at once. */
const MOST_READ = 64 * 1024;
/** Most seconds that a timer can wait: 2 to the 31 milliseconds. */
const MOST_SECONDS = 2_147_483;

/** Keys of the coding agent, which reads the same files. */
export const OF_AGENT = /^(LLM|LLMCMD_AGENT|LLMCMD_SERVE)_/;

/** Adds a file's entries to those that came before, which count first; warns of unknown keys. */
export function addEntries(
  settings: Map<Key, Setting>,
  entries: readonly ConfigEntry[],
  file: string,
  warn: (message: string) => void,
): void {
  const own = new Map<Key, Setting>();
  for (const { key, value, line } of entries) {
    if (isKey(key)) {
      own.set(key, { value, from: file });
    } else if (!OF_AGENT.test(key)) {
      const near = closest(key, KEYS);
      const hint = near === undefined ? "" : `; did you mean ${near}?`;
      warn(`${file}, line ${line}: the key ${key} is not known${hint}`);
    }
  }
  for (const [key, setting] of own) {
    if (!settings.has(key) && setting.value !== "") settings.set(key, setting);
  }
}

function isKey(key: string): key is Key {
  return KEYS.some((known) => known === key);
}

/**
 * Checks every value.
 *
 * @throws {ConfigError} naming the key and where its value comes from.
 */
export function checkSettings(
  settings: ReadonlyMap<Key, Setting>,
  warn: (message: string) => void,
): Settings {
  const number = (key: Key, fallback: number, rule: NumberRule): number => {
    const setting = settings.get(key);
    return setting === undefined ? fallback : parseNumber(key, setting, rule);
  };
  const readBufferSize = number("LLMCMD_READ_BUFFER_SIZE", defaultLimits.readBufferSize, BYTES);
  if (readBufferSize > MOST_READ) {
    warn(`LLMCMD_READ_BUFFER_SIZE is ${readBufferSize}: a read gives at most ${MOST_READ} bytes`);
  }
  const apiKey = settings.get("OPENAI_API_KEY");
  return {
    ...(apiKey === undefined ? {} : { apiKey: checkApiKey("OPENAI_API_KEY", apiKey) }),
    baseUrl: checkBaseUrl("OPENAI_BASE_URL", settings.get("OPENAI_BASE_URL")) ?? DEFAULT_BASE_URL,
    model: settings.get("LLMCMD_MODEL")?.value ?? DEFAULT_MODEL,
    internalModel: settings.get("LLMCMD_INTERNAL_MODEL")?.value ?? DEFAULT_MODEL,
    maxTokens: number(
      "LLMCMD_MAX_TOKENS",
      DEFAULT_MAX_TOKENS,
      wholeNumber("tokens, at least 1", 1),
    ),
    limits: {
      ...defaultLimits,
      names: LIMIT_NAMES,
      inputBytes: number(LIMIT_NAMES.inputBytes, defaultLimits.inputBytes, BYTES),
      outputBytes: number(LIMIT_NAMES.outputBytes, defaultLimits.outputBytes, BYTES),
      readBufferSize: Math.min(readBufferSize, MOST_READ),
      apiCalls: number(
        LIMIT_NAMES.apiCalls,
        defaultLimits.apiCalls,
        wholeNumber("calls, at least 1", 1),
      ),
      seconds: number(LIMIT_NAMES.seconds, defaultLimits.seconds, SECONDS),
      tokens: number(
        LIMIT_NAMES.tokens,
        defaultLimits.tokens,
        wholeNumber("tokens, or 0 for no limit", 0),
      ),
    },
    patience: {
      // Without it the run's own time-out is the limit.
      firstTokenTimeout: 1000 * number(PATIENCE_NAMES.firstTokenTimeout, Infinity, SECONDS),
      maxRetryWait: 1000 * number(PATIENCE_NAMES.maxRetryWait, 60, {
        ...SECONDS,
        what: `a number of seconds, at most ${MOST_SECONDS}`,
        least: 0,
      }),
    },
  };
}

interface NumberRule {
  readonly what: string;
  /** The number that the text is, if it is one. */
  readonly read: (text: string) => number | undefined;
  readonly least: number;
  readonly most: number;
}

const BYTES: NumberRule = {
  what: `${SIZES}, at least 1`,
  read: parseSize,
  least: 1,
  most: Number.MAX_SAFE_INTEGER,
};

const SECONDS: NumberRule = {
  what: `a number of seconds above 0, at most ${MOST_SECONDS}`,
  read: (text) => /^\d*\.?\d+$/.test(text) ? Number(text) : undefined,
  least: Number.MIN_VALUE,
  most: MOST_SECONDS,
};

function wholeNumber(ofWhat: string, least: number): NumberRule {
  return {
    what: `a whole number of ${ofWhat}`,
    read: (text) => /^\d+$/.test(text) ? Number(text) : undefined,
    least,
    most: Number.MAX_SAFE_INTEGER,
  };
}

function parseNumber(key: Key, { value, from }: Setting, rule: NumberRule): number {
  const number = rule.read(value);
  if (number === undefined || number < rule.least || number > rule.most) {
    throw new ConfigError(`${key} in ${from} is ${JSON.stringify(value)}: give ${rule.what}`);
  }
  return number;
}
