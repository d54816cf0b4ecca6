import assert from "node:assert/strict";
import type { AgentEvent } from "../src/agent/mod.ts";
import { memorySessionStore } from "../src/store/mod.ts";
import { chatApp } from "../src/web/chat/mod.ts";
import { type ChromiumPage, sharedChromium } from "./_chromium.ts";
import { optional } from "./_optional.ts";

/** A secret that no other page may read. */
const SECRET = "The secret is a goldfish";

/** A request that reached the server, and the status of its answer. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly site: string;
  readonly dest: string;
  readonly status: number;
}

/** A chat with one turn that runs as long as the test wants, and a record of its requests. */
class Victim implements AsyncDisposable {
  readonly seen: Seen[] = [];
  turns = 0;
  stopped = 0;
  readonly #app = chatApp({
    store: memorySessionStore(),
    about: { root: "/work", model: "mock" },
    startTurn: ({ signal }) => {
      this.turns++;
      return {
        result: Promise.resolve({ messages: [] }),
        events: new ReadableStream<AgentEvent>({
          start: (controller) => {
            controller.enqueue({ type: "text", content: SECRET });
            signal.addEventListener("abort", () => {
              this.stopped++;
              controller.close();
            });
          },
        }),
      };
    },
  });
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const response = await this.#app.fetch(request);
      const header = (name: string) => request.headers.get(name) ?? "";
      this.seen.push({
        method: request.method,
        path: new URL(request.url).pathname,
        site: header("sec-fetch-site"),
        dest: header("sec-fetch-dest"),
        status: response.status,
      });
      return response;
    },
  );

  get port(): number {
    return this.#server.addr.port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.stop();
    await this.#server.shutdown();
  }
}

/**
 * The attacks of a hostile page that knows the address of the victim, its session and its turn.
 * Resolves to what each attempt could read, by name; `null` for an attempt that failed.
 */
async function attack(victim: string, session: string, run: string) {
  const found: Record<string, unknown> = {};
  const attempt = async (name: string, action: () => unknown) => {
    try {
      const late = new Promise((resolve) => setTimeout(resolve, 1500, null));
      found[name] = await Promise.race([action(), late]);
    } catch {
      found[name] = null;
    }
  };
  const body = JSON.stringify({ message: "rm -rf ~", session });
  const read = (path: string, init: RequestInit) =>
    fetch(victim + path, { credentials: "include", ...init }).then((response) => response.text());
  const json = { "content-type": "application/json" };
  const modes: RequestMode[] = ["cors", "no-cors"];
  for (const mode of modes) {
    await attempt(
      `chat ${mode}`,
      () => read("/chat", { method: "POST", body, mode, headers: json }),
    );
    await attempt(`chat as text ${mode}`, () => read("/chat", { method: "POST", body, mode }));
    await attempt(
      `chat as form ${mode}`,
      () => read("/chat", { method: "POST", mode, body: new URLSearchParams({ message: "x" }) }),
    );
    await attempt(`clear ${mode}`, () => read("/clear", { method: "POST", mode }));
    await attempt(`stop ${mode}`, () => read(`/runs/${run}/stop`, { method: "POST", mode }));
    for (const path of ["/", "/sessions", `/sessions/${session}`, `/runs/${run}/events`]) {
      await attempt(`read ${path} ${mode}`, () => read(path, { mode }));
    }
  }
  for (const method of ["DELETE", "PUT"]) {
    await attempt(method, () => read(`/sessions/${session}`, { method }));
  }
  await attempt("beacon", () => {
    navigator.sendBeacon(`${victim}/chat`, body);
    navigator.sendBeacon(`${victim}/chat`, new Blob([body], { type: "application/json" }));
    navigator.sendBeacon(`${victim}/clear`);
    return null;
  });
  const event = (target: EventTarget, data: (event: Event) => unknown) =>
    new Promise((resolve) => {
      for (const name of ["load", "open", "message"]) {
        target.addEventListener(name, (event) => resolve(data(event)));
      }
      target.addEventListener("error", () => resolve(null));
    });
  for (const path of [`/runs/${run}/events`, "/sessions"]) {
    await attempt(`event source ${path}`, () => {
      const source = new EventSource(victim + path, { withCredentials: true });
      return event(source, () => "connected").finally(() => source.close());
    });
  }
  for (const path of ["/chat", `/runs/${run}/events`]) {
    await attempt(`web socket ${path}`, () => {
      const socket = new WebSocket(victim.replace("http", "ws") + path);
      return event(socket, () => "connected");
    });
  }
  const element = (tag: string, fields: Record<string, string>) => {
    const it = document.createElement(tag);
    for (const [name, value] of Object.entries(fields)) it.setAttribute(name, value);
    const loaded = event(it, () => "loaded");
    document.body.append(it);
    return { it, loaded };
  };
  for (const path of ["/", "/sessions", `/runs/${run}/events`]) {
    await attempt(`script ${path}`, () => element("script", { src: victim + path }).loaded);
    await attempt(`image ${path}`, () => element("img", { src: victim + path }).loaded);
    await attempt(
      `style ${path}`,
      () => element("link", { rel: "stylesheet", href: victim + path }).loaded,
    );
    for (const [tag, name] of [["iframe", "src"], ["object", "data"], ["embed", "src"]] as const) {
      await attempt(`${tag} ${path}`, async () => {
        const { it, loaded } = element(tag, { [name]: victim + path });
        await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 300))]);
        const inner = (it as HTMLIFrameElement).contentWindow;
        try {
          return inner?.document.body.innerText.includes("goldfish") ? "read" : null;
        } catch {
          // The window is of another origin, as expected; the number of its frames would still be
          // visible.
          return inner?.length === 0 ? null : "frames";
        }
      });
    }
  }
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    await attempt(`form ${type}`, async () => {
      const { it } = element("form", { action: `${victim}/chat`, method: "post", enctype: type });
      const frame = element("iframe", { name: type });
      it.setAttribute("target", type);
      const field = document.createElement("input");
      // With text/plain this makes a body that is JSON.
      field.name = `{"session":"${session}","message":"x`;
      field.value = '"}';
      it.append(field);
      (it as HTMLFormElement).submit();
      await frame.loaded;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return null;
    });
  }
  await attempt("opener", async () => {
    const other = open(`${victim}/`, "_blank");
    if (other === null) return "no window was opened";
    await new Promise((resolve) => setTimeout(resolve, 700));
    try {
      return other.document.body.innerText;
    } catch {
      // Another origin.
    }
    // The page has cut the connection between the windows.
    return other.closed ? null : "the window is still ours";
  });
  return found;
}

const openPage = sharedChromium([
  "--host-resolver-rules=MAP *.example 127.0.0.1",
  "--disable-popup-blocking",
]);

async function hostilePage(
  use: (page: ChromiumPage, victim: Victim, evil: number) => Promise<void>,
): Promise<void> {
  await using victim = new Victim();
  const evil = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("<!DOCTYPE html><body>evil", { headers: { "content-type": "text/html" } }),
  );
  try {
    await using page = await openPage();
    await use(page, victim, evil.addr.port);
  } finally {
    await evil.shutdown();
  }
}

/** The victim's user opens the page and begins a turn; resolves to its session and the turn. */
async function begin(page: ChromiumPage, victim: Victim) {
  await page.open(`http://localhost:${victim.port}/`);
  await page.evaluate("document.getElementById('input').focus()");
  await page.type("Tell me a secret");
  await page.press("Enter");
  await page.until(`document.getElementById('log').innerText.includes(${JSON.stringify(SECRET)})`);
  return await page.evaluate<{ session: string; run: string }>(`(async () => {
    const session = localStorage.getItem("session");
    const view = await (await fetch("/sessions/" + session)).json();
    return { session, run: view.run.id };
  })()`);
}

Deno.test({
  ...optional(
    "a hostile page in the same browser begins no turn, stops none and reads nothing",
    "chromium",
  ),
  async fn() {
    await hostilePage(async (page, victim, evil) => {
      const { session, run } = await begin(page, victim);
      for (const origin of [`http://evil.example:${evil}`, `http://localhost:${evil}`]) {
        await page.open(origin);
        victim.seen.length = 0;
        const target = `http://localhost:${victim.port}`;
        const found = await page.evaluate<Record<string, unknown>>(
          `(${attack})(${[target, session, run].map((it) => JSON.stringify(it)).join()})`,
        );
        const read = Object.entries(found).filter(([, value]) => value !== null && value !== "");
        assert.deepEqual(read, [], origin);
        assert.ok(Object.keys(found).length > 45, "it did not try everything");
        // Every request that reached the server was refused, except the one for the page in a new
        // window.
        assert.ok(victim.seen.length > 30, `only ${victim.seen.length} requests came`);
        const answered = victim.seen.filter(({ status, site }) =>
          status < 400 && site !== "same-origin"
        );
        assert.deepEqual(
          answered.map(({ method, path, dest }) => `${method} ${path} ${dest}`),
          ["GET / document"],
          origin,
        );
        assert.equal(victim.turns, 1);
        assert.equal(victim.stopped, 0);
      }
      // Nothing has changed.
      await page.open(`http://localhost:${victim.port}/`);
      const view = await page.evaluate<{ run: { id: string } }>(
        `fetch("/sessions/${session}").then((response) => response.json())`,
      );
      assert.equal(view.run.id, run);
    });
  },
});

Deno.test({
  ...optional(
    "a hostile name that comes to point to the server (DNS rebinding) gets nothing",
    "chromium",
  ),
  async fn() {
    await hostilePage(async (page, victim) => {
      const { session, run } = await begin(page, victim);
      // For the browser this is the page's own origin, so a check of origins would not help.
      await page.call("Page.setBypassCSP", { enabled: true });
      await page.open(`http://rebound.example:${victim.port}/`);
      victim.seen.length = 0;
      const statuses = await page.evaluate<number[]>(`(async () => {
        const json = { "content-type": "application/json" };
        const body = JSON.stringify({ message: "x", session: ${JSON.stringify(session)} });
        const tries = [
          ["/chat", { method: "POST", headers: json, body }], ["/clear", { method: "POST" }],
          ["/sessions/${session}", { method: "DELETE" }], ["/sessions/${session}", {}],
          ["/sessions", {}], ["/", {}], ["/runs/${run}/events", {}],
          ["/runs/${run}/stop", { method: "POST" }],
        ];
        return await Promise.all(tries.map(async (it) => (await fetch(...it)).status));
      })()`);
      assert.deepEqual(statuses, statuses.map(() => 421));
      // Browsers repeat a misdirected request once.
      assert.ok(victim.seen.length >= 8);
      assert.ok(victim.seen.every(({ status }) => status === 421));
      assert.ok(victim.seen.every(({ site }) => site === "same-origin" || site === ""));
      assert.deepEqual([victim.turns, victim.stopped], [1, 0]);
    });
  },
});
