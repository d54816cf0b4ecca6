import { pageHelp } from "../command_line/mod.ts";
import { printText, type TextOutput } from "./pages/pages.ts";
import { LLMCMD_PAGE } from "./run/mod.ts";
import { SUBCOMMANDS } from "./subcommands.ts";
import { VERSION } from "./version.ts";

/**
 * Runs the command `llmcmd` with the arguments of a command line, on this process's standard
 * streams. Resolves to the exit status once all output is written; the caller exits with it.
 *
 * A run that was ended by a signal ends this process by the same signal and does not resolve.
 *
 * `stdout` receives the output of `--help`, `--version` and the like.
 */
export async function main(args: readonly string[], stdout: TextOutput): Promise<number> {
  const first = args[0];
  try {
    if (first === "--help" || first === "-h") {
      return await printText(stdout, pageHelp(LLMCMD_PAGE, SUBCOMMANDS));
    }
    if (first === "--version" || first === "-V") {
      return await printText(stdout, `llmcmd ${VERSION}\n`);
    }
    const { dispatch } = await import("./dispatch.ts");
    return await dispatch(args, stdout);
  } catch (error) {
    const unloaded = error instanceof TypeError ? whyNotLoaded(error.message) : undefined;
    if (unloaded === undefined) {
      const { reportFailure } = await import("./failure/mod.ts");
      const words = SUBCOMMANDS.map(({ word }) => word);
      return await reportFailure(error, args, LLMCMD_PAGE.name, words);
    }
    // The room that writes messages can't be loaded either.
    // deno-lint-ignore house/no-console
    console.error(`llmcmd: ${unloaded.message}`);
    return unloaded.status;
  }
}

/** Explains errors of importing a part of the program; `undefined` for all other errors. */
function whyNotLoaded(message: string): { status: number; message: string } | undefined {
  if (message.includes(UNKNOWN_LIBRARY)) {
    return {
      status: 1,
      message: "Cannot find its libraries, which deno.json names: install again with " +
        "--config deno.json, or run cli.ts with the --config of its folder",
    };
  }
  const [, folder, part = ""] = UNREADABLE_PART.exec(message) ?? [];
  if (folder === undefined) return undefined;
  const [read, way] = part.endsWith(".ts")
    ? [new URL("../../", import.meta.url).pathname, "leave out --unstable-lazy-dynamic-imports"]
    : [folder, "install cli.js of that folder, which needs none for them"];
  const missing = `permission --allow-read=${read} is missing`;
  return { status: 5, message: `Cannot load its own files: ${missing} (add it, or ${way})` };
}

/**
 * Occurs in the error for an import that the configuration does not name. `deno install` ignores
 * the configuration of a checkout unless `--config` names it, and does not warn.
 */
const UNKNOWN_LIBRARY = "not a dependency";

/** Matches the error for a file that is imported late and may not be read. */
const UNREADABLE_PART = /^Requires read access to "(.*)\/([^/]*)", run again/;
