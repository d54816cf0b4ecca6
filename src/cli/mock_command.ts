import { pageHelp, readCommand } from "../command_line/mod.ts";
import { parseScenarios } from "../mock/mod.ts";
import { serve } from "../sys/mod.ts";
import { mockApp } from "../web/mock/mod.ts";
import bundled from "../../scenarios/spec.json" with { type: "json" };
import { mockPage } from "./pages/mod.ts";
import { printText, type TextOutput } from "./print_text.ts";
import { readScenarios } from "./scenario_files.ts";
import { stderrMessages } from "./stderr_messages.ts";
import { fired, untilSignal } from "./until_signal.ts";

/** Milliseconds that open requests may take to end. */
const GRACE = 500;

/** Runs `llmcmd mock` until a signal ends it. */
export async function runMock(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = await mockPage();
  const { options } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const { port, host, strict, scenarios: paths } = options;
  const scenarios = paths.length === 0
    ? parseScenarios(bundled, "scenarios/spec.json")
    : await readScenarios(paths);
  const messages = stderrMessages(page.name);
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
