import type { Member, TerminalFacts } from "./facts.ts";

/** The program of a session, as far as the rule needs to know it. */
export interface WatchedProgram {
  /** Its process id. */
  readonly pid: number;
  /** Name of its shell, such as `bash`; `undefined` if it is no interactive shell. */
  readonly shell: string | undefined;
}

/** Who waits for what, at one moment. */
export interface Verdict {
  /** Whether a program waits for input; false where the shell is at its prompt. */
  readonly waiting: boolean;
  /** Whether the interactive shell is at its prompt. */
  readonly atPrompt: boolean;
  /** How the terminal takes input. */
  readonly inputMode: "line" | "password" | "raw" | null;
  /** Name of the program in the foreground. */
  readonly foreground: string | null;
  /** `low` where the system does not tell, and silence decided. */
  readonly confidence: "high" | "low";
}

/** What is known of nothing. */
export const UNKNOWN: Verdict = {
  waiting: false,
  atPrompt: false,
  inputMode: null,
  foreground: null,
  confidence: "low",
};

/** Milliseconds of silence that count as waiting where the system does not tell who waits. */
const SILENCE = 3000;

/** Shells that edit their line themselves: when they take whole lines, it is their builtin `read`. */
const EDITING: ReadonlySet<string> = new Set(["bash", "zsh", "fish", "ksh", "mksh"]);

/**
 * Judges who waits for the terminal. It looks at what the processes of the foreground group wait
 * for, and not at what a prompt looks like: a program waits when one of them is blocked on the
 * terminal, none of them runs, and no input or output is on its way. A shell is at its prompt also
 * while others of them run.
 *
 * One moment can deceive: a program may be about to go on. So only two equal verdicts some time
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
  // What a shell starts for the user gets a group of its own: what runs beside its prompt does not
  // hold it up, such as the program that looks through the manual pages for fish.
  if (waiter !== undefined && !isRunning(waiter) && isPrompt(waiter, facts, program)) {
    return { ...idle, atPrompt: true, inputMode: "line" };
  }
  if (members.some((member) => member.stopped || isRunning(member))) return idle;
  if (waiter !== undefined) return { ...idle, waiting: true };
  const unknown = members.some(({ waits }) => waits.includes("unknown"));
  if (!unknown) return idle;
  // Such as sudo, of which the system tells nobody what it does. Echo alone is no sign: a worker may
  // have turned it off, too.
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

/** How a process is blocked on the terminal, if it is. */
function blockedOn({ waits }: Member): "read" | "read1" | "poll" | undefined {
  for (const way of ["read", "read1", "poll"] as const) if (waits.includes(way)) return way;
  return undefined;
}

/** Whether who waits is the interactive shell, for its next command. */
function isPrompt(waiter: Member, { canonical }: TerminalFacts, program: WatchedProgram): boolean {
  const { shell } = program;
  if (shell === undefined || waiter.pid !== program.pid) return false;
  const way = blockedOn(waiter);
  // Without an editor of its own it reads a line; its builtin `read` reads byte by byte.
  if (canonical === true) return !EDITING.has(shell) && way === "read";
  // The editor of bash waits for the terminal before it reads; `read -n` does not.
  return shell !== "bash" || way === "poll";
}

/** Whether two verdicts are the same in all that is told. */
export function agree(a: Verdict, b: Verdict): boolean {
  return a.waiting === b.waiting && a.atPrompt === b.atPrompt && a.inputMode === b.inputMode &&
    a.foreground === b.foreground && a.confidence === b.confidence;
}
