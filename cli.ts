/**
 * The command `llmcmd`.
 *
 * ```sh
 * deno run --unstable-lazy-dynamic-imports --allow-read --allow-net=api.openai.com --allow-env \
 *   cli.ts "Count the lines" access.log
 * ```
 *
 * With the first flag the parts of the program are read when they are needed, for which
 * `--allow-read` must cover them. Leave it out where `--allow-read` has a list.
 *
 * @module
 */
import { main, type TextOutput } from "./src/cli/mod.ts";

export { main, type TextOutput };

if (import.meta.main) Deno.exit(await main(Deno.args, Deno.stdout));
