import assert from "node:assert/strict";
import {
  type ByteSource,
  type Chunk,
  drain,
  LimitError,
  memorySource,
  Source,
} from "../../../streams/mod.ts";
import { bytes, latin1 } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";

/** Returns the same chunk forever, and counts the calls. */
class Endless extends Source {
  pulls = 0;
  released = false;
  readonly #chunk: Chunk;

  constructor(text: string) {
    super();
    this.#chunk = bytes(text);
  }

  protected override pull(): Promise<Chunk> {
    this.pulls++;
    return Promise.resolve(this.#chunk);
  }

  protected override release(): void {
    this.released = true;
  }
}

/** Returns one piece, and the second one only on request. */
class Slow extends Source {
  #told: (() => void) | undefined;
  readonly #pieces: Iterator<Promise<Chunk>>;

  constructor(first: string, second: string) {
    super();
    const told = new Promise<void>((resolve) => this.#told = resolve);
    this.#pieces = [Promise.resolve(bytes(first)), told.then(() => bytes(second))].values();
  }

  goOn(): void {
    this.#told?.();
  }

  protected override async pull(): Promise<Chunk | undefined> {
    return await this.#pieces.next().value;
  }
}

function stage(command: string, args: string[], stdin: ByteSource, signal?: AbortSignal): Stage {
  return new Stage(command, args, {
    stdin,
    signal: signal ?? new AbortController().signal,
    warn: (message) => assert.fail(message),
  });
}

async function text(from: Stage): Promise<string> {
  let all = "";
  for await (const chunk of from) all += latin1(chunk);
  return all;
}

const log = "one error\ntwo ok\n".repeat(5000);

for (
  const [command, ...args] of [
    ["grep", "-q", "error"],
    ["grep", "-l", "error"],
    ["grep", "-m1", "error"],
    ["grep", "-m1", "-A2", "error"],
    ["sed", "2q"],
    ["sed", "-n", "/ok/{p;q}"],
    ["sed", "Q"],
  ] as const
) {
  Deno.test(`${command} ${args.join(" ")} stops an endless producer`, async () => {
    const source = new Endless(log);
    const run = stage(command, [...args], source);
    await text(run);
    assert.equal(run.status, 0);
    assert.equal(source.released, true);
    assert.ok(source.pulls < 5, `${source.pulls} pulls`);
  });
}

for (
  const args of [["error"], ["-v", "error"], ["-n", "-C1", "error"], ["-o", "e"], ["-a", "error"]]
) {
  Deno.test(`grep ${args.join(" ")} stops its producer when its reader has enough`, async () => {
    const source = new Endless(log);
    const grep = stage("grep", args, source);
    const head = stage("head", ["-n", "1"], grep);
    assert.match(await text(head), /^.*\n$/);
    assert.equal(grep.status, 141);
    assert.equal(source.released, true);
    assert.ok(source.pulls < 5, `${source.pulls} pulls`);
  });
}

Deno.test("sed stops its producer when its reader has enough", async () => {
  const source = new Endless(log);
  const sed = stage("sed", ["s/one/1/"], source);
  assert.equal(await text(stage("head", ["-n", "1"], sed)), "1 error\n");
  assert.equal(source.released, true);
});

for (
  const [command, ...args] of [
    ["grep", "o"],
    ["grep", "-n", "-A1", "o"],
    ["grep", "-a", "o"],
    ["sed", "-n", "p"],
    ["sed", "s/x/y/"],
    ["sed", "-n", "/o/p"],
  ] as const
) {
  Deno.test(`${command} ${args.join(" ")} passes on what a slow source has sent`, async () => {
    const source = new Slow("one\ntw", "o\n");
    const run = stage(command, [...args], source);
    // Would wait forever if grep waited for more input.
    const { value } = await run.next();
    assert.match(latin1(value as Chunk), /one\n$/);
    source.goOn();
    assert.match(await text(run), /two\n$/);
  });
}

Deno.test("sed ends an endless loop when it is aborted", async () => {
  const controller = new AbortController();
  const run = stage("sed", [":a;ba"], new Endless("x\n"), controller.signal);
  const timer = setTimeout(() => controller.abort(new Error("enough")), 30);
  await assert.rejects(text(run), /enough/);
  clearTimeout(timer);
});

Deno.test("grep and sed end on an endless producer when they are aborted", async () => {
  const commands = [
    ["grep", "nosuch"],
    ["grep", "-c", "e"],
    ["sed", "d"],
    ["sed", "-n", "s/nosuch/x/p"],
    ["sed", "s/.*//;s/^$/x/2"],
  ];
  for (const [command, ...args] of commands) {
    const controller = new AbortController();
    const source = new Endless(log);
    const run = stage(command ?? "", args, source, controller.signal);
    const timer = setTimeout(() => controller.abort(new Error("enough")), 30);
    await assert.rejects(text(run), /enough/);
    clearTimeout(timer);
    assert.equal(source.released, true);
  }
});

Deno.test("an abort ends a search with back-references within a block of hard lines", async () => {
  const text = `${"abcx".repeat(60)}y\n`.repeat(200);
  for (
    const [name, args] of [["grep", ["-c", "\\(.*\\)x\\1\\1y$"]], ["sed", [
      "s/\\(.*\\)x\\1\\1y$/z/",
    ]]] as const
  ) {
    const controller = new AbortController();
    let gone = 0;
    const io = { stdin: memorySource(text), signal: controller.signal, warn: () => {} };
    const stage = new Stage(name, args, io);
    const timer = setTimeout(() => controller.abort(new Error("enough")), 0);
    const sink = {
      write: (chunk: Chunk) => Promise.resolve(void (gone += chunk.length)),
      close: () => Promise.resolve(),
    };
    await assert.rejects(drain(stage, sink), /enough/, name);
    assert.ok(gone < text.length / 2, `${name}: ${gone} of ${text.length} bytes`);
    clearTimeout(timer);
  }
});

Deno.test("grep -B keeps lines up to a limit, and none where it prints none", async () => {
  const line = `${"x".repeat(99)}\n`;
  const run = (args: string[]) =>
    new Stage("grep", args, {
      stdin: memorySource(line.repeat(200_000) + "end\n"),
      warn: assert.fail,
      signal: new AbortController().signal,
    });
  const sizeOf = async (args: string[]): Promise<number> => {
    let size = 0;
    for await (const chunk of run(args)) size += chunk.length;
    return size;
  };
  assert.equal(await sizeOf(["-B", "160000", "end"]), 16_000_004);
  assert.equal(await sizeOf(["-c", "-B", "200000", "end"]), 2);
  await assert.rejects(
    sizeOf(["-B", "200000", "end"]),
    (error) => error instanceof LimitError && /grep -B/.test(error.message),
  );
});

for (
  const [args, rest, expected] of [
    [["-A5", "match"], "ct\0x\nlast\n", "match\nct\nx\nlast\n"],
    [["-nbA5", "match"], "ct\0x\nlast\n", "1:0:match\n2-6-ct\n3-9-x\n4-11-last\n"],
    [["-nA5", "-m1", "match"], "a\nb\n".repeat(2), "1:match\n2-a\n3-b\n4-a\n5-b\n"],
    [["-nA5", "-m1", "match"], "a\0match\nb\n", "1:match\n2-a\n3-match\n4-b\n"],
  ] as const
) {
  Deno.test(`grep ${args.join(" ")} shows context of a line before ${JSON.stringify(rest)}`, async () => {
    const source = new Slow("match\n", rest);
    const grep = stage("grep", [...args], source);
    let all = "";
    for await (const chunk of grep) {
      all += latin1(chunk);
      source.goOn();
    }
    assert.equal(all, expected);
  });
}

Deno.test("grep tells of a match in binary data instead of the context before it", async () => {
  const source = new Slow("match\n", "ctx\nct\0x\nmatch\n");
  const warnings: string[] = [];
  const grep = new Stage("grep", ["-A5", "match"], {
    stdin: source,
    signal: new AbortController().signal,
    warn: (message) => warnings.push(message),
  });
  let all = "";
  for await (const chunk of grep) {
    all += latin1(chunk);
    source.goOn();
  }
  assert.equal(all, "match\n");
  assert.deepEqual(warnings, ["grep: (standard input): binary file matches"]);
});

Deno.test("grep names the limit of a line that is too long", async () => {
  const grep = new Stage("grep", ["x"], {
    stdin: memorySource(bytes("y".repeat(400_000)), { chunkSize: 1000 }),
    signal: new AbortController().signal,
    warn: assert.fail,
    limits: { lineBytes: 200_000 },
  });
  await assert.rejects(grep.next(), /A line is longer than lineBytes \(200000 bytes\); raise it/);
});

Deno.test("grep finds what stands in a long line that comes in small pieces, and behind it", async () => {
  const long = "y".repeat(300_000);
  const all = `first x\n${long}x\n${long}\nlast x\n`;
  for (const chunkSize of [1000, 65_536, 70_001]) {
    const grep = stage("grep", ["-n", "x"], memorySource(bytes(all), { chunkSize }));
    assert.equal(await text(grep), `1:first x\n2:${long}x\n4:last x\n`);
  }
});

Deno.test("grep -A ends at a line that cannot be printed, however many lines it may show", async () => {
  const warnings: string[] = [];
  const grep = new Stage("grep", ["-A", "9223372036854775807", "a"], {
    stdin: memorySource(Uint8Array.of(97, 10, 0xff, 10, 98, 10)),
    signal: new AbortController().signal,
    warn: (message) => warnings.push(message),
  });
  assert.equal(await text(grep), "a\n");
  assert.deepEqual(warnings, ["grep: (standard input): binary file matches"]);
});
