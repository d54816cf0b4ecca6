/**
 * The command line of `llmcmd` itself; `run.ts` runs it. It imports little, as `--help` needs the
 * page.
 *
 * @module
 */
export { parseArguments, type Request, type RunArguments } from "./arguments.ts";
export { ABOUT, LLMCMD_PAGE } from "./page.ts";
