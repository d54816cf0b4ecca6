"use strict";

/**
 * A double of the module `electron`, for `node --require`: a window is a page of headless Chromium.
 * It does what Electron documents for the few features that the app uses: the order of events at
 * the end, navigations and new windows that can be prevented, and requests for permissions.
 *
 * A test plays the user: it sends lines of JSON `{id, method, value}` on standard input and gets
 * `{id, result}` or `{id, error}` on standard output, and `{event, ...}` for actions of the app.
 */
const { spawn } = require("node:child_process");
const { EventEmitter } = require("node:events");
const { mkdtempSync, rmSync } = require("node:fs");
const Module = require("node:module");
const { tmpdir } = require("node:os");
const path = require("node:path");
const process = require("node:process");
const { createInterface } = require("node:readline");

function tell(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** An event that can be prevented. */
function preventable(more = {}) {
  return {
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
    ...more,
  };
}

/** Chromium, controlled over its pipe, so that it ends with this process. */
class Chromium {
  #calls = new Map();
  #sessions = new Map();
  #id = 0;

  constructor() {
    this.profile = mkdtempSync(path.join(tmpdir(), "electron-"));
    this.process = spawn("chromium", [
      ...["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
      ...["--remote-debugging-pipe", "--no-startup-window", `--user-data-dir=${this.profile}`],
    ], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      env: { ...process.env, TMPDIR: this.profile },
    });
    this.ended = new Promise((resolve) => this.process.on("close", resolve));
    const [, , , input, output] = this.process.stdio;
    this.input = input;
    input.on("error", () => {});
    let rest = "";
    output.setEncoding("utf8");
    output.on("data", (text) => {
      const parts = (rest + text).split("\0");
      rest = parts.pop();
      for (const part of parts) this.#receive(JSON.parse(part));
    });
  }

  call(method, params = {}, sessionId = undefined) {
    const id = ++this.#id;
    this.input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  on(sessionId, listener) {
    this.#sessions.set(sessionId, listener);
  }

  async close() {
    this.call("Browser.close").catch(() => {});
    await this.ended;
    rmSync(this.profile, { recursive: true, force: true });
  }

  #receive({ id, result, error, method, params, sessionId }) {
    if (id === undefined) return void this.#sessions.get(sessionId)?.(method, params);
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(`${error.message} ${error.data ?? ""}`));
  }
}

let chromium;

class App extends EventEmitter {
  isPackaged = false;
  #quitting = false;

  requestSingleInstanceLock() {
    return true;
  }

  async whenReady() {
    chromium = new Chromium();
    await chromium.call("Browser.getVersion");
  }

  /**
   * Emits before-quit, closes all windows, emits will-quit and quit; each of the first three can
   * stop it.
   */
  async quit() {
    if (this.#quitting) return;
    this.#quitting = true;
    const may = (name) => {
      const event = preventable();
      this.emit(name, event);
      if (event.defaultPrevented) this.#quitting = false;
      return !event.defaultPrevented;
    };
    // Electron posts the event, so the caller continues first.
    await Promise.resolve();
    if (!may("before-quit")) return;
    for (const window of BrowserWindow.all) await window.destroy();
    if (!may("will-quit")) return;
    tell({ event: "quit" });
    this.emit("quit", {}, 0);
    await chromium?.close();
    process.exit(0);
  }

  exit(code) {
    process.exit(code);
  }

  windowClosed() {
    if (BrowserWindow.all.size === 0 && !this.#quitting) this.emit("window-all-closed");
  }
}

const app = new App();

class WebContents extends EventEmitter {
  /** The address that the program itself has requested. */
  #asked;
  #loaded;
  #openWindow = () => ({ action: "allow" });

  async attach(targetId) {
    const { sessionId } = await chromium.call("Target.attachToTarget", { targetId, flatten: true });
    this.session = sessionId;
    chromium.on(sessionId, (method, params) => this.#receive(method, params));
    await this.call("Page.enable");
    await this.call("Runtime.enable");
    await this.call("Inspector.enable");
    await this.call("Fetch.enable", { patterns: [{ resourceType: "Document" }] });
  }

  call(method, params) {
    return chromium.call(method, params, this.session);
  }

  setWindowOpenHandler(handler) {
    this.#openWindow = handler;
  }

  async loadURL(url) {
    this.#loaded?.reject(new Error("ERR_ABORTED (-3)"));
    this.#asked = url;
    const loaded = new Promise((resolve, reject) => this.#loaded = { resolve, reject });
    loaded.catch(() => {});
    const { errorText } = await this.call("Page.navigate", { url });
    if (errorText !== undefined) throw new Error(`${errorText} loading '${url}'`);
    await loaded;
    tell({ event: "loaded", url });
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", {
      ...{ expression, awaitPromise: true, returnByValue: true, userGesture: true },
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value ?? null;
  }

  #receive(method, params) {
    if (method === "Page.loadEventFired") this.#loaded?.resolve();
    else if (method === "Fetch.requestPaused") this.#navigate(params).catch(() => {});
    else if (method === "Page.frameNavigated" && params.frame.unreachableUrl !== undefined) {
      this.emit("did-fail-load", {}, -102, "ERR_CONNECTION_REFUSED", params.frame.url, true);
    } else if (method === "Inspector.targetCrashed") {
      this.emit("render-process-gone", {}, { reason: "crashed", exitCode: 139 });
    } else if (method === "Page.windowOpen") {
      tell({ event: "window-open", ...this.#openWindow({ url: params.url }) });
    }
  }

  async #navigate({ requestId, request, redirectedRequestId }) {
    const url = request.url + (request.urlFragment ?? "");
    if (url !== this.#asked) {
      const event = preventable({ url });
      this.emit(redirectedRequestId === undefined ? "will-navigate" : "will-redirect", event);
      tell({ event: "navigate", url, prevented: event.defaultPrevented });
      if (event.defaultPrevented) {
        return await this.call("Fetch.failRequest", { requestId, errorReason: "Aborted" });
      }
    }
    await this.call("Fetch.continueRequest", { requestId });
  }
}

let firstWindow;
/** The user waits for a window before any action. */
const opened = new Promise((resolve) => firstWindow = resolve);

class BrowserWindow extends EventEmitter {
  static all = new Set();
  webContents = new WebContents();
  #ready;
  #destroyed;

  constructor(options) {
    super();
    BrowserWindow.all.add(this);
    tell({ event: "window", options });
    app.emit("web-contents-created", {}, this.webContents);
    this.#ready = this.#open(options);
    this.#ready.then(firstWindow);
  }

  async #open({ width, height }) {
    const { targetId } = await chromium.call("Target.createTarget", {
      ...{ url: "about:blank", width, height, newWindow: true },
    });
    this.target = targetId;
    await this.webContents.attach(targetId);
    // New windows that were denied: the handler was called before they open.
    chromium.on(undefined, (method, { targetInfo } = {}) => {
      if (method !== "Target.targetCreated" || targetInfo.type !== "page") return;
      if (targetInfo.targetId === targetId || targetInfo.openerId === undefined) return;
      chromium.call("Target.closeTarget", { targetId: targetInfo.targetId }).catch(() => {});
    });
    await chromium.call("Target.setDiscoverTargets", { discover: true });
  }

  async loadURL(url) {
    await this.#ready;
    if (this.#destroyed !== undefined) throw new Error("Object has been destroyed");
    await this.webContents.loadURL(url);
  }

  isMinimized() {
    return false;
  }

  focus() {
    tell({ event: "focus" });
  }

  /** Closes the window, as a click of the user does. */
  destroy() {
    return this.#destroyed ??= (async () => {
      await this.#ready;
      await chromium.call("Target.closeTarget", { targetId: this.target });
      BrowserWindow.all.delete(this);
      this.emit("closed");
      app.windowClosed();
    })();
  }
}

const shell = {
  openExternal(url) {
    tell({ event: "outside", url });
    return Promise.resolve();
  },
};

const defaultSession = {
  setPermissionRequestHandler(handler) {
    this.request = handler;
  },
  setPermissionCheckHandler(handler) {
    this.check = handler;
  },
};

const METHODS = {
  evaluate: (window, expression) => window.webContents.evaluate(expression),
  type: (window, text) => window.webContents.call("Input.insertText", { text }),
  async press(window, key) {
    const common = { key, code: key, windowsVirtualKeyCode: 13 };
    await window.webContents.call("Input.dispatchKeyEvent", {
      ...{ type: "keyDown", text: "\r", ...common },
    });
    await window.webContents.call("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  },
  permission: (_window, name) =>
    new Promise((resolve) => {
      defaultSession.request({}, name, (granted) =>
        resolve([granted, defaultSession.check({}, name, "")]));
    }),
  secondInstance: () => app.emit("second-instance", {}, [], ""),
  crash: (window) => void window.webContents.call("Page.crash").catch(() => {}),
  close: (window) => void window.destroy(),
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, value } = JSON.parse(line);
  await opened;
  const [window] = BrowserWindow.all;
  try {
    tell({ id, result: await METHODS[method](window, value) ?? null });
  } catch (error) {
    tell({ id, error: error.message });
  }
});

const electron = { app, BrowserWindow, session: { defaultSession }, shell };
const load = Module._load;
Module._load = (request, ...rest) => request === "electron" ? electron : load(request, ...rest);
