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

/** Waits until a condition holds; false when it did not within the time. */
export async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
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
