import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import type { Invitation } from "./door.ts";
import { showInWindow, type WindowEnd, type WindowOpener } from "./windows.ts";

/** Opens no window, but calls a function of the test with the page's address and the signal. */
function opener(
  name: string,
  open: (visit: () => Promise<void>, signal: AbortSignal) => Promise<WindowEnd>,
  patience = 60_000,
): WindowOpener {
  return {
    name,
    patience,
    open: (address, signal) => open(() => visit(address), signal),
  };
}

const visits = new Map<string, () => void>();

function invite(): Invitation {
  const address = `http://test/${visits.size}`;
  return { address, accepted: new Promise((resolve) => visits.set(address, resolve)) };
}

/** Requests the page, as a window does. */
async function visit(address: string): Promise<void> {
  visits.get(address)?.();
  await Promise.resolve();
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

const closed = opener("good", async (visit) => {
  await visit();
  return { status: 0, said: "" };
});

Deno.test("showInWindow takes the first window that asks for its page", async () => {
  const { signal } = new AbortController();
  const opened: string[] = [];
  const bad = opener("bad", () => {
    opened.push("bad");
    return Promise.resolve({ status: 1, said: "no display\n" });
  });
  const never = opener("never", () => assert.fail("a second window was opened"));
  assert.deepEqual(await showInWindow([bad, closed, never], invite, signal), { kind: "closed" });
  assert.deepEqual(opened, ["bad"]);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

Deno.test("showInWindow tells of each kind of window why there is none", async () => {
  const { signal } = new AbortController();
  const says = (status: number | null, said: string) =>
    opener("it", () => Promise.resolve({ status, said }));
  const openers = [
    opener("missing", () => Promise.reject(new Error("It is not installed"))),
    says(0, ""),
    says(null, "\n"),
    says(1, "starting\nno display\n\n"),
    // Messages of Chromium, Deno and a library in Rust.
    says(
      1,
      "[7:7:1128/015114.625198:ERROR:ui/x11.cc:257] Missing X server or $DISPLAY\n" +
        "[7:7:1128/015114.625245:ERROR:ui/env.cc:253] The platform failed.  Exiting.\n",
    ),
    says(1, '\x1b[1merror\x1b[0m: Uncaught TypeError: Failed loading "x"\n    at file:///x.ts\n'),
    says(
      134,
      'thread panicked at x.rs:1:2:\nFailed!: BoolError { message: "No GTK" }\nnote: more\n',
    ),
    opener("slow", async (_, signal) => {
      await untilAborted(signal);
      return { status: null, said: "" };
    }, 5),
  ];
  assert.deepEqual(await showInWindow(openers, invite, signal), {
    kind: "none",
    reasons: [
      "missing: It is not installed",
      "it: it ended with status 0",
      "it: it was killed",
      "it: no display",
      "it: Missing X server or $DISPLAY",
      'it: Uncaught TypeError: Failed loading "x"',
      'it: Failed!: BoolError { message: "No GTK" }',
      "slow: it did not ask for its page within 0.005 s",
    ],
  });
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

Deno.test("showInWindow fails when a window breaks that showed its page", async () => {
  const { signal } = new AbortController();
  const broken = opener("it", async (visit) => {
    await visit();
    return { status: 139, said: "" };
  });
  await assert.rejects(showInWindow([broken, closed], invite, signal), {
    name: "WindowError",
    message: "The window broke: it ended with status 139",
  });
});

Deno.test("showInWindow has no time-out for a window that showed its page", async () => {
  const { signal } = new AbortController();
  const lasting = opener("it", async (visit, signal) => {
    await visit();
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { status: signal.aborted ? null : 0, said: "" };
  }, 5);
  assert.deepEqual(await showInWindow([lasting], invite, signal), { kind: "closed" });
});

Deno.test("showInWindow closes its window when the signal fires, and opens no other", async () => {
  for (const shown of [true, false]) {
    const end = new AbortController();
    let killed = false;
    const window = opener("it", async (visit, signal) => {
      if (shown) await visit();
      end.abort();
      if (!signal.aborted) await untilAborted(signal);
      killed = true;
      return { status: null, said: "" };
    });
    const never = opener("never", () => assert.fail("a window was opened"));
    assert.deepEqual(await showInWindow([window, never], invite, end.signal), { kind: "closed" });
    assert.equal(killed, true);
    assert.deepEqual(await showInWindow([never], invite, end.signal), { kind: "closed" });
  }
});
