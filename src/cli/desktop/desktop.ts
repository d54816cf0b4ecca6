import { pageHelp, readCommand } from "../../command_line/mod.ts";
import { serve } from "../../sys/mod.ts";
import { openChat } from "../chat/chat.ts";
import { coderArguments } from "../coder_options/mod.ts";
import { stderrMessages } from "../messages/mod.ts";
import { printText, type TextOutput } from "../pages/pages.ts";
import { fired, untilSignal } from "../signals/signals.ts";
import { DesktopDoor, randomName } from "./door.ts";
import { type WindowKind, windowOpener } from "./openers.ts";
import { DESKTOP_PAGE } from "./page.ts";
import { showInWindow, WindowError, type WindowOpener } from "./windows.ts";

/** Milliseconds that open responses may take to end. */
const GRACE = 1000;

/** The window that the command line names. */
type AskedWindow = "auto" | "none" | WindowKind;

/** Runs `llmcmd desktop` until its window is closed or a signal comes. */
export async function runDesktop(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = DESKTOP_PAGE;
  const { options } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const { window, browser } = options;
  const messages = stderrMessages(page.name);
  const warn = (message: string) => messages.warn(message);
  return await untilSignal(async (signal) => {
    const token = randomName();
    const chat = await openChat({ ...coderArguments(options), program: page.name, token, warn });
    const end = new AbortController();
    try {
      const door = new DesktopDoor(chat.app, { token, owner: randomName() });
      const server = serve((request) => door.fetch(request), { port: 0 });
      const stopped = Promise.race([fired(signal), server.finished]).then(() => end.abort());
      try {
        const openers = openersOf(window, browser);
        const outcome = await showInWindow(openers, () => door.invite(server.url), end.signal);
        if (outcome.kind === "none") {
          if (window !== "auto" && window !== "none") {
            throw new WindowError(`There is no window: ${outcome.reasons.join("; ")}`);
          }
          for (const reason of outcome.reasons) warn(`no window: ${reason}`);
          messages.say(`Open ${server.url}/?token=${token} in a browser`);
          await stopped;
        }
      } finally {
        await chat.app.stop();
        await server.stop(GRACE);
      }
    } finally {
      await chat[Symbol.asyncDispose]();
    }
    return 0;
  }, () => messages.flush());
}

function openersOf(window: AskedWindow, browser: string | undefined): WindowOpener[] {
  const options = { browser, fetch: window === "webview" };
  return windowKinds(window, browser).map((kind) => windowOpener(kind, options));
}

/** The kinds of windows to try, in this order. A named browser excludes the webview. */
export function windowKinds(
  window: AskedWindow,
  browser: string | undefined,
): readonly WindowKind[] {
  if (window === "none") return [];
  if (window !== "auto") return [window];
  return browser === undefined ? ["webview", "browser"] : ["browser"];
}
