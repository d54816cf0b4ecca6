import assert from "node:assert/strict";
import { type Chunk, drain, memoryAccess, MemorySink, Source } from "../streams/mod.ts";
import { type BuiltinTransform, transform } from "./run/transform.ts";
import { READER_LEFT } from "./builtin.ts";
import { Stage } from "./run/stage.ts";
import { bytes, words } from "./_testing.ts";

/** Endless lines; records when it is closed. */
class Endless extends Source {
  released = false;
  #line = 0;
  protected override pull(): Chunk {
    return bytes(`line ${this.#line++}\n`.repeat(2));
  }
  protected override release(): void {
    this.released = true;
  }
}

/** Commands for the middle of a pipeline: each outputs data before its input ends. */
const MIDDLES = [
  "cat",
  "cat -n",
  "grep line",
  "grep -c -m 2 line",
  "sed s/line/LINE/",
  "sed -n p",
  "tr a-z A-Z",
  "cut -d ' ' -f 2",
  "cut -c 2-",
  "uniq",
  "uniq -c",
  "rev",
  "fold -w 3",
  "expand",
  "unexpand -a",
  "nl",
  "od -v",
  "xxd",
  "base64",
  "paste - -",
  "tee",
  "tail -n +2",
  "head -n 1000000",
  "comm - /dev/null",
  "join - /dev/null -a 1",
];

/** An open file that records whether it was closed. */
class MemoryFile extends Source {
  static open = 0;
  readonly at;
  #rest: Chunk | undefined;
  constructor(data: Chunk) {
    super();
    MemoryFile.open++;
    this.#rest = data.length > 0 ? data : undefined;
    this.at = memoryAccess(data);
  }
  protected override pull(): Chunk | undefined {
    const rest = this.#rest;
    this.#rest = undefined;
    return rest;
  }
  protected override release(): void {
    MemoryFile.open--;
  }
}

const noFile = () => Promise.resolve(new MemoryFile(new Uint8Array(0)));

for (const middle of MIDDLES) {
  Deno.test(`head -n 1 behind ${middle} closes every stage, every file and the source`, async () => {
    const source = new Endless();
    const io = {
      signal: new AbortController().signal,
      warn: (message: string) => assert.fail(message),
      open: noFile,
    };
    const [name = "", ...args] = words(middle);
    const first = new Stage("cat", [], { ...io, stdin: source });
    const second = new Stage(name, args, { ...io, stdin: first });
    const third = new Stage("grep", ["-a", ""], { ...io, stdin: second });
    const last = new Stage("head", ["-n", "1"], { ...io, stdin: third });
    const out = new MemorySink();
    await drain(last, out);
    assert.match(out.text(), /^[^\n]*\n$/);
    // Everything has ended by now, without further waiting.
    assert.equal(source.released, true);
    assert.equal(MemoryFile.open, 0);
    assert.deepEqual([first.status, third.status, last.status], [READER_LEFT, READER_LEFT, 0]);
    assert.ok(second.status === READER_LEFT || second.status === 0, String(second.status));
  });
}

Deno.test("head -n 1 behind three transform streams cancels the source and ends all", async () => {
  let cancelled = false;
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes("line\n".repeat(10_000))),
    cancel: () => void (cancelled = true),
  });
  const stages: BuiltinTransform[] = [
    transform("cat"),
    transform("grep", ["line"]),
    transform("sed", ["s/line/LINE/"]),
    transform("head", ["-n", "1"]),
  ];
  let stream: ReadableStream<Uint8Array> = source;
  for (const stage of stages) stream = stream.pipeThrough(stage);
  assert.equal(await new Response(stream).text(), "LINE\n");
  const statuses = await Promise.all(stages.map((stage) => stage.status));
  assert.deepEqual(statuses, [READER_LEFT, READER_LEFT, READER_LEFT, 0]);
  assert.equal(cancelled, true);
});
