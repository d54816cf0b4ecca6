import assert from "node:assert/strict";
import { runDesktop, windowKinds } from "./desktop.ts";

Deno.test("windowKinds says which windows are tried, in which order", () => {
  assert.deepEqual(windowKinds("auto", undefined), ["webview", "browser"]);
  assert.deepEqual(windowKinds("auto", "brave"), ["browser"]);
  assert.deepEqual(windowKinds("browser", undefined), ["browser"]);
  assert.deepEqual(windowKinds("webview", "brave"), ["webview"]);
  assert.deepEqual(windowKinds("none", "brave"), []);
});

Deno.test("runDesktop refuses arguments that it does not know", async () => {
  const stdout = { write: () => assert.fail("nothing is printed") };
  const failure = async (...args: string[]): Promise<string> => {
    try {
      await runDesktop(args, stdout);
    } catch (error) {
      assert.ok(error instanceof Error);
      return `${error.name}: ${error.message}`;
    }
    return assert.fail("it ran");
  };
  assert.equal(
    await failure("--window=electron"),
    "UsageError: no window 'electron': give auto, webview, browser or none",
  );
  assert.equal(await failure("--browser="), "UsageError: the argument of '--browser' is empty");
  assert.equal(await failure("here"), "UsageError: unexpected operand 'here'");
  assert.match(await failure("--windows=auto"), /^UsageError: .*; did you mean '--window'\?$/);
});
