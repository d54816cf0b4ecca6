import { parseScenarios } from "../mock/mod.ts";
import { serve } from "../sys/mod.ts";
import { mockApp } from "../web/mod.ts";
import bundled from "../../scenarios/spec.json" with { type: "json" };
import { helpText, MOCK_PAGE } from "./pages/mod.ts";
import { printText, type TextOutput } from "./print_text.ts";
import { readScenarios } from "./scenario_files.ts";
import { stderrMessages } from "./stderr_messages.ts";
import { fired, untilSignal } from "./until_signal.ts";
import { parseCommand, UsageError } from "./usage.ts";

/** Milliseconds that open requests may take to end. */
const GRACE = 500;

/** Runs `llmcmd mock` until a signal ends it. */
export async function runMock(args: readonly string[], stdout: TextOutput): Promise<number> {
  let port = 8000;
  let host = "127.0.0.1";
  let strict = false;
  const paths: string[] = [];
  for (const item of parseCommand(args, MOCK_PAGE)) {
    if (item.kind === "operand") {
      throw new UsageError(`unexpected operand '${item.value}': give files with --scenarios`);
    }
    switch (item.name) {
      case "help":
        return await printText(stdout, helpText(MOCK_PAGE));
      case "port":
        port = parsePort(item.value);
        break;
      case "host":
        host = item.value;
        break;
      case "strict":
        strict = true;
        break;
      case "scenarios":
        paths.push(item.value);
        break;
    }
  }
  const scenarios = paths.length === 0
    ? parseScenarios(bundled, "scenarios/spec.json")
    : await readScenarios(paths);
  const messages = stderrMessages(MOCK_PAGE.name);
  return await untilSignal(async (signal) => {
    const app = mockApp({ scenarios, strict, signal });
    await using server = serve((request) => app.fetch(request), { port, host });
    const { length } = scenarios.scenarios;
    messages.say(`${length} ${length === 1 ? "scenario" : "scenarios"} on ${server.url}/v1`);
    await Promise.race([server.finished, fired(signal)]);
    await server.stop(GRACE);
    return 0;
  }, () => messages.flush());
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65535) {
    throw new UsageError(`the port is '${text}': give a number from 0 to 65535`);
  }
  return port;
}
