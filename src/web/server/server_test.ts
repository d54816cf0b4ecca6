import assert from "node:assert/strict";
import { chatBody } from "../mock/_testing.ts";

const SERVER = new URL("../../../server.ts", import.meta.url).pathname;

/** Runs `deno serve server.ts` on a free port and sends it one request. */
async function ask(text: string, permissions: string[], env: Record<string, string>) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["serve", "--no-prompt", "--host=127.0.0.1", "--port=0", ...permissions, SERVER],
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let said = "";
    for (;;) {
      const port = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (port === undefined) {
        const { done, value } = await reader.read();
        if (done) return { said };
        said += value;
        continue;
      }
      const url = `http://127.0.0.1:${port}/mock/v1/chat/completions`;
      const response = await fetch(url, { method: "POST", body: chatBody(text) });
      const { choices } = await response.json();
      return { said, content: choices[0].message.content };
    }
  } finally {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await child.status;
    await reader.cancel();
  }
}

Deno.test("server.ts needs no permission for the scenarios it brings along", async () => {
  const { content } = await ask("how are you", [], { LLMCMD_SCENARIOS: "/nonexistent" });
  assert.equal(content, "I'm doing well, thank you for asking!");
});

Deno.test("server.ts answers from the file or the folder that LLMCMD_SCENARIOS names", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = (name: string, trigger: string, content: string) =>
      Deno.writeTextFile(
        `${folder}/${name}`,
        JSON.stringify({ scenarios: [{ name, trigger, steps: [{ response: { content } }] }] }),
      );
    await file("b.json", "go", "second");
    await file("a.json", "go now", "first");
    await Deno.writeTextFile(`${folder}/notes.txt`, "not JSON");
    const permissions = ["--allow-env=LLMCMD_SCENARIOS", `--allow-read=${folder}`];
    const answer = async (text: string, path: string) =>
      (await ask(text, permissions, { LLMCMD_SCENARIOS: path })).content;
    assert.equal(await answer("go now", folder), "first");
    assert.equal(await answer("go now", `${folder}/b.json`), "second");
    await Deno.writeTextFile(`${folder}/c.json`, "{}");
    const { said, content } = await ask("go", permissions, { LLMCMD_SCENARIOS: folder });
    assert.equal(content, undefined);
    assert.match(said, /ConfigError: .*\/c\.json: scenarios: Expected array, received undefined/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
