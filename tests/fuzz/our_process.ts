import { type FuzzCase, type FuzzOutcome, OUR_SHARE, SECONDS } from "./case.ts";
import { decodeOutcome, encodeCase, lines } from "./wire.ts";

/**
 * Milliseconds after which the process is taken for hanging: more than it gives a case, which has a
 * limit of processor time, on a busy machine.
 */
const PATIENCE = (SECONDS * OUR_SHARE + 8) * 4 * 1000;

interface Running {
  readonly child: Deno.ChildProcess;
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
  readonly answers: AsyncGenerator<string>;
}

/** Runs our side in a process of its own, which is ended and started again when a case hangs. */
export class OurProcess implements AsyncDisposable {
  #running: Running | undefined;

  /** Runs a case. `seed` decides how its inputs are cut into chunks. */
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
