/** The expected reactions of the command to failures of an endpoint. */

/** One fault of `scenarios/faults.json` and what a user sees of it. */
export interface FaultCase {
  /** The instructions, which the mock answers with the fault. */
  readonly trigger: string;
  readonly code: number;
  readonly stdout: string;
  /** Matches the line on standard error; `undefined` if there is none. */
  readonly message: RegExp | undefined;
  /** The number of requests that the endpoint gets. */
  readonly requests: number;
  /** The run's `LLMCMD_TIMEOUT`, for faults that only a time limit ends. */
  readonly timeout?: string;
}

const ANSWER = "The answer arrives whole.\n";

/** The faults of an endpoint that every client meets first. */
export const FAULTS: readonly FaultCase[] = [
  { trigger: "fault 429 then success", code: 0, stdout: ANSWER, message: undefined, requests: 2 },
  {
    trigger: "fault Retry-After 300",
    code: 3,
    stdout: "",
    message: /429.*asks to wait 300 s, longer than the \d+(\.\d)? s left/,
    requests: 1,
    timeout: "20",
  },
  {
    trigger: "fault 500 three times",
    code: 3,
    stdout: "",
    message: /500.*\(3 attempts\)/,
    requests: 3,
  },
  {
    trigger: "fault cut stream",
    code: 3,
    stdout: "",
    message: /^llmcmd: Connection to \S+ failed/,
    requests: 1,
  },
  { trigger: "fault clean end", code: 3, stdout: "", message: /finish_reason/, requests: 1 },
  { trigger: "fault HTML with 200", code: 3, stdout: "", message: /text\/html/, requests: 1 },
  { trigger: "fault redirect", code: 3, stdout: "", message: /redirect/i, requests: 1 },
  { trigger: "fault malformed JSON", code: 3, stdout: "", message: /JSON/, requests: 1 },
  {
    trigger: "fault stall",
    code: 6,
    stdout: "",
    message: /LLMCMD_TIMEOUT/,
    requests: 1,
    timeout: "3",
  },
  {
    trigger: "fault hang",
    code: 6,
    stdout: "",
    message: /LLMCMD_TIMEOUT/,
    requests: 1,
    timeout: "3",
  },
];
