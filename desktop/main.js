"use strict";

/**
 * The desktop app (see README.md beside this file): starts the server, or takes one that runs,
 * shows its page in a window, and ends what it started when the window is closed. The page has no
 * preload script: it needs nothing that a browser doesn't give it.
 */
const { app, BrowserWindow, session, shell } = require("electron");
const process = require("node:process");
const { noticePage } = require("./notice_page.js");
const { openServer } = require("./server.js");
const { readSettings } = require("./settings.js");

/** What the page may do besides: its copy buttons. */
const PERMISSIONS = new Set(["clipboard-sanitized-write"]);

/** Chromium's number for a load that another one overtook. */
const ABORTED = -3;

let settings;
let mainWindow = null;
let server = null;
/** Of the attempt to show the page. */
let connecting = null;
const quitting = new AbortController();

function createWindow() {
  mainWindow = new BrowserWindow({
    width: 900,
    height: 700,
    title: "llmcmd",
    backgroundColor: "#15171c",
    autoHideMenuBar: true,
    webPreferences: {
      nodeIntegration: false,
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      webviewTag: false,
    },
  });
  mainWindow.on("closed", () => {
    mainWindow = null;
  });
}

/** Shows the page, or why there is none. */
async function connect() {
  if (connecting !== null) return;
  connecting = (async () => {
    try {
      const { address } = server ?? await start();
      await mainWindow?.loadURL(address);
    } catch (error) {
      await forget();
      await fail("The server could not be started", error.message);
    }
  })();
  await connecting.finally(() => {
    connecting = null;
  });
}

async function start() {
  await show(noticePage("Starting the server\u2026"));
  const opened = await openServer(settings, quitting.signal);
  server = opened;
  opened.ended.then((reason) => {
    if (server !== opened) return;
    server = null;
    fail("The server has ended", reason);
  });
  return opened;
}

/** Lets the next attempt begin anew. */
async function forget() {
  const former = server;
  server = null;
  await former?.stop();
}

async function fail(title, reason) {
  if (!quitting.signal.aborted) await show(noticePage(title, reason, retryAddress()));
}

/** A page that is overtaken by the next one is no failure. */
async function show(url) {
  await mainWindow?.loadURL(url).catch(() => {});
}

/** Never asked for from the server: following this link means to try again. */
function retryAddress() {
  return `${settings.origin}/#try-again`;
}

/** Keeps a page within its origin. Links to elsewhere open in the user's browser. */
function confine(contents) {
  const check = (event) => {
    if (isOurs(event.url) && event.url !== retryAddress()) return;
    event.preventDefault();
    if (isOurs(event.url)) connect();
    else openOutside(event.url);
  };
  contents.on("will-navigate", check);
  contents.on("will-redirect", check);
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.on("render-process-gone", (_event, { reason }) => {
    if (reason !== "clean-exit") fail("The page has ended", `Reason: ${reason}`);
  });
  contents.on("did-fail-load", (_event, code, description, _url, isMainFrame) => {
    if (isMainFrame && code !== ABORTED && connecting === null) {
      forget();
      fail("The server does not answer", description);
    }
  });
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: "deny" };
  });
}

function isOurs(url) {
  return URL.canParse(url) && new URL(url).origin === settings.origin;
}

function openOutside(url) {
  if (!URL.canParse(url) || isOurs(url)) return;
  if (/^https?:$/.test(new URL(url).protocol)) shell.openExternal(url).catch(() => {});
}

function focus() {
  if (mainWindow === null) return;
  if (mainWindow.isMinimized()) mainWindow.restore();
  mainWindow.focus();
}

async function main() {
  app.on("web-contents-created", (_event, contents) => confine(contents));
  app.on("second-instance", focus);
  app.on("window-all-closed", () => app.quit());
  app.on("before-quit", () => quitting.abort(new Error("The app is about to end")));
  app.on("will-quit", (event) => {
    if (connecting === null && server === null) return;
    // The window is closed, and the app ends when the server has.
    event.preventDefault();
    (async () => {
      await connecting;
      await server?.stop();
      server = null;
      app.quit();
    })();
  });
  app.on("quit", () => server?.kill());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => app.quit());

  await app.whenReady();
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(PERMISSIONS.has(permission))
  );
  defaultSession.setPermissionCheckHandler((_contents, permission) => PERMISSIONS.has(permission));
  createWindow();
  await connect();
}

if (app.requestSingleInstanceLock()) {
  try {
    settings = readSettings(app);
    main();
  } catch (error) {
    process.stderr.write(`llmcmd: ${error.message}\n`);
    app.exit(2);
  }
} else {
  app.quit();
}
