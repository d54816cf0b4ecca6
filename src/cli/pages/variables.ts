/** Every variable of `llmcmd`, each a key of its configuration files too. */
export const VARIABLES = [
  { key: "OPENAI_API_KEY", about: "the key (required)" },
  { key: "OPENAI_BASE_URL", about: "the endpoint (https://api.openai.com/v1)" },
  { key: "LLMCMD_MODEL", about: "the model (gpt-4o-mini)" },
  {
    key: "LLMCMD_INTERNAL_MODEL",
    about: "the model of LLMCMD with top_level false, see fsproxy (gpt-4o-mini)",
  },
  { key: "LLMCMD_MAX_INPUT_BYTES", about: "most bytes of one input (10M)" },
  { key: "LLMCMD_MAX_OUTPUT_BYTES", about: "most bytes of output (10M)" },
  {
    key: "LLMCMD_READ_BUFFER_SIZE",
    about: "bytes of one read, if the model doesn't say (4K)",
  },
  { key: "LLMCMD_MAX_API_CALLS", about: "most calls of the API, retries counted (50)" },
  { key: "LLMCMD_TIMEOUT", about: "seconds after which the run is stopped (300)" },
  { key: "LLMCMD_MAX_TOKENS", about: "most tokens of one answer (4096)" },
  {
    key: "LLMCMD_MAX_TOKENS_BUDGET",
    about: "most tokens of the run, weighted (0: no limit)",
  },
  {
    key: "LLMCMD_FIRST_TOKEN_TIMEOUT",
    about: "seconds until an answer begins or goes on (those of the run)",
  },
  {
    key: "LLMCMD_MAX_RETRY_WAIT",
    about: "most seconds that a Retry-After is waited for (60)",
  },
] as const;

/** A key of the configuration. */
export type Key = typeof VARIABLES[number]["key"];

/** Every key of the configuration; each is an environment variable too. */
export const KEYS: readonly Key[] = VARIABLES.map(({ key }) => key);
