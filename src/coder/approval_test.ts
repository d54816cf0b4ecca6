import assert from "node:assert/strict";
import type { Clock } from "../llm/mod.ts";
import { hostFs } from "../sys/mod.ts";
import type { Registry } from "../tool/mod.ts";
import { type BoundedVfs, hostVfs } from "../vfs/mod.ts";
import { callTool, FakeRunner } from "./_testing.ts";
import {
  type ApprovalAnswer,
  type ApprovalOptions,
  type ApprovalRequest,
  Grants,
} from "./approval.ts";
import { approvedTools, coderTools } from "./tools.ts";

/** A folder `work` that may be changed, beside `out`, which may be read, and `keys`, which is hidden. */
class Place implements AsyncDisposable {
  readonly top = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "approval-" }));
  readonly runner = new FakeRunner();
  readonly grants = new Grants();
  readonly requests: ApprovalRequest[] = [];
  readonly #vfs: BoundedVfs;
  readonly #like: Registry;

  constructor() {
    for (const name of ["work", "out", "keys"]) {
      Deno.mkdirSync(`${this.top}/${name}`);
      Deno.writeTextFileSync(`${this.top}/${name}/a`, name);
    }
    Deno.symlinkSync("../out", `${this.top}/work/link`);
    const root = `${this.top}/work`;
    this.#vfs = hostVfs(hostFs(), { root, writable: [root], hidden: [`${this.top}/keys`] });
    this.#like = coderTools({ vfs: this.#vfs, runner: this.runner });
  }

  /** Tools where the questions get these answers, one after the other. */
  tools(answers: ApprovalAnswer[], more: Partial<ApprovalOptions> = {}): Registry {
    const ask = (request: ApprovalRequest) => {
      this.requests.push(request);
      return Promise.resolve(answers.shift() ?? assert.fail("asked once too often"));
    };
    const { grants, runner } = this;
    const approvals = { grants, ask, ...more };
    return approvedTools({ vfs: this.#vfs, runner, approvals, like: this.#like });
  }

  text(path: string): string | undefined {
    try {
      return Deno.readTextFileSync(`${this.top}/${path}`);
    } catch {
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.top, { recursive: true });
  }
}

const write = (path: string) => ({ path, content: "new" });

Deno.test("approvedTools ask for nothing within the boundary", async () => {
  await using place = new Place();
  const tools = place.tools([]);
  assert.equal((await callTool(tools, "write_file", write("sub/b"))).content, "OK");
  assert.equal((await callTool(tools, "read_file", { path: "../out/a" })).content, "out");
  const edit = { path: "a", old_string: "work", new_string: "w" };
  assert.match((await callTool(tools, "edit_file", edit)).content, /^OK\n/);
  await callTool(tools, "bash", { command: "x" });
  assert.deepEqual(place.requests, []);
  assert.deepEqual(place.runner.commands[0]?.options.writable, []);
});

Deno.test("approvedTools tell where nobody can be asked, and do nothing", async () => {
  await using place = new Place();
  const tools = place.tools([], {
    ask: undefined,
    otherwise: ({ kind, what }) => `give --yes to ${kind} ${what}`,
  });
  const { top } = place;
  assert.deepEqual(await callTool(tools, "write_file", write("link/new/b")), {
    content: "write_file: Cannot write link/new/b: it is outside the folders that may be written " +
      `to (${top}/work); give --yes to write ${top}/out/new/b`,
    error: true,
  });
  assert.deepEqual(await callTool(tools, "read_file", { path: "../keys/a" }), {
    content: `read_file: Cannot read ../keys/a: ${top}/keys is hidden from these tools; ` +
      `give --yes to read ${top}/keys/a`,
    error: true,
  });
  assert.equal(place.text("out/new/b"), undefined);
});

Deno.test("a write that is allowed once is asked for again, and makes the folders it needs", async () => {
  await using place = new Place();
  const { top } = place;
  const tools = place.tools(["once", "no", "once"]);
  assert.equal((await callTool(tools, "write_file", write("link/new/b"))).content, "OK");
  assert.deepEqual(place.requests, [{
    kind: "write",
    what: `${top}/out/new/b`,
    why: `it is outside the folders that may be written to (${top}/work)`,
    session: `all changes in ${top}/out/new, also by commands`,
    callId: "call_1",
  }]);
  assert.equal(place.text("out/new/b"), "new");
  const refused = await callTool(tools, "write_file", { path: "link/new/b", content: "newer" });
  assert.match(refused.content, /; the user said no: do not try it in another way$/);
  assert.equal(place.text("out/new/b"), "new");
  const edit = { path: `${top}/out/a`, old_string: "out", new_string: "in" };
  assert.match((await callTool(tools, "edit_file", edit)).content, /^OK\n/);
  assert.equal(place.text("out/a"), "in");
  assert.deepEqual(tools.names, ["read_file", "write_file", "edit_file", "bash"]);
});

Deno.test("a write that is allowed for the session opens its folder, also to commands", async () => {
  await using place = new Place();
  const { top } = place;
  const tools = place.tools(["session", "no"]);
  await callTool(tools, "write_file", write(`${top}/out/b`));
  await callTool(tools, "write_file", write(`${top}/out/sub/c`));
  await callTool(tools, "write_file", write(`${top}/d`));
  assert.deepEqual(place.requests.map(({ what }) => what), [`${top}/out/b`, `${top}/d`]);
  await callTool(place.tools([]), "write_file", write(`${top}/out/e`));
  assert.deepEqual(["b", "sub/c", "e"].map((name) => place.text(`out/${name}`)), [
    ...["new", "new", "new"],
  ]);
  assert.equal(place.text("d"), undefined);
  await callTool(tools, "bash", { command: "x" });
  assert.deepEqual(place.runner.commands[0]?.options.writable, [`${top}/out`]);
});

Deno.test("a hidden file that is allowed for the session stays hidden from commands", async () => {
  await using place = new Place();
  const { top } = place;
  const tools = place.tools(["session", "no", "no"]);
  for (let time = 0; time < 2; time++) {
    assert.equal((await callTool(tools, "read_file", { path: "../keys/a" })).content, "keys");
  }
  assert.equal((await callTool(tools, "read_file", { path: "../keys/b" })).error, true);
  // To read it is not to change it.
  assert.equal((await callTool(tools, "write_file", write("../keys/a"))).error, true);
  assert.deepEqual(place.requests.map(({ kind, what, session }) => [kind, what, session]), [
    ["read", `${top}/keys/a`, "reading this file"],
    ["read", `${top}/keys/b`, "reading this file"],
    ["write", `${top}/keys/a`, "changes of this file"],
  ]);
  await callTool(tools, "bash", { command: "x" });
  assert.deepEqual(place.runner.commands[0]?.options.writable, []);
  assert.equal(place.text("keys/a"), "keys");
});

Deno.test("commands are asked for where that is chosen, the same one only once a session", async () => {
  await using place = new Place();
  const tools = place.tools(["once", "session", "no"], { calls: "commands" });
  const run = async (command: string) => (await callTool(tools, "bash", { command })).content;
  for (let time = 0; time < 3; time++) assert.match(await run("make"), /^\[Exit code 0/);
  assert.equal(
    await run("make clean"),
    "bash: The command was not run: the user said no: do not try it in another way",
  );
  assert.equal((await callTool(tools, "write_file", write("b"))).content, "OK");
  assert.deepEqual(place.runner.commands.map(({ command }) => command), ["make", "make", "make"]);
  assert.deepEqual(place.requests.map(({ kind, what, why }) => [kind, what, why]), [
    ["command", "make", undefined],
    ["command", "make", undefined],
    ["command", "make clean", undefined],
  ]);
});

Deno.test("all calls are asked for where that is chosen, and where they lead if that is beyond", async () => {
  await using place = new Place();
  const tools = place.tools(["once", "no", "once", "no"], { calls: "all" });
  assert.equal((await callTool(tools, "read_file", { path: "a" })).content, "work");
  assert.match(
    (await callTool(tools, "write_file", write("b"))).content,
    /^write_file: Cannot write b: the user said no/,
  );
  assert.equal((await callTool(tools, "write_file", write("link/b"))).error, true);
  assert.deepEqual(place.requests.map(({ kind, what }) => [kind, what]), [
    ["read", "a"],
    ["write", "b"],
    ["write", "link/b"],
    ["write", `${place.top}/out/b`],
  ]);
});

/** A clock whose time passes when the test says so. */
class TestClock implements Clock {
  #end: (() => void) | undefined;
  waited = 0;
  now(): number {
    return 0;
  }
  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    this.waited = milliseconds;
    return new Promise((resolve, reject) => {
      this.#end = resolve;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }
  pass(): void {
    this.#end?.();
  }
}

Deno.test("no answer within ten minutes is a no, and the question is withdrawn", async () => {
  await using place = new Place();
  const clock = new TestClock();
  const withdrawn: boolean[] = [];
  const tools = place.tools([], {
    clock,
    ask: (_, signal) => {
      signal.addEventListener("abort", () => withdrawn.push(true));
      queueMicrotask(() => clock.pass());
      return new Promise(() => {});
    },
  });
  const { content } = await callTool(tools, "write_file", write("../out/b"));
  assert.match(content, /; the user did not answer within 10 minutes, which counts as no$/);
  assert.equal(clock.waited, 600_000);
  assert.deepEqual(withdrawn, [true]);
  assert.equal(place.text("out/b"), undefined);
});

Deno.test("a turn that is stopped no longer waits for an answer", async () => {
  await using place = new Place();
  const stop = new AbortController();
  const clock = new TestClock();
  const tools = place.tools([], {
    clock,
    ask: (_, signal) => {
      queueMicrotask(() => stop.abort(new Error("stopped")));
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      );
    },
  });
  await assert.rejects(callTool(tools, "write_file", write("../out/b"), stop.signal), /stopped/);
  assert.equal(place.text("out/b"), undefined);
});

Deno.test("a question that fails is a no", async () => {
  await using place = new Place();
  const tools = place.tools([], { ask: () => Promise.reject(new Error("the terminal is gone")) });
  const { content } = await callTool(tools, "read_file", { path: "../keys/a" });
  assert.match(content, /; the user could not be asked: the terminal is gone$/);
});
