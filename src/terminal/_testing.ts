/**
 * Shared by the tests of this room: the kill designs that this machine has, and processes found by
 * a token in their command line.
 */
import { type Missing, missing, optional } from "../../tests/_optional.ts";
import { chooseSandbox, type KillDesign, type Sandbox } from "./mod.ts";

/** A kill design that works on this machine, with its sandbox. */
export interface Available {
  readonly design: KillDesign;
  readonly sandbox: Sandbox;
}

const none = await chooseSandbox("none");
const confined = await chooseSandbox("auto");

/** The missing part of a sandbox; `undefined` if a sandbox works. */
export const noSandbox: Missing | undefined = confined.kind === "bwrap"
  ? undefined
  : missing("bwrap") ?? { reason: confined.reason };

/** All designs; `lacks` is the missing part of those that don't work here. */
const DESIGNS: readonly (Available & { readonly lacks: Missing | undefined })[] = [
  { design: "marks", sandbox: none, lacks: undefined },
  { design: "subreaper", sandbox: none, lacks: missing("python3") ?? await pythonLacks() },
  { design: "namespace", sandbox: confined, lacks: noSandbox },
];

/** The designs that work here. */
export const availableDesigns: readonly Available[] = DESIGNS.filter(({ lacks }) =>
  lacks === undefined
);

/** The part that the installed Python lacks for the keeper in Python. */
async function pythonLacks(): Promise<Missing | undefined> {
  const { success } = await new Deno.Command("python3", {
    args: ["-c", "import ctypes; ctypes.CDLL(None).prctl"],
    stderr: "null",
  }).output();
  return success ? undefined : { reason: "python3 has no ctypes with prctl" };
}

/** Defines a test for each kill design; those that don't work here are ignored. */
export function testEachDesign(
  name: string,
  test: (available: Available) => Promise<void>,
  ...needs: Parameters<typeof optional>[1][]
): void {
  for (const { design, sandbox, lacks } of DESIGNS) {
    Deno.test({
      ...optional(`${name} (${design})`, ...needs, lacks),
      fn: () => test({ design, sandbox }),
    });
  }
}

/** A unique sleeping time, by which a process can be found. */
export function newToken(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `300.${String(random).padStart(10, "0")}`;
}

/**
 * Ids of the living processes with `token`, and not `without`, in their command line, no matter
 * whose children they are.
 */
export function alive(token: string, without = "\0none"): number[] {
  const pids: number[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === Deno.pid) continue;
    try {
      const line = Deno.readTextFileSync(`/proc/${name}/cmdline`);
      if (line.includes(token) && !line.includes(without)) pids.push(Number(name));
    } catch {
      // It ended.
    }
  }
  return pids;
}

/** Number of `sleep` processes with the token, not counting the shells that start them. */
export function sleeping(token: string): number {
  return alive(token).filter((pid) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/cmdline`).startsWith("sleep\0");
    } catch {
      return false;
    }
  }).length;
}

/** Waits until a condition holds; false after a time that only a hang exceeds. */
export async function until(condition: () => boolean, milliseconds = 60_000): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

/** A program in a Deno process of its own. */
export interface TestProgram extends AsyncDisposable {
  /** Kills it with SIGKILL, and waits for its end. */
  kill(): Promise<void>;
}

/** Starts a program in a Deno process of its own, with all permissions; disposing kills it. */
export async function startProgram(
  source: string,
  env: Record<string, string> = {},
): Promise<TestProgram> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "-"],
    env,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await give(child.stdin, source);
  const kill = async () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await child.status;
  };
  return { kill, [Symbol.asyncDispose]: kill };
}

/**
 * Runs a program in a Deno process of its own, with these flags; returns its standard output, then
 * its standard error.
 */
export async function outputOf(
  source: string,
  env: Record<string, string>,
  ...flags: string[]
): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ...flags, "-"],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await give(child.stdin, source);
  const { stdout, stderr } = await child.output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

async function give(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
}

/** Kills the processes that a failed test left, which have its token. */
export function cleanUp(token: string): void {
  for (const pid of alive(token)) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It ended.
    }
  }
}
