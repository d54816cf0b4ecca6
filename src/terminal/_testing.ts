/**
 * What the tests of this room share: the kill designs that this machine has, and processes found by
 * a token in their command line.
 */
import { type Missing, missing, optional } from "../../tests/_optional.ts";
import { chooseSandbox, type KillDesign, type Sandbox } from "./mod.ts";

/** A kill design that can be had on this machine, with the sandbox it goes with. */
export interface Available {
  readonly design: KillDesign;
  readonly sandbox: Sandbox;
}

const none = await chooseSandbox("none");
const confined = await chooseSandbox("auto");

/** What is missing for a sandbox. */
export const noSandbox: Missing | undefined = confined.kind === "bwrap"
  ? undefined
  : missing("bwrap") ?? { reason: confined.reason };

/** All designs, and what is missing of those that can't be had here. */
const DESIGNS: readonly (Available & { readonly lacks: Missing | undefined })[] = [
  { design: "marks", sandbox: none, lacks: undefined },
  { design: "subreaper", sandbox: none, lacks: missing("python3") ?? await pythonLacks() },
  { design: "namespace", sandbox: confined, lacks: noSandbox },
];

/** The designs that can be had here. */
export const availableDesigns: readonly Available[] = DESIGNS.filter(({ lacks }) =>
  lacks === undefined
);

/** What the Python that is there lacks for the keeper in Python. */
async function pythonLacks(): Promise<Missing | undefined> {
  const { success } = await new Deno.Command("python3", {
    args: ["-c", "import ctypes; ctypes.CDLL(None).prctl"],
    stderr: "null",
  }).output();
  return success ? undefined : { reason: "python3 has no ctypes with prctl" };
}

/** A test of each kill design; those that can't be had here are ignored. */
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

/** A sleeping time nobody else has, so that a process can be found by it. */
export function newToken(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `300.${String(random).padStart(10, "0")}`;
}

/**
 * The living processes with the token in their command line, and without what `without` says,
 * whoever's child they are.
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

/** Number of sleeping processes of the token: those that got away, not the shells before them. */
export function sleeping(token: string): number {
  return alive(token).filter((pid) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/cmdline`).startsWith("sleep\0");
    } catch {
      return false;
    }
  }).length;
}

/** Waits until a condition holds; false after a time that only a hang takes. */
export async function until(condition: () => boolean, milliseconds = 60_000): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

/** A program in a Deno of its own. */
export interface TestProgram extends AsyncDisposable {
  /** Kills it with SIGKILL, and waits for its end. */
  kill(): Promise<void>;
}

/** Starts a program in a Deno of its own, in which everything is allowed; disposing kills it. */
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

/** Standard output, then standard error, of a program in a Deno of its own with these flags. */
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

/** Kills what a failed test left: processes with its token only. */
export function cleanUp(token: string): void {
  for (const pid of alive(token)) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It ended.
    }
  }
}
