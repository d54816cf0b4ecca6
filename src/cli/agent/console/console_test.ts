import assert from "node:assert/strict";
import type { RawTerminal, TerminalListener } from "../../../sys/mod.ts";
import { FakeTerminal } from "../screen/_testing.ts";
import { styleOf } from "../screen/mod.ts";
import { AgentConsole } from "./console.ts";

/** A console on a terminal in memory. */
class Bench implements AsyncDisposable {
  readonly screen: FakeTerminal;
  readonly modes: string[] = [];
  #console: AgentConsole | undefined;
  interrupts = 0;
  time = 0;
  #listener: TerminalListener | undefined;

  static async open(columns = 40, history: string[] = []): Promise<Bench> {
    const bench = new Bench(columns);
    bench.#console = await AgentConsole.open({
      history,
      style: styleOf(false),
      write: (bytes) => {
        bench.screen.write(new TextDecoder().decode(bytes));
        return Promise.resolve();
      },
      interrupt: () => {
        bench.interrupts++;
        return true;
      },
      open: () => Promise.resolve(bench.#terminal()),
      now: () => bench.time,
    });
    return bench;
  }

  private constructor(columns: number) {
    this.screen = new FakeTerminal(columns);
  }

  get console(): AgentConsole {
    return this.#console ?? assert.fail();
  }

  #terminal(): RawTerminal {
    return {
      size: () => ({ columns: this.screen.columns, rows: this.screen.height }),
      take: (listener) => {
        this.#listener = listener;
        this.modes.push("taken");
      },
      release: () => void this.modes.push("released"),
      suspend: () => void this.modes.push("suspended"),
      close: () => void this.modes.push("closed"),
    };
  }

  /** Types keys; resolves once their effect is drawn. */
  async type(keys: string): Promise<void> {
    this.#listener?.onBytes(new TextEncoder().encode(keys));
    await this.drawn();
  }

  async drawn(): Promise<void> {
    // Each write takes a turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  async resize(columns: number): Promise<void> {
    this.screen.resize(columns);
    this.#listener?.onChange();
    await this.drawn();
  }

  hangUp(): void {
    this.#listener?.onEnd();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.console.close();
  }
}

const never = new AbortController().signal;
const QUESTION = {
  text: "The agent wants to run:\n  make",
  answers: [
    { key: "y", label: "yes, once", answer: "once" },
    { key: "n", label: "no", answer: "no" },
  ],
  otherwise: "no",
} as const;

Deno.test("AgentConsole gives the lines that are entered, which stay on the screen", async () => {
  await using bench = await Bench.open();
  const first = bench.console.next();
  await bench.type("hello\r");
  assert.equal(await first, "hello");
  await bench.console.print("An answer\n");
  const second = bench.console.next();
  await bench.type("more \\\r");
  await bench.type("lines");
  assert.equal(bench.screen.screen, "You: hello\nAn answer\n\nYou: more\n     lines");
  await bench.type("\r");
  assert.equal(await second, "more \nlines");
});

Deno.test("AgentConsole ignores empty lines", async () => {
  await using bench = await Bench.open();
  const line = bench.console.next();
  await bench.type("\r  \rx\r");
  assert.equal(await line, "x");
  assert.equal(bench.screen.screen, "You: x");
});

Deno.test("AgentConsole keeps what is typed while something goes on", async () => {
  await using bench = await Bench.open();
  bench.console.status(() => ["working"]);
  await bench.type("one\rtwo\rthr");
  assert.equal(bench.screen.screen, "working\nNext: one\nNext: two\nYou: thr");
  await bench.console.print("text\n");
  assert.equal(bench.screen.screen, "text\nworking\nNext: one\nNext: two\nYou: thr");
  bench.console.status(undefined);
  assert.equal(await bench.console.next(), "one");
  assert.equal(await bench.console.next(), "two");
  const third = bench.console.next();
  await bench.type("ee\r");
  assert.equal(await third, "three");
});

Deno.test("AgentConsole stops what goes on at Ctrl+C, and gives waiting lines back to be edited", async () => {
  await using bench = await Bench.open();
  await bench.type("one\rtwo\r\x03");
  assert.equal(bench.interrupts, 1);
  assert.equal(bench.screen.screen, "You: one\n     two");
  const line = bench.console.next();
  await bench.type("\r");
  assert.equal(await line, "one\ntwo");
});

Deno.test("AgentConsole clears the line at Ctrl+C, then says how to leave, then ends", async () => {
  await using bench = await Bench.open();
  const line = bench.console.next();
  await bench.type("some words\x03");
  assert.equal(bench.screen.screen, "You:");
  await bench.type("\x03");
  assert.equal(bench.screen.screen, "You:\nCtrl+C again, or Ctrl+D, ends llmcmd");
  await bench.type("x");
  assert.equal(bench.screen.screen, "You: x");
  await bench.type("\x7f\x03\x03");
  assert.equal(await line, undefined);
  assert.equal(await bench.console.next(), undefined);
  assert.equal(bench.interrupts, 0);
});

Deno.test("AgentConsole ends at Ctrl+D: at once, or after what goes on and the lines that wait", async () => {
  await using now = await Bench.open();
  const line = now.console.next();
  await now.type("\x04");
  assert.equal(await line, undefined);
  await using later = await Bench.open();
  await later.type("one\r\x04");
  assert.equal(later.screen.screen, "Next: one\nllmcmd ends after this");
  assert.equal(await later.console.next(), "one");
  assert.equal(await later.console.next(), undefined);
});

Deno.test("AgentConsole asks a question that one key answers", async () => {
  await using bench = await Bench.open();
  bench.console.status(() => ["waiting"]);
  const answer = bench.console.ask(QUESTION, never);
  await bench.drawn();
  assert.equal(
    bench.screen.screen,
    "waiting\nThe agent wants to run:\n  make\n  [y] yes, once   [n] no",
  );
  await bench.type("x\rY");
  assert.equal(await answer, "once");
  bench.console.status(undefined);
  await bench.drawn();
  assert.equal(bench.screen.screen, "The agent wants to run:\n  make\n  -> yes, once");
});

Deno.test("AgentConsole asks one question after the other; Escape, Ctrl+C and a signal mean no", async () => {
  await using bench = await Bench.open();
  const stop = new AbortController();
  const answers = ["once", "no", "no", "no"].map((_, at) =>
    bench.console.ask(QUESTION, at === 3 ? stop.signal : never)
  );
  await bench.type("y");
  await bench.type("\x1b\x03");
  stop.abort();
  assert.deepEqual(await Promise.all(answers), ["once", "no", "no", "no"]);
  assert.equal(bench.interrupts, 1);
});

Deno.test("AgentConsole takes no answer from who is writing a line", async () => {
  await using bench = await Bench.open();
  await bench.type("wh");
  const answer = bench.console.ask(QUESTION, never);
  bench.time += 500;
  await bench.type("y");
  bench.time += 500;
  await bench.type(" no");
  bench.time += 2000;
  await bench.type("n");
  assert.equal(await answer, "no");
  await bench.drawn();
  assert.match(bench.screen.screen, /\nYou: why no$/);
});

Deno.test("AgentConsole lends the terminal, and takes it back on a row of its own", async () => {
  await using bench = await Bench.open();
  bench.console.status(() => ["status"]);
  await bench.console.print("before\n");
  await bench.console.lend(() => {
    assert.equal(bench.console.lent, true);
    bench.screen.write("no end");
    return Promise.resolve();
  });
  await bench.drawn();
  assert.deepEqual(bench.modes, ["taken", "released", "taken"]);
  assert.equal(bench.screen.screen, "before\nno end\nstatus");
});

Deno.test("AgentConsole draws again when the terminal has another size, and after Ctrl+Z", async () => {
  await using bench = await Bench.open(30);
  void bench.console.next();
  await bench.type("some words that wrap");
  await bench.resize(16);
  assert.equal(bench.screen.screen, "You: some words\n     that wrap");
  await bench.type("\x1a");
  assert.deepEqual(bench.modes, ["taken", "suspended"]);
  assert.equal(bench.screen.screen, "");
  await bench.resize(16);
  assert.equal(bench.screen.screen, "You: some words\n     that wrap");
});

Deno.test("AgentConsole ends when the terminal is gone, and restores it when it is closed", async () => {
  const bench = await Bench.open();
  const line = bench.console.next();
  const answer = bench.console.ask(QUESTION, never);
  bench.hangUp();
  assert.deepEqual(await Promise.all([line, answer]), [undefined, "no"]);
  await bench.console.close();
  assert.deepEqual(bench.modes, ["taken", "closed"]);
  assert.equal(await bench.console.ask(QUESTION, never), "no");
});

Deno.test("AgentConsole shows no more rows than the terminal has", async () => {
  await using bench = await Bench.open();
  bench.console.status(() => ["status"]);
  void bench.console.next();
  await bench.type(Array.from({ length: 40 }, (_, at) => `${at}`).join("\x1b\r"));
  const rows = bench.screen.screen.split("\n");
  assert.deepEqual([rows.length, rows[0], rows.at(-1)], [23, "status", "     39"]);
});

Deno.test("AgentConsole.print rejects when the terminal can't be written to", async () => {
  const opened = await AgentConsole.open({
    history: [],
    style: styleOf(false),
    write: () => Promise.reject(new Deno.errors.BrokenPipe("gone")),
    interrupt: () => false,
    open: () =>
      Promise.resolve({
        size: () => ({ columns: 80, rows: 24 }),
        ...{ take() {}, release() {}, suspend() {}, close() {} },
      }),
  });
  await assert.rejects(opened.print("x"), Deno.errors.BrokenPipe);
  await opened.close();
});
