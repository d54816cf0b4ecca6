import { parseArguments } from "./arguments.ts";
import { failureOf, STATUS } from "./exit_status.ts";
import { helpText, LLMCMD_PAGE, SUBCOMMANDS } from "./pages/mod.ts";
import { printText, type TextOutput } from "./print_text.ts";
import { stderrMessages } from "./stderr_messages.ts";
import { nearestSubcommand, UsageError } from "./usage.ts";
import { VERSION } from "./version.ts";

/** Runs what a command line asks for; resolves to the exit status. */
export async function dispatch(args: readonly string[], stdout: TextOutput): Promise<number> {
  const subcommand = SUBCOMMANDS.find(({ word }) => word === args[0]);
  try {
    if (subcommand !== undefined) {
      const rest = args.slice(1);
      // Help needs nothing of what it is about.
      if (rest.length === 1 && (rest[0] === "--help" || rest[0] === "-h")) {
        return await printText(stdout, helpText(subcommand.page));
      }
      return await (await subcommand.load())(rest, stdout);
    }
    const request = parseArguments(args);
    if (request.kind === "run") {
      const { runCommand } = await import("./run_command.ts");
      return await runCommand(request.run, stdout);
    }
    switch (request.what) {
      case "help":
        return await printText(stdout, helpText(LLMCMD_PAGE, SUBCOMMANDS));
      case "version":
        return await printText(stdout, `llmcmd ${VERSION}\n`);
      case "man": {
        const { manualPage } = await import("./manual.ts");
        return await printText(stdout, manualPage(LLMCMD_PAGE, SUBCOMMANDS, VERSION));
      }
      case "completions": {
        const { completionScript } = await import("./completions/completions.ts");
        return await printText(stdout, completionScript(request.shell, LLMCMD_PAGE, SUBCOMMANDS));
      }
    }
  } catch (error) {
    const name = subcommand?.page.name ?? LLMCMD_PAGE.name;
    const messages = stderrMessages(name);
    const { status, message } = failureOf(error);
    if (message !== undefined) messages.say(message);
    if (status === STATUS.configuration && error instanceof UsageError) {
      const near = subcommand === undefined && error.problem === "unknown"
        ? nearestSubcommand(args, SUBCOMMANDS)
        : undefined;
      if (near !== undefined) messages.say(`Did you mean '${LLMCMD_PAGE.name} ${near}'?`);
      messages.say(`Try '${name} --help'`);
    }
    await messages.flush();
    return status;
  }
}
