import { type FuzzCase, type FuzzOutcome, OUR_SHARE, SECONDS } from "./case.ts";
import { decodeOutcome, encodeCase, lines } from "./wire.ts";

/**
 * Milliseconds after which the process counts as hanging: more than its own limit of processor time
 * for a case, even on a busy machine.
 */
const PATIENCE = (SECONDS * OUR_SHARE + 8) * 4 * 1000;

interface Running {
  readonly child: Deno.ChildProcess;
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
  readonly answers: AsyncGenerator<string>;
}

/** Runs our side in a process, which is restarted when a case hangs. */
export class OurProcess implements AsyncDisposable {
  #running: Running | undefined;

  /** Runs a case. `seed` decides the sizes of the chunks of its inputs. */
  async run(test: FuzzCase, seed: number): Promise<FuzzOutcome> {
    const running = this.#running ??= start();
    let giveUp = (): void => {};
    const late = new Promise<undefined>((resolve) => giveUp = () => resolve(undefined));
    const timer = setTimeout(giveUp, PATIENCE);
    try {
      const data = new TextEncoder().encode(`${encodeCase(test, seed)}\n`);
      await running.input.write(data);
      const answer = await Promise.race([running.answers.next(), late]);
      if (answer !== undefined && answer.done !== true) return decodeOutcome(answer.value);
      const crashed = answer !== undefined;
      await this[Symbol.asyncDispose]();
      return {
        stdout: new Uint8Array(0),
        stderr: crashed ? "unexpected: the process has ended\n" : "unexpected: it hangs\n",
        status: -1,
        files: {},
        ...(!crashed && { endless: true }),
      };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    try {
      running.child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await running.child.status;
    await running.input.abort().catch(() => {});
    await running.answers.return(undefined).catch(() => {});
    await running.child.stdout.cancel().catch(() => {});
  }
}

function start(): Running {
  const script = new URL("./worker.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--deny-write", "--deny-net", "--deny-run", script],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { child, input: child.stdin.getWriter(), answers: lines(child.stdout) };
}
