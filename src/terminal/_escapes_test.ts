/**
 * Shared by `kill_test.ts` and `bench/kill.ts`: ways to escape a kill, and a way to keep the
 * machine busy.
 */
import { alive, type Available, cleanUp, newToken, until } from "./_testing.ts";
import { CommandSession, type Survivors } from "./mod.ts";

/**
 * Ways to escape; each starts a process that sleeps for `$T` seconds, a number by which it is
 * found.
 */
export const KINDS: Readonly<Record<string, string>> = {
  "plain background": "sleep $T &",
  nohup: "nohup sleep $T >/dev/null 2>&1 &",
  setsid: "setsid sleep $T >/dev/null 2>&1 &",
  "TERM ignored": "(trap '' HUP INT QUIT TERM; sleep $T) >/dev/null 2>&1 &",
  "double fork": "( (sleep $T &) & ) >/dev/null 2>&1",
  "double fork, environment cleared": "(env -i sleep $T &) >/dev/null 2>&1",
  "setsid, double fork, environment cleared":
    `(env -i setsid bash -c "sleep $T & disown" &) </dev/null >/dev/null 2>&1`,
  "restarts its child": "(while :; do sleep $T; done) >/dev/null 2>&1 &",
};

/**
 * Ways to be a new process at every look: each forks and exits without pause, with the token in its
 * command line. Each new process writes a file `beat`, because a look at the process table can miss
 * it. They end by themselves after half a minute, because missed ones could not be cleaned up.
 */
export const FORKING: Readonly<Record<string, string>> = {
  "fork loop":
    "(i=0; while [ $((i += 1)) -lt 3000 ]; do (sleep $T &); done) >/dev/null 2>&1 &\nsleep 0.2",
  hop: "perl -e 'while (time < $^T + 30) { open F, \">beat\"; close F; exit if fork }' $T " +
    ">/dev/null 2>&1 &",
  "hop, a session each": "env -i perl -MPOSIX=setsid " +
    "-e 'while (time < $^T + 30) { open F, \">beat\"; close F; exit if fork; setsid }' $T " +
    ">/dev/null 2>&1 &",
  "hop, a program each":
    "export H='[ $(date +%s) -lt $1 ] && : >beat && (bash -c \"$H\" $0 $1 &)'\n" +
    'bash -c "$H" $T $(($(date +%s) + 30)) >/dev/null 2>&1 &',
  "hop, a session and a program each":
    "export H='[ $(date +%s) -lt $1 ] && : >beat && (setsid bash -c \"$H\" $0 $1 &)'\n" +
    'bash -c "$H" $T $(($(date +%s) + 30)) >/dev/null 2>&1 &',
};

/** Ways to end a command. */
export type End = "timeout" | "abort" | "dispose";

/** The result of one attempt to escape. */
export interface Escape {
  /** Processes seen before the kill; 1 if only the file `beat` showed them. */
  readonly before: number;
  /** Processes seen after the kill; 0 stands for one that still wrote `beat`. */
  readonly after: readonly number[];
  /** The survivors that the result reported. */
  readonly reported: Survivors;
  /** The error of disposing the session, if it failed. */
  readonly failure: string | undefined;
  /** Milliseconds from the beginning of the kill to its end; meaningless for time-outs. */
  readonly took: number;
  /** The command's output and its end. */
  readonly text: string;
  readonly design: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
}

/**
 * Runs one kind of escape and ends it in one way. A time-out before anything has started, as on a
 * busy machine, proves nothing: then it is tried again with a longer one.
 */
export async function escape(available: Available, start: string, end: End): Promise<Escape> {
  if (end !== "timeout") return await escapeOnce(available, start, end, 60_000);
  const first = await escapeOnce(available, start, end, 2500);
  return first.before >= 1 ? first : await escapeOnce(available, start, end, 30_000);
}

async function escapeOnce(
  { design, sandbox }: Available,
  start: string,
  end: End,
  timeout: number,
): Promise<Escape> {
  const token = newToken();
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  const hops = start.includes("beat");
  const session = new CommandSession({ cwd, sandbox, killDesigns: [design] });
  const abort = new AbortController();
  const seen = Promise.withResolvers<void>();
  let failure: string | undefined;
  const dispose = () =>
    session[Symbol.asyncDispose]().catch((error: Error) => {
      failure = error.message;
    });
  try {
    const running = session.run(`T=${token}\n${start}\necho started; sleep 60`, {
      timeout,
      signal: abort.signal,
      onOutput: () => seen.resolve(),
    });
    let over = false;
    const ended = running.finally(() => over = true);
    await Promise.race([seen.promise, ended]);
    let before = 0;
    // The command's own shell is not counted.
    await until(() => {
      before = hops ? beat(cwd) && 1 : alive(token, "echo started").length;
      return before >= 1 || over;
    });
    const begin = performance.now();
    if (end === "abort") abort.abort();
    if (end === "dispose") await dispose();
    const result = await ended;
    const took = performance.now() - begin;
    const after = await watch(token, hops ? 10 : 1);
    if (hops) {
      const last = beat(cwd);
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (beat(cwd) !== last) after.push(0);
    }
    const { survivors: reported, text, killDesign, timedOut, aborted } = result;
    await dispose();
    return { before, after, reported, failure, took, text, design: killDesign, timedOut, aborted };
  } finally {
    await dispose();
    cleanUp(token);
    await Deno.remove(cwd, { recursive: true });
  }
}

/** Time of the last write to the file `beat`; 0 if there was none. */
function beat(folder: string): number {
  try {
    return Deno.statSync(`${folder}/beat`).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

/** Looks several times, because one look can miss processes that are replaced every millisecond. */
async function watch(token: string, looks: number): Promise<number[]> {
  for (let look = 0; look < looks; look++) {
    // bubblewrap's first process ends by itself a moment after it has reported the end.
    const found = alive(token, "--die-with-parent");
    if (found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await until(() => alive(token).length === 0, 10_000);
  return alive(token);
}

/** Keeps the machine busy with that many loops; every second one starts programs. */
export function load(loops: number): AsyncDisposable {
  const children = Array.from({ length: loops }, (_, n) =>
    new Deno.Command("bash", {
      args: ["-c", n % 2 === 0 ? "while :; do :; done" : "while :; do /bin/true; done"],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn());
  return {
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(children.map((child) => child.status));
    },
  };
}
