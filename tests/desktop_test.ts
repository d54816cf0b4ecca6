import assert from "node:assert/strict";
import { attachToChromium, type ChromiumPage } from "./_chromium.ts";
import { Place, type Program, say, shows } from "./_desktop.ts";
import { optional } from "./_optional.ts";
import { PROGRAM } from "./_program.ts";

/** Starts `llmcmd desktop`. */
function desktop(place: Place, args: readonly string[], env?: Record<string, string>): Program {
  const run = ["run", "--quiet", "--no-prompt", "--allow-all", PROGRAM, "desktop"];
  return place.start(Deno.execPath(), [...run, ...args], env);
}

/** Options for a window that needs no screen. */
async function headless(place: Place): Promise<string[]> {
  const browser = await place.script(
    "headless chromium",
    '#!/bin/sh\nexec chromium --headless=new --no-sandbox --remote-debugging-port=0 "$@"\n',
  );
  return ["--sandbox=none", "--browser", browser];
}

/** The page in the window of a program. */
async function pageOf(place: Place, program: Program): Promise<ChromiumPage> {
  const port = await program.until(async () => {
    for (const name of place.temporary()) {
      const path = `${place.root}/tmp/${name}/DevToolsActivePort`;
      const text = await Deno.readTextFile(path).catch(() => "");
      const [port] = text.split("\n");
      if (port !== undefined && port !== "" && text.includes("\n")) return port;
    }
    return undefined;
  });
  const page = await attachToChromium(port);
  await page.until("document.querySelector('.empty, .user')");
  return page;
}

Deno.test({
  ...optional(
    "llmcmd desktop: hello world in its window, which ends everything when it is closed",
    "chromium",
  ),
  async fn() {
    await using place = await Place.open();
    const options = await headless(place);
    for (const visit of ["first", "second"]) {
      const program = desktop(place, options);
      {
        await using page = await pageOf(place, program);
        // Neither the key nor the token stays in the address.
        assert.match(await page.evaluate("location.href"), /^http:\/\/127\.0\.0\.1:\d+\/$/);
        if (visit === "first") {
          await say(page, "Please do a hello world");
          await page.until(shows("outputs 'Hello, World!'"));
          assert.equal(
            await Deno.readTextFile(`${place.folder}/hello.py`),
            "print('Hello, World!')",
          );
          await say(page, "hang");
          await place.untilProcesses(3, /^sleep 98765/);
        } else {
          // The server sees another browser, but the same user, who finds the session again.
          await page.until("document.querySelector('#sessions button')");
          await page.evaluate("document.querySelector('#sessions button').click()");
          await page.until(shows("outputs 'Hello, World!'"));
        }
        assert.deepEqual(page.problems, []);
        assert.ok((await place.processes(/--type=renderer/)).length > 0);
      }
      const { code, signal } = await program.status;
      assert.deepEqual([code, signal, program.said], [0, null, ""]);
      assert.deepEqual(await place.processes(), []);
      assert.deepEqual(place.temporary(), []);
    }
  },
});

for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
  Deno.test({
    ...optional(`llmcmd desktop closes its window and ends everything by ${signal}`, "chromium"),
    async fn() {
      await using place = await Place.open();
      const program = desktop(place, await headless(place));
      const page = await pageOf(place, program);
      await say(page, "hang");
      await place.untilProcesses(3, /^sleep 98765/);
      assert.equal((await program.end(signal)).signal, signal);
      await page[Symbol.asyncDispose]();
      await place.untilProcesses(0);
      if (signal !== "SIGKILL") assert.deepEqual(place.temporary(), []);
    },
  });
}

Deno.test("llmcmd desktop prints the address where no window can be opened", async () => {
  await using place = await Place.open();
  const browser = await place.script("broken", "#!/bin/sh\necho 'no display' >&2\nexit 3\n");
  const program = desktop(place, ["--sandbox=none", "--browser", browser]);
  const url = await program.until(() =>
    /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(program.said) ?? undefined
  );
  assert.match(program.said, /^llmcmd desktop: warning: no window: browser: no display\n/);
  const page = await fetch(url[0]);
  assert.equal(page.status, 200);
  const key = /<meta name="key" content="(\w+)">/.exec(await page.text())?.[1];
  const refused = await fetch(url[0].replace(/\?.*/, ""));
  assert.equal(refused.status, 401);
  await refused.body?.cancel();
  const answer = await fetch(new URL("/chat", url[0]), {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ message: "how are you" }),
  });
  assert.match(await answer.text(), /doing[^]*asking![^]*event: done\n/);
  assert.equal((await program.end("SIGTERM")).signal, "SIGTERM");
  await place.untilProcesses(0);
  assert.deepEqual(place.temporary(), []);
});

Deno.test("llmcmd desktop fails where the window that was asked for can't be opened", async () => {
  await using place = await Place.open();
  const failure = async (args: string[], env?: Record<string, string>) => {
    const program = desktop(place, ["--sandbox=none", ...args], env);
    const { code } = await program.status;
    return [code, program.said];
  };
  assert.deepEqual(await failure(["--window=browser", "--browser=no-such-browser"]), [
    1,
    "llmcmd desktop: There is no window: browser: There is no program no-such-browser\n",
  ]);
  if (Deno.build.os === "linux") {
    // The package of the webview may be installed or not: there is neither a screen nor a network.
    const proxy = "http://127.0.0.1:9";
    const screen = { DISPLAY: "", WAYLAND_DISPLAY: "", GDK_BACKEND: "x11" };
    const network = { HTTPS_PROXY: proxy, https_proxy: proxy };
    const [code, said] = await failure(["--window=webview"], { ...screen, ...network });
    assert.equal(code, 1);
    assert.match(String(said), /^llmcmd desktop: There is no window: webview: .*\n$/);
  }
  const [code, said] = await failure([], { LLM_AUTH_TOKEN: "", OPENAI_API_KEY: "" });
  assert.equal(code, 2);
  assert.match(String(said), /^llmcmd desktop: The API key is missing: set LLM_AUTH_TOKEN/);
});
