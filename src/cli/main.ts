import { pageHelp } from "../command_line/mod.ts";
import { printText, type TextOutput } from "./pages/pages.ts";
import { LLMCMD_PAGE } from "./run/mod.ts";
import { SUBCOMMANDS } from "./subcommands.ts";
import { VERSION } from "./version.ts";

/**
 * Runs the command `llmcmd` with the arguments of a command line, on this process's standard
 * streams. Resolves to the exit status once everything is written; the caller exits with it.
 *
 * A run that was ended by a signal ends this process by the same signal and doesn't resolve.
 *
 * `stdout` is where `--help`, `--version` and their like are printed.
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
    // What writes messages elsewhere can't be loaded either.
    // deno-lint-ignore house/no-console
    console.error(`llmcmd: ${unloaded.message}`);
    return unloaded.status;
  }
}

/** Why a part of the program could not be loaded, by what Deno says; `undefined` for all else. */
function whyNotLoaded(message: string): { status: number; message: string } | undefined {
  if (message.includes(UNKNOWN_LIBRARY)) {
    return {
      status: 1,
      message: "Cannot find its libraries, which deno.json names: install again with " +
        "--config deno.json, or run cli.ts with the --config of its folder",
    };
  }
  const [, folder] = UNREADABLE_PART.exec(message) ?? [];
  if (folder === undefined) return undefined;
  return {
    status: 5,
    message: `Cannot load its own files: permission --allow-read=${folder} is missing (add it, ` +
      "or install cli.js of that folder, which needs none for them)",
  };
}

/**
 * What Deno says of an import that its configuration does not name. `deno install` leaves the
 * configuration of a checkout out unless it is told to use it, and finds no fault until this runs.
 */
const UNKNOWN_LIBRARY = "not a dependency";

/** What Deno says where the lazy entry of a bundle may not read the files beside it. */
const UNREADABLE_PART = /^Requires read access to "(.*)\/[^/]*", run again/;
