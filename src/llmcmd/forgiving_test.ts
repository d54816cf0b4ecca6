/** What models often write otherwise, and what is meant, through the tools and the whole run. */
import assert from "node:assert/strict";
import { runScript, ScriptedClient, ToolBench } from "./_testing.ts";

const TEXT = "b\na,1\nB\n";

const cmds: [cmd: string, out: string, status: number[]][] = [
  ["", TEXT, [0]],
  [" \n", TEXT, [0]],
  ["/usr/bin/sort", "B\na,1\nb\n", [0]],
  ["LC_ALL=C sort 2>/dev/null", "B\na,1\nb\n", [0]],
  ["egrep 'a|b' 2>&1 | gsed s/b/c/", "c\na,1\n", [0, 0]],
  ["fgrep -c a,1;", "1\n", [0]],
  ["command grep -i b |& sort -r || true", "b\nB\n", [0, 0]],
  ["grep zoe || true", "", [1]],
  ["base64 -d || true", "", [1]],
  ["base64 -d | sort || true", "", [1, 0]],
];

for (const [cmd, out, status] of cmds) {
  Deno.test(`pipe does what is meant by ${JSON.stringify(cmd)}`, async () => {
    await using bench = new ToolBench({ inputs: [TEXT] });
    const result = await bench.pipe({ cmd, in_fd: 3, out_fd: 1 });
    assert.deepEqual([result.success, result.error, result.status], [true, null, status]);
    // What base64 wrote before it failed does not matter here.
    if (!cmd.startsWith("base64")) assert.equal(bench.out.text(), out);
  });
}

Deno.test("pipe keeps errors out of the data with 2>&1, and tells them with 2>/dev/null", async () => {
  for (const redirection of ["2>&1", "2>/dev/null"]) {
    await using bench = new ToolBench({ inputs: ["%%%"] });
    const result = await bench.pipe({ cmd: `base64 -d ${redirection}`, in_fd: 3, out_fd: 1 });
    assert.deepEqual([result.success, result.stderr], [false, "base64: invalid input\n"]);
    assert.equal(bench.out.text(), "");
  }
});

Deno.test("pipe with || true tells the status and the errors, and covers no other command", async () => {
  await using bench = new ToolBench({ inputs: ["%%%"] });
  const { stderr, status } = await bench.pipe({ cmd: "base64 -d || true", in_fd: 3, out_fd: 1 });
  assert.deepEqual([stderr, status], ["base64: invalid input\n", [1]]);
  // The errors of arguments are no status: nothing ran.
  for (const cmd of ["awk 1 || true", "sort --nope || true", "grep '[' || true"]) {
    assert.equal((await bench.pipe({ cmd, in_fd: 3, out_fd: 1 })).success, false, cmd);
  }
  const before = await bench.pipe({ cmd: "base64 -d || true", in_fd: 3 });
  const after = await bench.pipe({ cmd: "false", in_fd: before.out_fd, out_fd: 1 });
  assert.deepEqual([after.success, after.error], [false, "false failed with status 1"]);
});

Deno.test("pipe tells of a locale that sorts otherwise", async () => {
  await using bench = new ToolBench({ inputs: [TEXT] });
  const result = await bench.pipe({ cmd: "LC_ALL=de_DE.UTF-8 sort", in_fd: 3, out_fd: 1 });
  assert.deepEqual(result, {
    success: true,
    size: 8,
    status: [0],
    stderr: "sort: LC_ALL=de_DE.UTF-8: the only locale is C.UTF-8\n",
    error: null,
  });
});

Deno.test("Calls whose arguments are of the wrong type, encoded twice or wrapped do what is meant", async () => {
  const client = new ScriptedClient(
    [
      ["pipe", { cmd: "sort", in_fd: "3", out_fd: "1 " }],
      ["pipe", JSON.stringify({ cmd: "grep -c b", in_fd: 3, out_fd: 1 })],
      ["pipe", { arguments: { cmd: "", in_fd: 3, out_fd: 1 } }],
      ["pipe", { name: "pipe", parameters: { cmd: "tr b x", out_fd: "1" } }],
      ["write", { fd: "4", data: "b\n", eof: "true" }],
      ["read", { input: { fd: "3", offset: null, max_size: "2" } }],
    ],
    [["exit", { code: "0" }]],
  );
  const { result, out } = await runScript(client, { inputs: [TEXT] });
  const answers = client.lastResults;
  assert.deepEqual(answers.map(({ error }) => error), [null, null, null, null, null, null]);
  assert.equal(answers[5].input, "b\n");
  assert.deepEqual([result.exitCode, out], [0, `B\na,1\nb\n1\n${TEXT}x\n`]);
});

Deno.test("Everything that fails is told as JSON, with the way out", async () => {
  const rows: [name: string, input: unknown, error: RegExp][] = [
    ["pipe", { file: "a", cmd: "sort" }, /^Unknown key "file": pipe takes cmd, in_fd, out_fd$/],
    [
      "pipe",
      { cmd: "sort", input_fd: 3 },
      /^Unknown key "input_fd": pipe takes cmd, in_fd, out_fd/,
    ],
    ["pipe", { cmd: "sort", infd: 3 }, /\(did you mean in_fd\?\)$/],
    ["pipe", { cmd: ["sort"] }, /^pipe: cmd: give text in quotes, not \["sort"\]$/],
    ["write", { text: "a" }, /^Unknown key "text": write takes fd, data, eof$/],
    ["write", { data: 3 }, /^write: data: give text in quotes, not 3$/],
    ["read", { fd: "3x" }, /^read: fd: give a number, not "3x"$/],
    ["read", "fd 3", /^read: give an object, not "fd 3"$/],
    ["exit", { status: 0 }, /^Unknown key "status": exit takes code$/],
    ["exit", { code: 256 }, /^exit: code: Too big/],
    ["grep", { pattern: "x" }, /^Unknown tool "grep" .*; grep is a command: call pipe with cmd$/],
    ["reed", {}, /^Unknown tool "reed" .*did you mean read\?$/],
    ["pipe", { cmd: "jq .a", in_fd: 3 }, /^jq: command not found; read the JSON/],
    ["pipe", { cmd: "cat < a", out_fd: 1 }, /^Unquoted < .*in_fd/],
  ];
  const client = new ScriptedClient(
    rows.map(([name, input]) => [name, input]),
    [["exit", { code: 1 }], ["read", {}]],
  );
  const { events } = await runScript(client, { inputs: [TEXT] });
  client.lastResults.forEach((answer, index) => {
    const [name, input, error] = rows[index] ?? assert.fail();
    assert.match(answer.error, error);
    if (name === "pipe" || name === "write") {
      assert.deepEqual([answer.success, answer.size], [false, 0], JSON.stringify(input));
    }
  });
  const messages = events.flatMap((event) => event.type === "message" ? [event.message] : []);
  const last = messages.at(-1);
  assert.deepEqual(JSON.parse(String(last?.content)), {
    input: "",
    eof: false,
    size: 0,
    error: "Not run: exit ended the run",
  });
});

Deno.test("A write that is cut writes what arrived, also when its arguments are encoded twice", async () => {
  const cut = (call: string) => ({
    type: "tool_call" as const,
    index: 0,
    id: "a",
    name: call.includes("cmd") ? "pipe" : "write",
    arguments: call,
  });
  const cases: [text: string, out: string, error: RegExp][] = [
    ['"{\\"fd\\":\\"1\\",\\"data\\":\\"one\\\\ntw', "one\ntw", /6 bytes were written to fd 1/],
    ['{"arguments":{"data":"one', "one", /3 bytes were written to fd 1/],
    ['{"fd":1,"eof":"true","data":"one', "one", /3 bytes were written to fd 1/],
    ['{"text":"one', "", /^Unknown key "text": write takes fd, data, eof$/],
    ["[1", "", /cut at 4096 tokens before any data: nothing was written/],
    ['{"cmd":"sor', "", /^Not run: your answer was cut at 4096 tokens/],
  ];
  for (const [text, out, error] of cases) {
    const script = new ScriptedClient([["exit", { code: 1 }]]);
    let first = true;
    const client: typeof script.stream = (request, options) => {
      if (!first) return script.stream(request, options);
      first = false;
      options.quota?.startCall();
      return ReadableStream.from([cut(text), {
        type: "finish" as const,
        reason: "length" as const,
      }]);
    };
    const run = await runScript({ stream: client }, {});
    assert.equal(run.out, out, text);
    const end = run.events.find((event) => event.type === "tool_end");
    assert.match(end === undefined ? "" : JSON.parse(end.content).error, error, text);
  }
});
