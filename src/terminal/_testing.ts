/** What the tests of this room share: processes found by a token in their command line. */
import { chooseSandbox, type KillDesign, type Sandbox } from "./mod.ts";

/** A kill design that works on this machine, with the sandbox that belongs to it. */
export interface Available {
  readonly design: KillDesign;
  readonly sandbox: Sandbox;
}

/** All designs that work on this machine; reports on standard error those that do not. */
export async function availableDesigns(): Promise<Available[]> {
  const none = await chooseSandbox("none");
  const confined = await chooseSandbox("auto");
  const found: Available[] = [{ design: "marks", sandbox: none }];
  if (await works("python3", ["-c", "import ctypes; ctypes.CDLL(None).prctl"])) {
    found.push({ design: "subreaper", sandbox: none });
  } else console.warn("Skipped: the subreaper design, as there is no python3");
  if (confined.kind === "bwrap") found.push({ design: "namespace", sandbox: confined });
  else console.warn(`Skipped: the namespace design, as ${confined.reason}`);
  return found;
}

async function works(program: string, args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args, stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

/** A unique number of seconds to sleep, so that a process can be found by it. */
export function newToken(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `300.${String(random).padStart(10, "0")}`;
}

/**
 * All living processes with the token in their command line and without the text `without`.
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

/** Waits until a condition holds; returns false if it does not within the time. */
export async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

/** Kills processes that a failed test has left: only those with its token. */
export function cleanUp(token: string): void {
  for (const pid of alive(token)) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It ended.
    }
  }
}
