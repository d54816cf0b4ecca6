import { quotedWord } from "../../base/mod.ts";
import { currentFolder, denoProgram, processHost, scratchFolder } from "../../sys/mod.ts";
import { CommandSession } from "../../terminal/mod.ts";
import { type WindowEnd, WindowError, type WindowOpener } from "./windows.ts";
import webview from "./webview.js" with { type: "text" };

/** Browsers with the option `--app`, in the order in which they are tried. */
const BROWSERS = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "microsoft-edge-stable",
  "microsoft-edge",
  "brave-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
];

/** Options for a window with one page and an empty profile, which is not kept. */
const FLAGS = [
  "--class=llmcmd",
  "--window-size=900,700",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-mode",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-sync",
  "--password-store=basic",
  "--use-mock-keychain",
];

/**
 * Chromium refuses to sandbox its pages for root. Without a sandbox it must not load pages from
 * other machines.
 */
const FLAGS_OF_ROOT = [
  "--no-sandbox",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

/** The package that opens the system's webview. */
const WEBVIEW_PACKAGE = "npm:webview-napi@2.2.0";

/** Shows the page of its first argument, titled with the second; exits with 0 when it is closed. */
const WEBVIEW_PROGRAM = `import { Application } from "${WEBVIEW_PACKAGE}";
${webview}
showPage(Application, ...Deno.args);
Deno.exit(0);
`;

/** The longest time limit of a command, in milliseconds: 24 days. */
const FOREVER = 2 ** 31 - 1;

/** Kinds of windows. */
export type WindowKind = "webview" | "browser";

/** Options of {@linkcode windowOpener}. */
export interface OpenerOptions {
  /** The Chromium to start; the first that is installed if absent. */
  readonly browser?: string | undefined;
  /** True if the webview's package may be downloaded. */
  readonly fetch: boolean;
}

/** Returns the opener for a kind of window. */
export function windowOpener(kind: WindowKind, options: OpenerOptions): WindowOpener {
  return kind === "webview" ? webviewOpener(options.fetch) : browserOpener(options.browser);
}

function browserOpener(browser: string | undefined): WindowOpener {
  const browsers = browser === undefined ? BROWSERS : [browser];
  return {
    name: "browser",
    patience: 60_000,
    async open(address, signal) {
      const flags = [
        `--app=${address}`,
        ...FLAGS,
        ...processHost().uid === 0 ? FLAGS_OF_ROOT : [],
      ];
      const missing = browser === undefined
        ? "Neither Chromium nor a browser like it is installed: name one with --browser"
        : `There is no program ${browser}`;
      return await runWindow(
        `for browser in ${words(browsers)}; do\n` +
          `  if command -v "$browser" >/dev/null; then exec "$browser" --user-data-dir="$TMPDIR" ${
            words(flags)
          }; fi\n` +
          `done\nprintf '%s\\n' ${words([missing])}\nexit 127`,
        signal,
      );
    },
  };
}

/**
 * Opens the webview in a process of its own: its library aborts the process if there is no display,
 * and its event loop would block everything else.
 */
function webviewOpener(mayFetch: boolean): WindowOpener {
  return {
    name: "webview",
    patience: mayFetch ? 300_000 : 60_000,
    async open(address, signal) {
      const deno = denoProgram();
      if (deno === undefined) {
        throw new WindowError("it needs deno, but this program does not run in deno");
      }
      const command = words([
        deno,
        "run",
        ...["--quiet", "--no-prompt", "--no-config", "--no-lock"],
        ...mayFetch ? [] : ["--cached-only"],
        ...["--allow-ffi", "--allow-env", "--allow-read", "--allow-sys"],
        `data:text/javascript;base64,${btoa(WEBVIEW_PROGRAM)}`,
        ...[address, "llmcmd"],
      ]);
      const end = await runWindow(`exec ${command}`, signal);
      if (!end.said.includes("--cached-only is specified")) return end;
      throw new WindowError("its package is not installed: --window webview downloads it");
    },
  };
}

/**
 * Runs the program of a window with a private temporary folder. Kills its processes and removes the
 * folder afterwards.
 */
async function runWindow(script: string, signal: AbortSignal): Promise<WindowEnd> {
  await using folder = await scratchFolder();
  await using session = new CommandSession({
    cwd: currentFolder(),
    env: { NO_COLOR: "1", TMPDIR: folder.path },
    limits: { lines: 200, bytes: 16_384, fileBytes: 65_536 },
  });
  const { exitCode, text } = await session.run(script, { timeout: FOREVER, signal });
  return { status: exitCode, said: text };
}

/** Quotes words for a shell. */
function words(list: readonly string[]): string {
  return list.map(quotedWord).join(" ");
}
