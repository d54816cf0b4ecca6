/**
 * The command as the tasks `llmcmd` and `mock` run it. Deno runs tasks in the folder of deno.json;
 * this goes to the folder that the first argument names, where the user called the task, so that
 * the names of files mean what they mean there.
 *
 * The task passes `INIT_CWD`. The command itself must not read that variable: scripts inherit it
 * from tasks of Deno and npm that run them, and may have changed their folder since.
 */
import { main } from "../cli.ts";

const [folder = ".", ...args] = Deno.args;
Deno.chdir(folder);
Deno.exit(await main(args, Deno.stdout));
