import assert from "node:assert/strict";
import { Place, Terminal, untilCount } from "./_agent.ts";
import { optional } from "./_optional.ts";
import { Served } from "./_serving.ts";

Deno.test("llmcmd agent -p ends with 7 at a limit of calls or tokens, and says which", async () => {
  const cases: [string[], Record<string, string>, RegExp][] = [
    [["--max-calls=2"], {}, /Reached LLMCMD_AGENT_MAX_CALLS \(2 API calls\)/],
    [[], { LLMCMD_AGENT_MAX_CALLS: "2" }, /Reached LLMCMD_AGENT_MAX_CALLS \(2 API calls\)/],
    [["--max-calls=2"], { LLMCMD_AGENT_MAX_CALLS: "9" }, /\(2 API calls\)/],
    [["--max-tokens=5"], {}, /Reached LLMCMD_AGENT_MAX_TOKENS \(5 weighted tokens\)/],
  ];
  await using place = new Place();
  const outcomes = await place.runAll(cases.flatMap(([args, env], at) => {
    const own = { XDG_STATE_HOME: `${place.folder}/state-${at}` };
    return [
      { args: ["-p", "work on and on", ...args], env: { ...own, ...env } },
      { args: ["-c", "-p", "again"], env: own },
    ];
  }));
  for (const [at, [, , message]] of cases.entries()) {
    const [reached, next] = outcomes.slice(2 * at);
    assert.equal(reached?.code, 7, reached?.stderr);
    assert.match(reached.stderr, message);
    assert.match(reached.stderr, /(^|\n)llmcmd agent: Reached .*; raise it to go on\n$/);
    // The finished part is stored, and the endpoint accepts the conversation.
    assert.deepEqual([next?.code, next?.stdout], [0, "Still here.\n"]);
  }
});

Deno.test("llmcmd agent refuses limits that are none", async () => {
  await using place = new Place();
  const zero = await place.run("", "--max-calls=0", "-p", "again");
  assert.equal(zero.code, 2);
  assert.match(zero.stderr, /argument of '--max-calls' is '0': give a whole number of at least 1/);
  const set = { ...place.env, LLMCMD_AGENT_MAX_CALLS: "0" };
  const variable = await place.run("", set, "-p", "again");
  assert.equal(variable.code, 2);
  assert.match(
    variable.stderr,
    /LLMCMD_AGENT_MAX_CALLS in the environment is "0": give a whole number/,
  );
});

Deno.test("llmcmd agent takes the time of commands from its options", async () => {
  await using place = new Place();
  const { code } = await place.run("", "--bash-timeout=1", "--max-calls=2", "-p", "hang");
  assert.equal(code, 3);
  const result = place.requests.at(-1)?.messages.at(-1)?.content ?? "";
  assert.match(result, /^\[Timed out after 1 s and killed/);
});

Deno.test("llmcmd agent reads ~/.llmcmdrc, and the environment counts before it", async () => {
  await using place = new Place();
  const { LLM_BASE_URL: address, LLM_AUTH_TOKEN: _, ...env } = place.env;
  const write = (text: string) => Deno.writeTextFile(`${place.folder}/.llmcmdrc`, text);
  delete env["LLM_BASE_URL"];
  await write(`LLM_AUTH_TOKEN=sk-1\nLLM_BASE_URL="${address}"\nLLM_DEFAULT_MODEL=of-file\n`);
  const first = await place.run("", env, "-p", "again");
  assert.deepEqual(first, { code: 0, stdout: "Still here.\n", stderr: "" });
  assert.equal(place.requests.at(-1)?.model, "of-file");
  await place.run("", { ...env, LLMCMD_MODEL: "of-environment" }, "-p", "again");
  assert.equal(place.requests.at(-1)?.model, "of-environment");
  await write(`OPENAI_API_KEY=sk-1\nLLM_BASE_URL=nowhere\nLLMCMD_AGENT_MAX_CALL=1\n`);
  const wrong = await place.run("", env, "-p", "again");
  assert.equal(wrong.code, 2);
  assert.match(
    wrong.stderr,
    /LLMCMD_AGENT_MAX_CALL is not known; did you mean LLMCMD_AGENT_MAX_CALLS\?/,
  );
  assert.match(wrong.stderr, /LLM_BASE_URL in .*\.llmcmdrc is not a web address/);
});

Deno.test("llmcmd agent /compact puts the small model's summary before what is recent", async () => {
  await using place = new Place();
  const { code, stdout } = await place.run("tell a lot\nagain\n/compact\n/usage\nagain\n");
  assert.equal(code, 0);
  assert.match(stdout, /\nAbout \d{4} tokens became \d{3}\nInput: \d+ tokens/);
  const [asked] = place.asked;
  assert.equal(place.asked.length, 1);
  assert.equal(asked?.model, "small");
  assert.match(asked?.messages[1]?.content ?? "", /^User: tell a lot\n\nAgent: word word/);
  const messages = place.requests.at(-1)?.messages ?? [];
  assert.deepEqual(messages.map(({ role }) => role), [
    ...["system", "user", "user", "assistant", "user"],
  ]);
  assert.equal(
    messages[1]?.content,
    "[The conversation so far was compacted. Summary:]\n\nGoal: to say it all shorter",
  );
  assert.deepEqual(messages.slice(2).map(({ content }) => content), [
    ...["again", "Still here.", "again"],
  ]);
  // It is stored like this, too; the system prompt is made anew.
  await place.run("again\n", "-c");
  assert.deepEqual(place.requests.at(-1)?.messages.slice(1, 5), messages.slice(1));
});

Deno.test("llmcmd agent /resume shows what was said last", async () => {
  await using place = new Place();
  await place.run("how are you\n");
  await place.run("again\n");
  const { stdout } = await place.run("/resume 2\n");
  assert.equal(
    stdout,
    "Going on with: how are you\n\nYou: how are you\n\nAgent: I'm doing well, thank you for asking!\n",
  );
});

Deno.test("llmcmd agent killed between two results goes on with both calls answered", async () => {
  await using place = new Place();
  const child = place.spawn(place.env, "--sandbox=none", "-p", "two commands");
  await child.stdin.close();
  await untilCount(place.folder, 1);
  child.kill("SIGKILL");
  assert.equal((await child.output()).signal, "SIGKILL");
  await untilCount(place.folder, 0);
  const { code, stdout } = await place.run("", "-c", "-p", "again");
  assert.deepEqual([code, stdout], [0, "Still here.\n"]);
  const messages = place.requests.at(-1)?.messages ?? [];
  const contents = messages.slice(3).map(({ role, content }) => `${role}: ${content}`);
  assert.match(contents[0] ?? "", /^tool: first\n\[Exit code 0/);
  assert.match(contents[1] ?? "", /^tool: Interrupted: .*it may have had an effect$/);
  assert.deepEqual(contents.slice(2), ["user: again"]);
});

Deno.test("llmcmd agent goes on with a session that ends after any of its lines", async () => {
  await using place = new Place();
  await place.run("", "-p", "Write hello world");
  const { id, title, lines } = await place.session();
  const roles = lines.map((line) => JSON.parse(line).message?.role);
  const ends = [...lines.keys()].slice(1);
  const stateOf = (at: number) => `${place.folder}/state-${at}`;
  for (const at of ends) {
    await place.store({ id, title, lines: lines.slice(0, at), state: `${stateOf(at)}/llmcmd` });
  }
  const before = place.requests.length;
  const outcomes = await place.runAll(ends.map((at) => ({
    args: ["-c", "-p", "again"],
    env: { XDG_STATE_HOME: stateOf(at) },
  })));
  assert.equal(place.requests.length, before + ends.length);
  for (const [index, at] of ends.entries()) {
    const { code, stderr } = outcomes[index] ?? assert.fail();
    assert.deepEqual([code, stderr], [0, ""], `line ${at}`);
    const messages = place.requests[before + index]?.messages ?? [];
    const whole = roles.slice(0, at).filter((role) => role !== undefined && role !== "tool");
    assert.deepEqual(
      messages.map(({ role }) => role).filter((role) => role !== "tool"),
      [...whole[0] === "system" ? [] : ["system"], ...whole, "user"],
      `line ${at}`,
    );
  }
});

Deno.test({
  ...optional(
    "llmcmd agent --continue shows on a terminal what was said last, under the model's title",
    "tmux",
  ),
  async fn() {
    await using place = new Place();
    {
      await using terminal = await Terminal.open(place);
      await terminal.keys("tell a lot", "Enter");
      await terminal.until(/word\n\nYou:\n$/);
      for (let attempt = 0; attempt < 4_800; attempt++) {
        if ((await place.session()).title === "A short title") break;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      await terminal.keys("C-d");
      await terminal.until(/status 0/);
    }
    const title = place.asked.at(-1);
    assert.equal(title?.model, "small");
    assert.match(title?.messages[1]?.content ?? "", /^User: tell a lot\n\nAgent: word/);
    await using terminal = await Terminal.open(place, undefined, "--continue");
    const screen = await terminal.until(/You:\n$/);
    assert.match(
      screen,
      /\nGoing on with: A short title\n\nYou: tell a lot\n\nAgent: \.\.\. word [^]* word\n\nYou:\n$/,
    );
    assert.ok(screen.length < 1000, screen);
    await terminal.keys("/resume", "Enter");
    await terminal.until(/ 1 {2}[-\d]+ [:\d]+ {2}A short title\n/);
    await terminal.keys("C-d");
    await terminal.until(/status 0/);
  },
});

Deno.test({
  ...optional(
    "llmcmd agent takes a long paste whole, with and without the terminal's marks",
    "tmux",
  ),
  async fn() {
    await using place = new Place();
    await using terminal = await Terminal.open(place);
    const lines = Array.from({ length: 300 }, (_, at) => `${at} again ${"x".repeat(100)}`);
    for (const [text, flags] of [[lines.join("\n"), ["-p"]], [lines.join(" "), []]] as const) {
      const before = place.requests.length;
      await Deno.writeTextFile(`${place.folder}/paste`, text);
      await terminal.tmux("load-buffer", `${place.folder}/paste`);
      await terminal.tmux("paste-buffer", ...flags);
      await terminal.keys("!", "Enter");
      for (let attempt = 0; place.requests.length === before && attempt < 4_800; attempt++) {
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      await terminal.until(/!\n\nAgent: Still here\.\n\nYou:\n$/);
      assert.equal(place.last(), `${text}!`);
    }
    await terminal.keys("C-d");
    await terminal.until(/status 0/);
  },
});

Deno.test("llmcmd agent --continue takes the last session of its own folder", async () => {
  await using place = new Place();
  await place.run("how are you\n");
  const { id, lines } = await place.session();
  const other = lines.map((line) => line.replace(`"root":"${place.folder}"`, '"root":"/other"'));
  assert.notEqual(other[0], lines[0]);
  await place.store({ id: "z", root: "/other", title: "how are you", lines: other });
  await place.run("again\n", "-c");
  assert.equal(place.requests.at(-1)?.messages.length, 4);
  assert.equal((await place.session()).id, id);
  const { stdout } = await place.run("/resume\n/resume z\n");
  assert.match(
    stdout,
    new RegExp(
      "^ 1  [-\\d]+ [:\\d]+  how are you\n" +
        "Of other folders, where llmcmd agent goes on with them:\n" +
        "    [-\\d]+ [:\\d]+  how are you  \\(/other\\)\n" +
        "/resume N goes on with one\n" +
        "This session belongs to /other: to go on with it, start llmcmd agent there " +
        "\\(cd /other && llmcmd agent\\)\n$",
    ),
  );
});

Deno.test("a session goes from llmcmd agent to llmcmd serve and back, one of them at a time", async () => {
  await using place = new Place();
  const first = await place.run("how are you\n/usage\n");
  const { id } = await place.session();
  const port = Number(new URL(place.env["LLM_BASE_URL"] ?? "").port);
  const served = await Served.start(place.folder, port, ["--sandbox=none"], undefined, place.env);
  try {
    const { sessions } = await (await served.get("/sessions")).json();
    assert.deepEqual([sessions[0].id, sessions[0].title], [id, "how are you"]);
    const said = await (await served.post("/chat", { message: "again", session: id })).text();
    assert.match(said, /Still[^]*here[^]*event: done\n/);
    assert.equal(place.requests.at(-1)?.messages.length, 4);

    const child = place.spawn(place.env, "--sandbox=none", "-c");
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("/usage\nhang\n"));
    await untilCount(place.folder, 1);
    const refused = await served.post("/chat", { message: "again", session: id });
    assert.equal(refused.status, 409);
    assert.match(await refused.text(), new RegExp(`open in llmcmd agent \\(pid ${child.pid}\\)`));
    child.kill("SIGKILL");
    const usage = new TextDecoder().decode((await child.output()).stdout);
    await writer.abort().catch(() => {});
    // Those of the turn on the page count, too.
    const tokens = (text: string) => /Input: (\d+) tokens/.exec(text)?.[1];
    assert.ok(Number(tokens(usage)) > Number(tokens(first.stdout)), usage);
    const last = await (await served.post("/chat", { message: "again", session: id })).text();
    assert.match(last, /Still[^]*here[^]*event: done\n/);
    assert.equal((await place.session()).id, id);
  } finally {
    await served.end("SIGTERM");
  }
});

Deno.test("llmcmd agent shows and tells the local time", async () => {
  await using place = new Place();
  const zones = ["Etc/GMT+12", "Etc/GMT-14"];
  for (const TZ of zones) await place.run("how are you\n", { ...place.env, TZ });
  const told = place.requests.map(({ messages: [system] }) =>
    /^- Date: (.*)$/m.exec(String(system?.content))?.[1]
  );
  const created = await place.withStore(async (store) => (await store.list({}, 1))[0]?.created) ??
    0;
  const day = (hours: number) => new Date(created + hours * 3_600_000).toISOString().slice(0, 10);
  assert.deepEqual(told, [day(-12), day(14)]);
  for (const [at, hours] of [-12, 14].entries()) {
    const { stdout } = await place.run("/resume\n", { ...place.env, TZ: zones[at] ?? "" });
    assert.match(stdout, new RegExp(`^ 1  ${day(hours)} .*\n 2  ${day(hours)} `));
  }
});
