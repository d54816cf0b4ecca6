import assert from "node:assert/strict";
import { notLinux, optional } from "../../../tests/_optional.ts";
import { connectLocal } from "../../sys/mod.ts";
import { noSandbox } from "../_testing.ts";
import { chooseSandbox, TerminalModes } from "../mod.ts";
import { PATIENT, type TestBench, testBench } from "../sessions/_testing.ts";
import { readFrames, sendMessage } from "./frames.ts";
import { attach, attachableSessions, type Attachment, AttachServer } from "./attach.ts";

const INPUT = { ...PATIENT, until: { kind: "input" } } as const;
const EXIT = { ...PATIENT, until: { kind: "exit" } } as const;
const SIZE = { columns: 90, rows: 30 };

function attachTest(name: string, fn: (bench: TestBench, folder: string) => Promise<void>): void {
  Deno.test({
    ...optional(name, notLinux, "python3"),
    async fn() {
      await using bench = await testBench();
      const folder = `${bench.folder}/attach`;
      await using server = new AttachServer({
        ...{ sessions: () => bench.manager, folder, program: "llmcmd mcp", pid: Deno.pid },
      });
      await server.listen();
      await fn(bench, folder);
    },
  });
}

async function joinOne(folder: string, sessionId: string, size = SIZE): Promise<Attachment> {
  const found = (await attachableSessions([folder])).find((it) => it.sessionId === sessionId);
  return await attach(found ?? assert.fail("it is not listed"), size) ?? assert.fail("no server");
}

/** Collects what a person sees until it has a text, or the connection ends. */
async function see(attachment: Attachment, text?: string): Promise<string> {
  const decoder = new TextDecoder();
  let seen = "";
  // Its iterator is used again, so it must not be closed.
  const events = attachment.events[Symbol.asyncIterator]();
  for (;;) {
    const { value: event, done } = await events.next();
    if (done) return seen;
    if (event.kind === "bytes") seen += decoder.decode(event.bytes, { stream: true });
    else seen += JSON.stringify(event);
    if (text !== undefined && seen.includes(text)) return seen;
  }
}

attachTest(
  "A person joins, types a password that is in nothing the model reads, and is told of the end",
  async (bench, folder) => {
    const session = await bench.start(
      'read -s -p "Password: " x; echo; echo "got ${#x}"; exit 3',
      { sessionId: "pw" },
    );
    assert.equal((await session.read(INPUT)).attached, undefined);
    const [listed] = await attachableSessions([folder]);
    assert.deepEqual(
      { ...listed, path: "", startedAt: "" },
      {
        ...{ path: "", startedAt: "", owner: "me", sessionId: "pw", program: "llmcmd mcp" },
        ...{ pid: Deno.pid, command: session.command, folder: bench.folder, attached: 0 },
        state: "waits for a password (bash)",
      },
    );
    const person = await joinOne(folder, "pw");
    await see(person, "Password:");
    const waiting = await session.read({ ...PATIENT, timeout: 0 });
    assert.deepEqual([waiting.attached, waiting.inputMode, waiting.output], [true, "password", ""]);
    assert.equal(session.idleFor, 0);
    await person.type(new TextEncoder().encode("hunter2\r"));
    const read = await session.read(EXIT);
    assert.deepEqual([read.output, read.exitCode, read.attached], ["\ngot 7\n", 3, undefined]);
    const rest = await see(person);
    assert.match(rest, /got 7\r\n.*\{"kind":"ended","exitCode":3\}$/s);
    assert.doesNotMatch(rest, /hunter2/);
    person.close();
    assert.deepEqual(await attachableSessions([folder]), []);
  },
);

attachTest(
  "The session has the size of the smallest terminal that has joined, and its own again",
  async (bench, folder) => {
    const session = await bench.start("while read x; do stty size; done");
    const size = async () => {
      const matches = (text: string) => /\d+ \d+\n/.test(text);
      const until = { kind: "output", matches } as const;
      const { output } = await session.write({ input: "{enter}", raw: false }, {
        ...PATIENT,
        until,
      });
      return /\d+ \d+/.exec(output)?.[0];
    };
    const settles = async (wanted: string) => {
      for (let attempt = 0; attempt < 100 && await size() !== wanted;) attempt++;
      assert.equal(await size(), wanted);
    };
    assert.equal(await size(), "40 120");
    const one = await joinOne(folder, session.sessionId);
    await see(one, "40 120");
    await settles("30 90");
    const two = await joinOne(folder, session.sessionId, { columns: 100, rows: 20 });
    await see(two, "30 90");
    await settles("20 90");
    await one.resize({ columns: 70, rows: 10 });
    await settles("10 70");
    one.close();
    await settles("20 100");
    two.close();
    await settles("40 120");
    assert.equal(session.attached, 0);
  },
);

attachTest(
  "A terminal that takes nothing does not hold up the model, and sees the last screen later",
  async (bench, folder) => {
    const session = await bench.start("read x; seq 1 3000000; read x; echo the end");
    await session.read(INPUT);
    const person = await joinOne(folder, session.sessionId);
    await session.write({ input: "{enter}", raw: false }, {
      ...PATIENT,
      until: { kind: "output", matches: (text) => text.includes("3000000\n") },
    });
    const before = await session.look();
    assert.deepEqual([before.waitingForInput, before.attached], [true, true]);
    await session.write({ input: "{enter}", raw: false }, EXIT);
    const seen = await see(person);
    assert.ok(seen.length < 4 * 1024 ** 2, `${seen.length} were kept`);
    assert.match(seen, /the end.*"ended"/s);
    person.close();
  },
);

attachTest(
  "What a program draws is drawn for who comes later, in its colours",
  async (bench, folder) => {
    const draw =
      "printf '\\033[?1049h\\033[2J\\033[3;5H\\033[1;31mred\\033[0m\\033[?1h\\033[6n'; read x";
    const session = await bench.start(draw);
    await session.read(INPUT);
    const person = await joinOne(folder, session.sessionId);
    const seen = await see(person, "red");
    const modes = new TerminalModes();
    modes.note(new TextEncoder().encode(seen));
    assert.ok(modes.restore().startsWith("\x18\x1b[?1049l\x1b[?1l"));
    assert.ok(seen.includes("\x1b[3;1H    \x1b[0;1;38;5;1mred"), JSON.stringify(seen));
    person.close();
  },
);

attachTest(
  "Who speaks another version, or asks for what is not there, is told",
  async (bench, folder) => {
    await bench.start("cat", { sessionId: "one" });
    const [session] = await attachableSessions([folder]);
    assert.ok(session !== undefined);
    const other = await attach({ ...session, sessionId: "two" }, SIZE) ?? assert.fail();
    assert.equal(await see(other), '{"kind":"failed","message":"it has ended"}');
    other.close();
    const raw = await connectLocal(session.path) ?? assert.fail();
    await raw.write(new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n"));
    const answer = await new Response(raw.readable).text();
    assert.match(answer, /"failed".*A frame has \d+ bytes/);
    raw.close();
    const newer = await connectLocal(session.path) ?? assert.fail();
    await sendMessage(newer, { version: 2, op: "list" });
    const [refused] = await Array.fromAsync(readFrames(newer));
    assert.deepEqual(refused, {
      kind: "message",
      message: {
        event: "failed",
        message:
          "its server speaks version 1 of the protocol, not 2: use the release that started it",
      },
    });
    newer.close();
  },
);

Deno.test({
  ...optional(
    "A command in the sandbox does not see the socket of its own session",
    ...[notLinux, "python3" as const, noSandbox],
  ),
  async fn() {
    const state = await Deno.realPath(await Deno.makeTempDir({ prefix: "attach-" }));
    try {
      await using bench = await testBench({
        sandbox: await chooseSandbox("bwrap", { hidden: [state] }),
      });
      const folder = `${state}/attach`;
      await Deno.mkdir(folder, { mode: 0o700 });
      await using server = new AttachServer({
        ...{ sessions: () => bench.manager, folder, program: "llmcmd mcp", pid: Deno.pid },
      });
      await server.listen();
      const [name = ""] = [...Deno.readDirSync(folder)].map(({ name }) => name);
      const connect =
        `import socket; s = socket.socket(socket.AF_UNIX); s.connect("${folder}/${name}")`;
      const session = await bench.start(`ls -A ${state} | wc -l; python3 -IS -c '${connect}'`);
      assert.equal((await attachableSessions([folder])).length, 1);
      const { output, exitCode } = await session.read(EXIT);
      assert.match(output, /^0\n[^]*(FileNotFoundError|No such file)/);
      assert.equal(exitCode, 1);
    } finally {
      await Deno.remove(state, { recursive: true });
    }
  },
});
