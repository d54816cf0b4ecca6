import { completionScript, manualPage, pageHelp } from "../command_line/mod.ts";
import { pathKind, requirePrograms } from "../sys/mod.ts";
import { reportFailure } from "./failure/mod.ts";
import { printText, type TextOutput } from "./pages/pages.ts";
import { ABOUT, LLMCMD_PAGE, parseArguments } from "./run/mod.ts";
import { allPages, SUBCOMMANDS } from "./subcommands.ts";
import { VERSION } from "./version.ts";

/** Runs the command of a command line; resolves to the exit status. */
export async function dispatch(args: readonly string[], stdout: TextOutput): Promise<number> {
  const subcommand = SUBCOMMANDS.find(({ word }) => word === args[0]);
  try {
    if (subcommand !== undefined) {
      const rest = args.slice(1);
      // The help of a command needs only its page.
      if (rest.length === 1 && (rest[0] === "--help" || rest[0] === "-h")) {
        return await printText(stdout, pageHelp(await subcommand.page()));
      }
      if (subcommand.startsPrograms === true) requirePrograms();
      return await (await subcommand.load())(rest, stdout);
    }
    const request = parseArguments(args, pathKind);
    if (request.kind === "run") {
      const { runCommand } = await import("./run/run.ts");
      return await runCommand(request.run, stdout);
    }
    switch (request.what) {
      case "help":
        return await printText(stdout, pageHelp(LLMCMD_PAGE, SUBCOMMANDS));
      case "version":
        return await printText(stdout, `llmcmd ${VERSION}\n`);
      case "man":
        return await printText(
          stdout,
          await manualPage(LLMCMD_PAGE, await allPages(), {
            about: ABOUT,
            version: VERSION,
          }),
        );
      case "completions": {
        const script = await completionScript(request.shell, LLMCMD_PAGE, await allPages());
        return await printText(stdout, script);
      }
    }
  } catch (error) {
    const words = SUBCOMMANDS.map(({ word }) => word);
    return await reportFailure(error, args, LLMCMD_PAGE.name, words);
  }
}
