import { withoutColours } from "../../base/mod.ts";
import { linkAbort } from "../../streams/mod.ts";
import type { Invitation } from "./door.ts";

/** A window could not be opened, or broke. */
export class WindowError extends Error {
  override readonly name = "WindowError";
}

/** The end of a window's program. */
export interface WindowEnd {
  /** Its exit status; `null` if it was killed. */
  readonly status: number | null;
  /** The last part of its output. */
  readonly said: string;
}

/** Opens windows of one kind. */
export interface WindowOpener {
  /** The name of the kind in messages: `a webview`. */
  readonly name: string;
  /** Milliseconds that a window may take to load its page. */
  readonly patience: number;
  /**
   * Opens a window with the page at `address`; the signal closes it. Settles when all its processes
   * have ended.
   *
   * @throws {Error} It could not be started.
   */
  open(address: string, signal: AbortSignal): Promise<WindowEnd>;
}

/** The outcome of showing the page in a window. */
export type WindowOutcome =
  /** The user closed it, or the signal did. */
  | { readonly kind: "closed" }
  /** No kind of window worked; one reason for each that was tried. */
  | { readonly kind: "none"; readonly reasons: readonly string[] };

/**
 * Shows a page in a window of the first kind that works, and waits until the window is closed. A
 * kind does not work if its program ends, or takes too long, before it has loaded the page.
 *
 * @throws {WindowError} The window showed the page, and its program failed later.
 */
export async function showInWindow(
  openers: readonly WindowOpener[],
  invite: () => Invitation,
  signal: AbortSignal,
): Promise<WindowOutcome> {
  const reasons: string[] = [];
  for (const opener of openers) {
    if (signal.aborted) return { kind: "closed" };
    const { shown, late, end } = await attempt(opener, invite(), signal);
    if (signal.aborted) return { kind: "closed" };
    const reason = late
      ? `it did not ask for its page within ${opener.patience / 1000} s`
      : end instanceof Error
      ? end.message
      : lastWords(end);
    if (!shown) {
      reasons.push(`${opener.name}: ${reason}`);
    } else if (end instanceof Error || end.status !== 0) {
      throw new WindowError(`The window broke: ${reason}`);
    } else {
      return { kind: "closed" };
    }
  }
  return { kind: "none", reasons };
}

async function attempt(
  opener: WindowOpener,
  { address, accepted }: Invitation,
  signal: AbortSignal,
): Promise<{ shown: boolean; late: boolean; end: WindowEnd | Error }> {
  let shown = false;
  let late = false;
  const end = new AbortController();
  const unlink = linkAbort(signal, end);
  const timer = setTimeout(() => {
    late = true;
    end.abort();
  }, opener.patience);
  accepted.then(() => {
    shown = true;
    clearTimeout(timer);
  });
  try {
    const how = await opener.open(address, end.signal).catch(asError);
    return { shown, late, end: how };
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The line of a program's output that explains its failure. */
function lastWords({ status, said }: WindowEnd): string {
  const lines = withoutColours(said).split("\n").map((line) =>
    // Chromium: [pid:thread:date/time:ERROR:file:line] message
    line.trim().replace(/^\[[^\]]*:(ERROR|FATAL):[^\]]*\]\s*/, "error: ")
  );
  const line = lines.find((line) => /error/i.test(line)) ?? lines.findLast((line) => line !== "");
  const words = line?.replace(/^error:\s*/i, "") ?? "";
  if (words !== "") return words;
  return status === null ? "it was killed" : `it ended with status ${status}`;
}
