/**
 * A pipeline of four builtins: `deno task bench:pipeline [GB]`.
 *
 * - Memory while 1 GB goes through: it must stay flat.
 * - Time to close everything once `head -n 1` at its end has its line: 20 times each, aim 50 ms.
 *   The clock runs from the arrival of the line until every stage and the source have released
 *   their resources.
 */
import { Stage, transform } from "../src/builtins/mod.ts";
import { type ByteSource, type Chunk, drain, Source } from "../src/streams/mod.ts";
import { figure, machine, markdownTable, median, sampleLog } from "./_report.ts";

const BLOCK: Chunk = sampleLog(2 ** 16);
const LINES = [["cat"], ["grep", "status="], ["sed", "s/INFO/info/"]] as const;
const RUNS = 20;
const AIM = 50;

const io = {
  signal: new AbortController().signal,
  warn: (message: string) => console.error(message),
};
const quiet = { write: () => Promise.resolve(), close: () => Promise.resolve() };

/** Yields the block until `size` bytes are read, then ends, or waits like a terminal. */
class Log extends Source {
  released = false;
  read = 0;
  readonly #size: number;
  readonly #waits: boolean;
  #wake = (): void => {};

  constructor(size: number, waits = false) {
    super();
    this.#size = size;
    this.#waits = waits;
  }

  protected override pull(): Promise<Chunk | undefined> | Chunk | undefined {
    if (this.read < this.#size) {
      this.read += BLOCK.length;
      return BLOCK;
    }
    if (!this.#waits) return undefined;
    return new Promise((resolve) => this.#wake = () => resolve(undefined));
  }

  protected override release(): void {
    this.released = true;
    this.#wake();
  }
}

function chain(source: ByteSource, last: readonly [string, ...string[]]): Stage[] {
  const stages: Stage[] = [];
  let stdin = source;
  for (const [name, ...args] of [...LINES, last]) {
    const stage = new Stage(name, args, { ...io, stdin });
    stages.push(stage);
    stdin = stage;
  }
  return stages;
}

interface Sample {
  readonly share: number;
  readonly megabytes: number;
}

/** Runs `work` and samples the memory. */
async function sampled(log: Log, size: number, work: () => Promise<unknown>): Promise<Sample[]> {
  const samples: Sample[] = [];
  const look = (): void => {
    samples.push({ share: log.read / size, megabytes: Deno.memoryUsage().rss / 2 ** 20 });
  };
  const timer = setInterval(look, 20);
  await work();
  clearInterval(timer);
  look();
  return samples;
}

async function throughStages(size: number): Promise<Sample[]> {
  const log = new Log(size);
  const stages = chain(log, ["wc", "-l"]);
  return await sampled(log, size, () => drain(stages.at(-1) ?? log, quiet));
}

function streamOf(source: ByteSource): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await source.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void await source.return(),
  }, { highWaterMark: 0 });
}

async function throughStreams(size: number): Promise<Sample[]> {
  const log = new Log(size);
  let stream = streamOf(log);
  for (const [name, ...args] of [...LINES, ["wc", "-l"]] as const) {
    stream = stream.pipeThrough(transform(name, args));
  }
  return await sampled(log, size, () => new Response(stream).text());
}

/** Milliseconds from the line to the end of all stages. */
async function stopStages(waits: boolean): Promise<number> {
  const log = new Log(waits ? BLOCK.length : Infinity, waits);
  const stages = chain(log, ["head", "-n", "1"]);
  let begin = NaN;
  const sink = { ...quiet, write: () => Promise.resolve(void (begin = performance.now())) };
  await drain(stages.at(-1) ?? log, sink);
  await Promise.all(stages.map((stage) => stage.finished));
  if (!log.released) throw new Error("The source is still open");
  return performance.now() - begin;
}

/** The same with transform streams. */
async function stopStreams(waits: boolean): Promise<number> {
  const log = new Log(waits ? BLOCK.length : Infinity, waits);
  let stream = streamOf(log);
  const statuses: Promise<number>[] = [];
  for (const [name, ...args] of [...LINES, ["head", "-n", "1"]] as const) {
    const stage = transform(name, args);
    statuses.push(stage.status);
    stream = stream.pipeThrough(stage);
  }
  let begin = NaN;
  for await (const _ of stream) begin = performance.now();
  await Promise.all(statuses);
  while (!log.released) await new Promise((resolve) => setTimeout(resolve, 0));
  return performance.now() - begin;
}

const size = Number(Deno.args[0] ?? 1) * 1e9;
const shown = `${LINES.map((words) => words.join(" ")).join(" | ")} |`;
console.info(`${machine()}\n\n${figure(size / 1e9)} GB through ${shown} wc -l: MB of memory\n`);
const rows: string[][] = [];
for (const [name, run] of [["stages", throughStages], ["streams", throughStreams]] as const) {
  await run(size / 20);
  const begin = performance.now();
  const samples = await run(size);
  const seconds = (performance.now() - begin) / 1000;
  const most = (from: number, to: number): string =>
    figure(Math.max(
      ...samples.filter(({ share }) => share >= from && share <= to).map((each) => each.megabytes),
    ));
  rows.push([name, most(0, 0.25), most(0.25, 0.5), most(0.5, 0.75), most(0.75, 1)]);
  rows.at(-1)?.push(figure(seconds));
}
const quarters = ["first quarter", "second", "third", "last"];
console.info(markdownTable(["", ...quarters, "seconds"], rows));

console.info(`\n${shown} head -n 1: ms from its line to the end of all, ${RUNS} runs\n`);
const stops: string[][] = [];
let worst = 0;
for (const [name, stop] of [["stages", stopStages], ["streams", stopStreams]] as const) {
  for (const waits of [false, true]) {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) times.push(await stop(waits));
    const max = Math.max(...times);
    worst = Math.max(worst, max);
    const source = waits ? "one that waits" : "one without end";
    stops.push([name, source, figure(median(times)), figure(max)]);
  }
}
console.info(markdownTable(["", "source", "median", "max"], stops));
console.info(`\nAim: ${AIM} ms. ${worst <= AIM ? "Met" : `Missed: ${figure(worst)} ms`}`);
