import { serve } from "../../sys/mod.ts";
import { type CoderArguments, takeCoderArgument, usualCoderArguments } from "../coder_arguments.ts";
import { DesktopDoor, randomName } from "./door.ts";
import { type WindowKind, windowOpener } from "./openers.ts";
import { desktopOwner } from "./owner.ts";
import { DESKTOP_PAGE, helpText } from "../pages/mod.ts";
import { showInWindow, WindowError, type WindowOpener } from "./windows.ts";
import { printText, type TextOutput } from "../print_text.ts";
import { openChat } from "../serve_chat.ts";
import { stderrMessages } from "../stderr_messages.ts";
import { fired, untilSignal } from "../until_signal.ts";
import { parseCommand, UsageError } from "../usage.ts";

/** Milliseconds that open responses may take to end. */
const GRACE = 1000;

/** What the command line asks for. */
interface DesktopArguments extends CoderArguments {
  window: "auto" | "none" | WindowKind;
  browser?: string;
}

/** Runs `llmcmd desktop` until its window is closed, or a signal comes. */
export async function runDesktop(args: readonly string[], stdout: TextOutput): Promise<number> {
  const parsed = parseDesktopArguments(args);
  if (parsed === "help") return await printText(stdout, helpText(DESKTOP_PAGE));
  const messages = stderrMessages(DESKTOP_PAGE.name);
  const warn = (message: string) => messages.warn(message);
  return await untilSignal(async (signal) => {
    const token = randomName();
    const chat = await openChat({ ...parsed, token, warn });
    const end = new AbortController();
    try {
      const owner = await desktopOwner(chat.stateFolder, chat.root, warn);
      const door = new DesktopDoor(chat.app, { token, owner });
      const server = serve((request) => door.fetch(request), { port: 0 });
      const stopped = Promise.race([fired(signal), server.finished]).then(() => end.abort());
      try {
        const openers = openersOf(parsed);
        const outcome = await showInWindow(openers, () => door.invite(server.url), end.signal);
        if (outcome.kind === "none") {
          if (parsed.window !== "auto" && parsed.window !== "none") {
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

function openersOf({ window, browser }: DesktopArguments): WindowOpener[] {
  const options = { browser, fetch: window === "webview" };
  return windowKinds(window, browser).map((kind) => windowOpener(kind, options));
}

/** The kinds of windows to try, in this order. Whoever names a browser wants no webview. */
export function windowKinds(
  window: DesktopArguments["window"],
  browser: string | undefined,
): readonly WindowKind[] {
  if (window === "none") return [];
  if (window !== "auto") return [window];
  return browser === undefined ? ["webview", "browser"] : ["browser"];
}

function parseDesktopArguments(args: readonly string[]): DesktopArguments | "help" {
  const parsed: DesktopArguments = { window: "auto", ...usualCoderArguments() };
  for (const item of parseCommand(args, DESKTOP_PAGE)) {
    if (item.kind === "operand") throw new UsageError(`unexpected operand '${item.value}'`);
    if (item.name === "help") return "help";
    if (item.value === "") throw new UsageError(`the argument of '${item.as}' is empty`);
    switch (item.name) {
      case "window":
        parsed.window = parseWindow(item.value);
        break;
      case "browser":
        parsed.browser = item.value;
        break;
      case "sandbox":
      case "allow-dir":
      case "model":
        takeCoderArgument(parsed, item.name, item.value);
        break;
    }
  }
  return parsed;
}

function parseWindow(text: string): DesktopArguments["window"] {
  if (text === "auto" || text === "none" || text === "webview" || text === "browser") return text;
  throw new UsageError(`no window '${text}': give auto, webview, browser or none`);
}
