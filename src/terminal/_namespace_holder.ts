import { type HostProcess, startProcess } from "../sys/mod.ts";
import { tailOf } from "./_control.ts";
import { commandEnvironment } from "./environment.ts";
import { quickShell } from "./_run_shell.ts";
import { settles } from "./_settles.ts";
import { HOLDER, JOIN, KEEPER_LINE } from "./keepers/keepers.ts";

/** Milliseconds that the processes in the namespaces may take to end. */
const END_TIME = 8000;

/**
 * Holds a PID namespace, and a network if asked for, that many commands join: so one command sees,
 * reaches and can stop background processes of another. When it ends, also because this process
 * died, the kernel kills everything in it.
 */
export class NamespaceHolder {
  /** True if it holds a network of its own. */
  readonly network: boolean;
  /** True once a command has joined it, which shows that others can, too. */
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
   * Starts a holder; `undefined` if this system does not support it. The holder also removes the
   * folders, at most two, when it ends normally or this process has died.
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

  /** True once its namespaces are gone, with all processes in them. */
  get over(): boolean {
    return this.#over;
  }

  /**
   * True if its namespaces are gone. Waits for an end that has begun, otherwise for at most that
   * many milliseconds.
   */
  async overWithin(milliseconds: number): Promise<boolean> {
    if (this.#ending !== undefined) return await this.#ending;
    await settles(this.#ended, milliseconds);
    return this.#over;
  }

  /** The command line that starts bwrap, with these arguments, in the namespaces. */
  join(bwrapArguments: readonly string[]): string[] {
    return [quickShell(), "-c", JOIN, "llmcmd-join", this.#pid, this.#outer, ...bwrapArguments];
  }

  /** Runs one action at a time, because each stops all processes of the namespace for a moment. */
  exclusively<Value>(action: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(action);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /**
   * Kills everything in the namespaces, then removes the folders, or leaves them to others that
   * still need them. False if it is uncertain that everything is dead. Never rejects.
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

/** Reports of a holder; `keepers/holder.sh` lists them. */
class HolderLines {
  /** True when its namespaces exist; false if that failed. */
  readonly ready: Promise<boolean>;
  /** Settles when its namespaces are gone. */
  readonly ended: Promise<void>;
  /**
   * Ids of its first process and of one in the outer user namespace; `undefined` if there is none.
   */
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
        // Read to the end: bwrap dies if it can't write, and leaves a process that waits for it.
        readText(readable, (text) => {
          const [, pid] = /"child-pid": *(\d+)[^]*\}/.exec(text) ?? [];
          if (pid !== undefined) resolve(pid);
        }).then(() => resolve(undefined));
      })
    );
    // Its standard error is read, so that it can't block, and ignored.
    void tailOf(process.stderr);
  }
}

/**
 * Reads a short text to its end; calls `seen` with the text so far after each chunk. Never rejects.
 */
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

/** Tells a holder to end and to leave the session's folders, which others may still use. */
async function leave(process: HostProcess): Promise<void> {
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode("leave\n")).catch(() => {});
  await writer.close().catch(() => {});
}
