/**
 * Runs the command for the tasks `llmcmd` and `mock`. Deno runs tasks in the folder of deno.json.
 * So this changes to the folder of its first argument, where the user called the task, and relative
 * paths work as expected.
 *
 * The task passes `INIT_CWD`. The command itself must not read that variable: scripts inherit it
 * from tasks of Deno and npm, and may have changed their folder since.
 */
import { main } from "../cli.ts";

const [folder = ".", ...args] = Deno.args;
Deno.chdir(folder);
Deno.exit(await main(args, Deno.stdout));
