/**
 * The command `llmcmd`.
 *
 * ```sh
 * deno run --allow-read --allow-net=api.openai.com --allow-env cli.ts "Count the lines" access.log
 * ```
 *
 * @module
 */
import { main, type TextOutput } from "./src/cli/mod.ts";

export { main, type TextOutput };

if (import.meta.main) Deno.exit(await main(Deno.args, Deno.stdout));
