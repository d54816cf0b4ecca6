import { type HostProcess, startProcess } from "../sys/mod.ts";
import { tailOf } from "./_control.ts";
import { commandEnvironment } from "./environment.ts";
import { quickShell } from "./_run_shell.ts";
import { settles } from "./_settles.ts";
import { HOLDER, JOIN, KEEPER_LINE } from "./keepers/keepers.ts";

/** Milliseconds that the processes in the namespaces may take to end. */
const END_TIME = 8000;

/**
 * Holds a PID namespace, and a network where that is asked for, which many commands join: so one
 * sees, reaches and can stop what another has left in the background. At its end the kernel kills
 * everything in it, also when this process died.
 */
export class NamespaceHolder {
  /** Whether it holds a network of its own. */
  readonly network: boolean;
  /** Whether a command has joined it, so that others can, too. */
  joined = false;
  readonly #process: HostProcess;
  readonly #pid: string;
  readonly #outer: string;
  readonly #ended: Promise<void>;
  #over = false;
  #ending: Promise<boolean> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    process: HostProcess,
    told: HolderLines,
    network: boolean,
    pid: string,
    outer: string,
  ) {
    this.#process = process;
    this.network = network;
    this.#pid = pid;
    this.#outer = outer;
    this.#ended = told.ended.then(() => {
      this.#over = true;
    });
  }

  /**
   * Starts a holder, which also removes the folders (at most two) when it ends in order, or when this
   * process died; `undefined` where this system can't do that.
   */
  static async start(
    network: boolean,
    folders: readonly string[],
  ): Promise<NamespaceHolder | undefined> {
    const [first = "", second = ""] = folders;
    const { PATH = "" } = commandEnvironment();
    const program = quickShell();
    const process = await startProcess({
      program,
      args: ["-c", KEEPER_LINE, "llmcmd-holder", first, second, network ? "network" : "-"],
      env: { PATH, LLMCMD_KEEPER: HOLDER },
      stdin: "pipe",
      duplexes: 2,
    });
    const told = new HolderLines(process);
    if (await told.ready) {
      const [pid, outer] = await Promise.all(told.children);
      if (pid !== undefined) {
        return new NamespaceHolder(process, told, network, pid, network ? outer ?? pid : "-");
      }
    }
    await leave(process);
    await process.status;
    process.release();
    return undefined;
  }

  /** Whether its namespaces are gone, and what was in them. */
  get over(): boolean {
    return this.#over;
  }

  /**
   * Whether its namespaces are gone, or are as soon as their end has been seen: waits for an end that
   * has begun, else for as many milliseconds at most.
   */
  async overWithin(milliseconds: number): Promise<boolean> {
    if (this.#ending !== undefined) return await this.#ending;
    await settles(this.#ended, milliseconds);
    return this.#over;
  }

  /** The program and the arguments that start bwrap in the namespaces, given those of bwrap. */
  join(bwrapArguments: readonly string[]): string[] {
    return [quickShell(), "-c", JOIN, "llmcmd-join", this.#pid, this.#outer, ...bwrapArguments];
  }

  /** Runs one action at a time: those that stop all processes of the namespace for a moment. */
  exclusively<Value>(action: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(action);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /**
   * Kills everything in the namespaces. The folders are removed then, or left where others still
   * need them. False where it is not sure that everything is dead. Never rejects.
   */
  end(folders: "remove" | "leave" = "remove"): Promise<boolean> {
    return this.#ending ??= this.#end(folders);
  }

  async #end(folders: "remove" | "leave"): Promise<boolean> {
    if (folders === "leave") await leave(this.#process);
    else this.#process.closeStdin();
    await settles(this.#ended, END_TIME);
    if (!this.#over) this.#process.kill();
    await this.#process.status;
    this.#process.release();
    return this.#over;
  }
}

/** What a holder reports; `keepers/holder.sh` says what. */
class HolderLines {
  /** Whether its namespaces are there; false when that failed. */
  readonly ready: Promise<boolean>;
  /** Settles when its namespaces are gone. */
  readonly ended: Promise<void>;
  /** Its first process, and one in the outer user namespace; `undefined` where there is none. */
  readonly children: readonly Promise<string | undefined>[];

  constructor(process: HostProcess) {
    let begin = (_ready: boolean) => {};
    let end = () => {};
    this.ready = new Promise((resolve) => begin = resolve);
    this.ended = new Promise((resolve) => end = resolve);
    readText(process.stdout, (text) => {
      if (/^ready$/m.test(text)) begin(true);
      if (/^ended$/m.test(text)) end();
    }).then(() => {
      begin(false);
      end();
    });
    this.children = process.duplexes.map(({ readable }) =>
      new Promise((resolve) => {
        // To the end, as bwrap dies where it can't write, and leaves a process that waits for it.
        readText(readable, (text) => {
          const [, pid] = /"child-pid": *(\d+)[^]*\}/.exec(text) ?? [];
          if (pid !== undefined) resolve(pid);
        }).then(() => resolve(undefined));
      })
    );
    // What it says on its standard error is of use to nobody.
    void tailOf(process.stderr);
  }
}

/** Reads a short text to its end, and tells what was read so far each time. Never rejects. */
async function readText(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  seen: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      seen(text);
    }
  } catch {
    // A broken pipe counts as its end.
  }
}

/** Lets a holder end without removing the folders. */
async function leave(process: HostProcess): Promise<void> {
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode("leave\n")).catch(() => {});
  await writer.close().catch(() => {});
}
