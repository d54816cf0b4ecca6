import { missing } from "./_optional.ts";

/** A page of headless Chromium, driven over the DevTools protocol. */
export interface ChromiumPage extends AsyncDisposable {
  /** Opens an address and waits until it is loaded. */
  open(url: string): Promise<void>;
  /**
   * Evaluates an expression in the page, and awaits a promise. Rejects while the page navigates.
   */
  evaluate<Result>(expression: string): Promise<Result>;
  /** Waits until an expression is truthy, also across navigations. */
  until<Result>(expression: string): Promise<Result>;
  /** Presses a key as a user does. */
  press(key: string): Promise<void>;
  /** Calls a method of the DevTools protocol. */
  call(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Types text into the focused element. */
  type(text: string): Promise<void>;
  /** A screenshot of the page at this size, as PNG. */
  picture(width: number, height: number): Promise<Uint8Array>;
  /** Messages on the page's console, and violations of its content security policy. */
  readonly problems: string[];
}

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-port=0",
  "--window-size=1280,800",
];

const KEY_CODES: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ArrowUp: 38,
  ArrowDown: 40,
  Delete: 46,
};

/** Milliseconds between two attempts, and the number of attempts: two minutes. */
const PAUSE = 25;
const ATTEMPTS = 4_800;

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE));
}

/** A page that is being navigated has no context to evaluate in, or loses it. */
const BETWEEN_PAGES =
  /Cannot find (default execution )?context|Execution context was destroyed|Inspected target navigated/;

/** A running Chromium, without an open page. */
export interface Chromium extends AsyncDisposable {
  /** Opens a page with its own cookies and storage; disposing closes it. */
  open(): Promise<ChromiumPage>;
}

/** Starts Chromium with an empty profile. */
export async function startChromium(flags: readonly string[] = []): Promise<Chromium> {
  const profile = await Deno.makeTempDir({ prefix: "chromium-" });
  const child = new Deno.Command("chromium", {
    args: [...FLAGS, ...flags, `--user-data-dir=${profile}`, "about:blank"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let ended = false;
  const status = child.status.finally(() => ended = true);
  let browser: string | undefined;
  while (browser === undefined) {
    if (ended) throw new Error(`Chromium ended with status ${(await status).code}`);
    browser = await devToolsAddress(profile);
  }
  const address = browser;
  return {
    open: () => openPage(address),
    async [Symbol.asyncDispose]() {
      const control = await connect(address);
      await control.call("Browser.close");
      await Promise.all([control.closed, status]);
      await removeProfile(profile);
    },
  };
}

/** Removes a profile, to which child processes of an ended Chromium may still write. */
async function removeProfile(profile: string): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      return await Deno.remove(profile, { recursive: true });
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await pause();
    }
  }
}

/**
 * The address of Chromium, which it writes to its profile; `undefined`, after a pause, before that.
 */
async function devToolsAddress(profile: string): Promise<string | undefined> {
  const text = await Deno.readTextFile(`${profile}/DevToolsActivePort`).catch(() => "");
  const [port, path] = text.split("\n");
  if (path !== undefined && path !== "") return `ws://127.0.0.1:${port}${path}`;
  await pause();
  return undefined;
}

/**
 * Shares one Chromium among all tests of the calling module: it starts before the first and ends
 * after the last. The returned function opens a page.
 */
export function sharedChromium(flags: readonly string[] = []): () => Promise<ChromiumPage> {
  let chromium: Chromium | undefined;
  if (missing("chromium") === undefined) {
    Deno.test.beforeAll(async () => {
      chromium = await startChromium(flags);
    });
    Deno.test.afterAll(async () => {
      await chromium?.[Symbol.asyncDispose]();
    });
  }
  return () => chromium?.open() ?? Promise.reject(new Error("Chromium has not been started"));
}

/** Opens a page in its own browser context, which is closed with it. */
async function openPage(browser: string): Promise<ChromiumPage> {
  const control = await connect(browser);
  const { browserContextId } = await control.call("Target.createBrowserContext");
  const { targetId } = await control.call("Target.createTarget", {
    ...{ url: "about:blank", browserContextId },
  });
  const page = await connect(new URL(`/devtools/page/${targetId}`, browser).href);
  await page.begin();
  return Object.assign(page, {
    async [Symbol.asyncDispose]() {
      await page.close();
      await control.call("Target.disposeBrowserContext", { browserContextId });
      await control.close();
    },
  });
}

/**
 * Attaches to the page of a Chromium whose DevTools listen on a port. Disposing closes the browser,
 * if it still runs.
 */
export async function attachToChromium(port: string): Promise<ChromiumPage> {
  const page = await connect((await pageTarget(port)).webSocketDebuggerUrl);
  await page.begin();
  return Object.assign(page, {
    async [Symbol.asyncDispose]() {
      if (page.isOpen) page.call("Browser.close").catch(() => {});
      await page.closed;
    },
  });
}

async function connect(address: string): Promise<Page> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  return new Page(socket);
}

/** The first page of a Chromium, which may come a moment later than the port. */
async function pageTarget(port: string): Promise<{ webSocketDebuggerUrl: string }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
    const target = targets.find(({ type }: { type: string }) => type === "page");
    if (target !== undefined) return target;
    await pause();
  }
  throw new Error(`Chromium on port ${port} showed no page within 2 minutes`);
}

class Page {
  readonly problems: string[] = [];
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #calls: Map<number, { resolve(value: unknown): void; reject(error: Error): void }> =
    new Map();
  #id = 0;
  #loaded: () => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.addEventListener("close", () => resolve()));
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)));
    socket.addEventListener("close", () => {
      for (const { reject } of this.#calls.values()) reject(new Error("Chromium's page is gone"));
      this.#calls.clear();
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  async close(): Promise<void> {
    if (this.isOpen) this.#socket.close();
    await this.closed;
  }

  async begin(): Promise<void> {
    for (const domain of ["Page", "Runtime", "Log"]) await this.call(`${domain}.enable`);
  }

  call(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.#id;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) =>
      this.#calls.set(id, { resolve: resolve as (value: unknown) => void, reject })
    );
  }

  async open(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#loaded = resolve);
    await this.call("Page.navigate", { url });
    await loaded;
  }

  async evaluate<Result>(expression: string): Promise<Result> {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: Result }).value;
  }

  async until<Result>(expression: string): Promise<Result> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const value = await this.evaluate<Result>(expression).catch((error: Error) => {
        if (BETWEEN_PAGES.test(error.message)) return undefined;
        throw error;
      });
      if (value) return value;
      await pause();
    }
    throw new Error(`It did not come within 2 minutes: ${expression}`);
  }

  async press(key: string): Promise<void> {
    const text = key === "Enter" ? "\r" : undefined;
    const code = KEY_CODES[key] ?? 0;
    const common = { key, code: key, windowsVirtualKeyCode: code };
    await this.call("Input.dispatchKeyEvent", { type: "keyDown", ...common, text });
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  }

  async type(text: string): Promise<void> {
    await this.call("Input.insertText", { text });
  }

  async picture(width: number, height: number): Promise<Uint8Array> {
    await this.call("Emulation.setDeviceMetricsOverride", {
      ...{ width, height, deviceScaleFactor: 1, mobile: width < 600 },
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { data } = await this.call("Page.captureScreenshot", { format: "png" });
    return Uint8Array.from(atob(String(data)), (character) => character.charCodeAt(0));
  }

  #receive(message: Record<string, unknown>): void {
    const { id, method, params = {} } = message as {
      id?: number;
      method?: string;
      params?: Record<string, unknown>;
    };
    if (id !== undefined) {
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if ("error" in message) call?.reject(new Error(JSON.stringify(message.error)));
      else call?.resolve(message.result);
    } else if (method === "Page.loadEventFired") this.#loaded();
    else if (method === "Log.entryAdded" || method === "Runtime.exceptionThrown") {
      this.problems.push(JSON.stringify(params));
    }
  }
}
