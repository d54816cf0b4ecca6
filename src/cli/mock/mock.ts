import bundled from "../../../scenarios/spec.json" with { type: "json" };
import { pageHelp, readCommand } from "../../command_line/mod.ts";
import { parseScenarios } from "../../mock/mod.ts";
import { serve } from "../../sys/mod.ts";
import { mockApp } from "../../web/mock/mod.ts";
import { stderrMessages } from "../messages/mod.ts";
import { printText, type TextOutput } from "../pages/pages.ts";
import { fired, untilSignal } from "../signals/signals.ts";
import { MOCK_PAGE } from "./page.ts";
import { readScenarios } from "./scenario_files.ts";

export { readScenarios };

/** Milliseconds that open requests may take to end. */
const GRACE = 500;

/** Runs `llmcmd mock` until a signal ends it. */
export async function runMock(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = MOCK_PAGE;
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
