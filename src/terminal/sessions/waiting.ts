import type { Member, TerminalFacts } from "./facts.ts";

/** The program of a session, as far as the rule needs to know it. */
export interface WatchedProgram {
  /** Its process id. */
  readonly pid: number;
  /** Name of its shell, such as `bash`; `undefined` if it is not an interactive shell. */
  readonly shell: string | undefined;
}

/** The judgement on a terminal at one moment: which program waits for input. */
export interface Verdict {
  /** True if a program waits for input; false if the shell is at its prompt. */
  readonly waiting: boolean;
  /** True if the interactive shell is at its prompt. */
  readonly atPrompt: boolean;
  /** Input mode of the terminal. */
  readonly inputMode: "line" | "password" | "raw" | null;
  /** Name of the program in the foreground. */
  readonly foreground: string | null;
  /** `low` if the system does not reveal it, so that silence decided. */
  readonly confidence: "high" | "low";
}

/** The verdict before anything is known. */
export const UNKNOWN: Verdict = {
  waiting: false,
  atPrompt: false,
  inputMode: null,
  foreground: null,
  confidence: "low",
};

/**
 * Milliseconds of silence that count as waiting if the system does not reveal which program waits.
 */
const SILENCE = 3000;

/** Shells with a line editor of their own: if they read whole lines, it is their builtin `read`. */
const EDITING: ReadonlySet<string> = new Set(["bash", "zsh", "fish", "ksh", "mksh"]);

/**
 * Judges whether a program waits for input from the terminal, by the states of the processes in the
 * foreground group instead of the look of a prompt. A program waits if one of them is blocked on
 * the terminal, none of them runs, and no input or output is in transit. A shell may be at its
 * prompt while others of them run.
 *
 * One moment can mislead: a program may be about to continue. So only two equal verdicts some time
 * apart, without output between them, count.
 *
 * `silence`: milliseconds since the last output or input.
 */
export function judge(facts: TerminalFacts, program: WatchedProgram, silence: number): Verdict {
  const { members, canonical, echo } = facts;
  const waiter = members.find((member) => !member.stopped && blockedOn(member) !== undefined);
  const leader = waiter ?? members.find(({ pid }) => pid === facts.foreground) ?? members[0];
  const mode = canonical === null
    ? null
    : !canonical
    ? "raw"
    : echo === false
    ? "password"
    : "line";
  const known = { inputMode: mode, foreground: leader?.name ?? null } as const;
  const idle = { ...known, waiting: false, atPrompt: false, confidence: "high" } as const;
  if (members.length === 0) return { ...idle, confidence: "low" };
  if (facts.busy || facts.queued > 0) return idle;
  // A shell starts the user's programs in groups of their own. Others in its group do not block its
  // prompt, such as the program that looks through the manual pages for fish.
  if (waiter !== undefined && !isRunning(waiter) && isPrompt(waiter, facts, program)) {
    return { ...idle, atPrompt: true, inputMode: "line" };
  }
  if (members.some((member) => member.stopped || isRunning(member))) return idle;
  if (waiter !== undefined) return { ...idle, waiting: true };
  const unknown = members.some(({ waits }) => waits.includes("unknown"));
  if (!unknown) return idle;
  // Such as sudo, whose state the system hides. Missing echo alone is no sign: a program may have
  // turned it off while it works.
  if (mode === "password") return { ...idle, waiting: true };
  const low = { ...idle, confidence: "low" } as const;
  if (silence < SILENCE) return low;
  const shell = program.shell !== undefined && facts.foreground === program.pid &&
    members.length === 1;
  return shell && mode !== "line"
    ? { ...low, atPrompt: true, inputMode: "line" }
    : { ...low, waiting: true };
}

function isRunning({ waits }: Member): boolean {
  return waits.includes("running");
}

/** The way in which a process is blocked on the terminal; `undefined` if it is not. */
function blockedOn({ waits }: Member): "read" | "read1" | "poll" | undefined {
  for (const way of ["read", "read1", "poll"] as const) if (waits.includes(way)) return way;
  return undefined;
}

/** True if the waiting process is the interactive shell at its prompt. */
function isPrompt(waiter: Member, { canonical }: TerminalFacts, program: WatchedProgram): boolean {
  const { shell } = program;
  if (shell === undefined || waiter.pid !== program.pid) return false;
  const way = blockedOn(waiter);
  // A shell without a line editor reads a line at its prompt, and byte by byte in its builtin
  // `read`.
  if (canonical === true) return !EDITING.has(shell) && way === "read";
  // The line editor of bash polls the terminal before it reads; `read -n` does not.
  return shell !== "bash" || way === "poll";
}

/** True if two verdicts are equal. */
export function agree(a: Verdict, b: Verdict): boolean {
  return a.waiting === b.waiting && a.atPrompt === b.atPrompt && a.inputMode === b.inputMode &&
    a.foreground === b.foreground && a.confidence === b.confidence;
}
