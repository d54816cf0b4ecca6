import assert from "node:assert/strict";
import { parseScenarios } from "../src/mock/mod.ts";
import { noSandbox } from "../src/terminal/_testing.ts";
import { optional } from "./_optional.ts";
import { type Served, serving } from "./_serving.ts";

const tool = (name: string, input: Record<string, unknown>) => ({
  function: { name, arguments: input },
});
const bash = (command: string) => tool("bash", { command });

/** Begins a turn of the server whose port is in the file `port`. */
const BEGIN = String.raw`exec 9<>/dev/tcp/127.0.0.1/$(cat port)
printf 'POST /chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' >&9
printf 'Content-Length: 19\r\nConnection: close\r\n\r\n{"message":"again"}' >&9
head -1 <&9`;

/** Attempts of a model to find the token. */
const ATTACKS = [
  bash(BEGIN),
  bash("cat .state/llmcmd/key"),
  bash("mv .state seen; mv .state/llmcmd seen; ln .state/llmcmd/key hard; grep -rs . .state seen"),
  // Of this server alone: if the sandbox fails, no data of other programs gets into a log.
  bash("env | grep LLMCMD_SERVE_TOKEN; p=/proc/$(cat pid); cat $p/environ $p/cmdline"),
  bash("ln -s .state/llmcmd/key link; ln -s .state/llmcmd folder; echo linked"),
  tool("read_file", { path: ".state/llmcmd/key" }),
  tool("read_file", { path: "link" }),
  tool("read_file", { path: "folder/key" }),
  tool("read_file", { path: "/proc/self/environ" }),
  tool("read_file", { path: "/proc/self/cmdline" }),
  tool("read_file", { path: "/proc/self/root/proc/self/environ" }),
  tool("write_file", { path: "link", content: "x".repeat(40) }),
  tool("write_file", { path: ".state/llmcmd/key", content: "x".repeat(40) }),
];

const scenarios = parseScenarios({
  scenarios: [
    {
      name: "steal",
      trigger: "steal",
      steps: [{ response: { tool_calls: ATTACKS } }, { response: { content: "Over." } }],
    },
    { name: "other", trigger: "again", steps: [{ response: { content: "Still here." } }] },
  ],
}, "serve_token.json");

/** The sources of the token: the state folder, the environment, the command line. */
const SECRET = "a-token-of-at-least-32-characters-x";
const ORIGINS = [
  { from: "the state folder", args: [], env: {} },
  { from: "the environment", args: [], env: { LLMCMD_SERVE_TOKEN: SECRET } },
  { from: "the command line", args: [`--token=${SECRET}`], env: {} },
];

/** The events of a turn, in which every question is answered with no. */
async function refusing(
  served: Served,
  answer: Response,
  headers: Record<string, string>,
): Promise<string> {
  const run = answer.headers.get("x-run-id");
  let events = "";
  let asked = 0;
  for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    events += text;
    const ids = [...events.matchAll(/^event: ask\nid: \d+\ndata: \{"id":"([^"]+)".*\n\n/gm)];
    for (const [, id] of ids.slice(asked)) {
      const { status, body } = await served.post(
        `/runs/${run}/asks/${id}`,
        { answer: "no" },
        headers,
      );
      assert.equal(status, 200);
      await body?.cancel();
    }
    asked = ids.length;
  }
  return events;
}

for (const { from, args, env } of ORIGINS) {
  const name = `llmcmd serve keeps its token from the tools of its agent: from ${from}`;
  Deno.test({
    ...optional(name, noSandbox),
    fn: async () => {
      // The state folder is in the working folder, where commands may write.
      await serving({ args, env, scenarios }, async ({ start, folder }) => {
        const served = await start();
        const path = `${folder}/.state/llmcmd/key`;
        const kept = await Deno.readTextFile(path).catch(() => undefined);
        const token = kept?.trim() ?? SECRET;
        await Deno.writeTextFile(`${folder}/pid`, String(served.pid));
        await Deno.writeTextFile(`${folder}/port`, new URL(served.url).port);
        const authorization = `Bearer ${token}`;
        const answer = await served.post("/chat", { message: "steal" }, { authorization });
        const events = await refusing(served, answer, { authorization });
        // The events are not shown in a message, as they may contain the server's environment.
        assert.ok(/HTTP\/1\.1 401 Unauthorized[^]*linked[^]*Over[^]*event: done\n/.test(events));
        assert.equal(events.includes(token), false);
        assert.equal(served.said.includes(token), false);
        const results = [...events.matchAll(/^event: tool_result\n.*\ndata: (.*)$/gm)]
          .map(([, data = ""]) => data);
        assert.equal(results.length, ATTACKS.length);
        for (const result of results.slice(5)) {
          assert.ok(result.includes("is hidden from these tools; the user said no"));
        }
        assert.equal(await Deno.readTextFile(path).catch(() => undefined), kept);
        await served.end("SIGTERM");
      });
    },
  });
}

Deno.test("llmcmd serve has a token that it keeps, and names the file where nobody looks on", async () => {
  await serving({ args: ["--sandbox=none"], scenarios }, async ({ start, folder }) => {
    const served = await start();
    const path = `${folder}/.state/llmcmd/key`;
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    const token = (await Deno.readTextFile(path)).trim();
    assert.deepEqual(served.said.split("\n"), [
      "llmcmd serve: warning: without a sandbox, the agent's commands can read this server's token " +
      "and begin turns themselves",
      `llmcmd serve: ${served.url}/?token=TOKEN (the token is in ${path})`,
      "",
    ]);
    for (const path of ["/", "/sessions", "/health", "/chat/page/main.js"]) {
      const refused = await served.get(path, {});
      assert.equal(refused.status, 401, path);
      const { error } = await refused.json();
      assert.equal(
        error.message,
        "The token is missing or wrong: open the address that the server printed",
      );
    }
    const page = await served.get(`/?token=${token}`, {});
    assert.match(await page.text(), /<title>llmcmd<\/title>/);
    await served.end("SIGTERM");
    // The token is the same after a restart, so that bookmarks and browsers still work.
    const second = await start();
    const answer = await second.post("/chat", { message: "again" }, served.headers);
    assert.match(await answer.text(), /event: done/);
    await second.end("SIGTERM");
    await Deno.chmod(path, 0o644);
    await assert.rejects(start(), /Other users have access to the key in .*: remove it/);
  });
});

Deno.test("llmcmd serve tells whoever has the token how a foreign host name is allowed", async () => {
  await serving(
    { args: ["--sandbox=none", "--allow-host=box.example"], scenarios },
    async ({ start }) => {
      const served = await start();
      // fetch() cannot send another Host header.
      const { hostname, port } = new URL(served.url);
      const ask = async (host: string, headers: Record<string, string>) => {
        using connection = await Deno.connect({ hostname, port: Number(port) });
        const lines = Object.entries({ host, connection: "close", ...headers })
          .map(([name, value]) => `${name}: ${value}\r\n`);
        const text = `GET /health HTTP/1.1\r\n${lines.join("")}\r\n`;
        await connection.write(new TextEncoder().encode(text));
        return await new Response(connection.readable).text();
      };
      assert.match(await ask("box.example", served.headers), /^HTTP\/1.1 200 /);
      assert.match(await ask("box.example", {}), /^HTTP\/1.1 401 /);
      assert.match(
        await ask("other.example", served.headers),
        /^HTTP\/1.1 421 [^]*host name: start llmcmd serve with --allow-host=other\.example"/,
      );
      assert.doesNotMatch(await ask("other.example", {}), /allow-host/);
      await served.end("SIGTERM");
    },
  );
});

Deno.test("llmcmd serve asks for its token", async () => {
  await serving(
    { args: ["--sandbox=none", "--token=open-sesame"], scenarios },
    async ({ start }) => {
      const served = await start();
      assert.equal(served.said.includes("sesame"), false);
      const refused = await served.post("/chat", { message: "again" }, {});
      assert.equal(refused.status, 401);
      await refused.body?.cancel();
      const authorization = "Bearer open-sesame";
      const answer = await served.post("/chat", { message: "again" }, { authorization });
      assert.match(await answer.text(), /event: done/);
      await served.end("SIGTERM");
    },
  );
});
