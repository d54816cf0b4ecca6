/** Ports for tests: processes and files of this machine, and entries of a registry. */
import type { ProcessTable } from "../ports/mod.ts";
import { type Chunk, fromReadable } from "../streams/mod.ts";
import { type ModelEntry, parseRegistry } from "./registry/mod.ts";
import { ProgramNotFoundError, type SpawnedAgent, type SpawnRequest } from "./run/mod.ts";
import type { AgentFiles, Git } from "./worktree/mod.ts";

/** A model entry whose CLI is a shell script, with the driver `generic`. */
export function scriptEntry(script: string, fields: Record<string, unknown> = {}): ModelEntry {
  return entryOf({ driver: "generic", command: "/bin/sh", args: ["-c", script], ...fields });
}

/** A model entry with its defaults. */
export function entryOf(fields: Record<string, unknown>): ModelEntry {
  const text = JSON.stringify({ m: { repoPath: Deno.cwd(), ...fields } });
  const entry = parseRegistry(text, { file: "models.json", folder: "/" }).get("m");
  if (entry === undefined) throw new Error("no entry");
  return entry;
}

/** Starts each process in a process group of its own; `kill` kills the group. */
export function spawnForTest(request: SpawnRequest): Promise<SpawnedAgent> {
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(request.program, {
      args: [...request.args],
      cwd: request.cwd,
      env: { ...request.env },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
  } catch (error) {
    return Promise.reject(
      error instanceof Deno.errors.NotFound
        ? new ProgramNotFoundError(request.program, { cause: error })
        : error,
    );
  }
  const exit = child.status.then(({ code }) => code);
  return Promise.resolve({
    stdin: child.stdin,
    stdout: fromReadable(child.stdout),
    stderr: fromReadable(child.stderr),
    exit,
    async kill() {
      try {
        Deno.kill(-child.pid, "SIGKILL");
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
      await exit;
    },
    release: () => Promise.resolve(),
  });
}

/** The git of this machine, with another home folder: it reads no settings of the user. */
export function gitForTest(home: string): Git {
  return {
    async run(args, cwd, { env = {}, stdin, limit = 64 * 1024 ** 2 } = {}) {
      const child = new Deno.Command("git", {
        args: [...args],
        cwd,
        env: { PATH: Deno.env.get("PATH") ?? "", HOME: home, ...env },
        clearEnv: true,
        stdin: stdin === undefined ? "null" : "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      if (stdin !== undefined) {
        const writer = child.stdin.getWriter();
        await writer.write(stdin);
        await writer.close();
      }
      const { code, stdout, stderr } = await child.output();
      const bytes: Chunk = new Uint8Array(stdout);
      return {
        status: code,
        stdout: bytes.subarray(0, limit),
        cut: bytes.length > limit,
        stderr: new TextDecoder().decode(stderr),
      };
    },
  };
}

async function unlessMissing<T>(action: Promise<T>): Promise<T | undefined> {
  try {
    return await action;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The files of this machine. */
export const filesForTest: AgentFiles = {
  makeFolder: (path) => Deno.mkdir(path, { recursive: true, mode: 0o700 }),
  async list(path) {
    const names: string[] = [];
    try {
      for await (const { name } of Deno.readDir(path)) names.push(name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    return names.sort();
  },
  readText: (path) => unlessMissing(Deno.readTextFile(path)),
  readBytes: (path) => unlessMissing(Deno.readFile(path)),
  async write(path, content) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(`${path}.new`, bytes, { mode: 0o600 });
    await Deno.rename(`${path}.new`, path);
  },
  remove: async (path) => void await unlessMissing(Deno.remove(path, { recursive: true })),
  async copy(from, to) {
    await Deno.mkdir(to.replace(/\/[^/]*$/, ""), { recursive: true });
    const { isSymlink } = await Deno.lstat(from);
    if (isSymlink) await Deno.symlink(await Deno.readLink(from), to);
    else await Deno.copyFile(from, to);
  },
  realPath: (path) => unlessMissing(Deno.realPath(path)),
};

/** A process table in which only the given processes run. */
export function processesForTest(self: number, alive: readonly number[] = [self]): ProcessTable {
  return {
    self,
    startTime: (pid) => Promise.resolve(alive.includes(pid) ? `start of ${pid}` : undefined),
  };
}
