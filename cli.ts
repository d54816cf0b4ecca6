/**
 * The command `llmcmd`.
 *
 * ```sh
 * deno run --unstable-lazy-dynamic-imports --allow-read --allow-net=api.openai.com --allow-env \
 *   cli.ts "Count the lines" access.log
 * ```
 *
 * The first flag makes Deno read parts of the program only when they are needed, which
 * `--allow-read` must permit. Leave the flag out if `--allow-read` has a list.
 *
 * @module
 */
import { main, type TextOutput } from "./src/cli/mod.ts";

export { main, type TextOutput };

if (import.meta.main) Deno.exit(await main(Deno.args, Deno.stdout));
