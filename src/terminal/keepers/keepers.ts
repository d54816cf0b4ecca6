/**
 * The programs of the keepers and of their helpers: files in their own languages, imported as text,
 * so that no file has to be found or readable at run time.
 */
import holder from "./holder.sh" with { type: "text" };
import join from "./join.sh" with { type: "text" };
import main from "./main.sh" with { type: "text" };
import markedLaunch from "./marked_launch.sh" with { type: "text" };
import marks from "./marks.sh" with { type: "text" };
import namespace from "./namespace.sh" with { type: "text" };
import shared from "./shared.sh" with { type: "text" };
import start from "./start.sh" with { type: "text" };
import subreaper from "./subreaper.py" with { type: "text" };
import terminal from "./terminal.sh" with { type: "text" };
import tree from "./tree.py" with { type: "text" };

/**
 * The shell line that runs the program in the variable LLMCMD_KEEPER; `ps` shows only this line.
 */
export const KEEPER_LINE = 'eval "$LLMCMD_KEEPER"';

/**
 * Keeper inside a PID namespace; for `sh` or bash. Arguments of all keepers: run id, mark, `merge`
 * or `apart`, `duplex` or `-`, and the command with its arguments. `main.sh` describes their
 * descriptors.
 */
export const NAMESPACE_KEEPER: string = start + namespace + main;

/** Keeper inside a PID namespace that the session's commands share; for `sh` or bash. */
export const SHARED_KEEPER: string = start + shared + main;

/**
 * Kills the processes with the marks in a shared PID namespace, for when a keeper was killed; for
 * `sh` or bash. Arguments: run id and mark. Prints `dead COUNT`.
 */
export const SHARED_SWEEP = `${start}${shared}main=$$ waiter=\nfinish\necho "dead $count"\n`;

/** Keeper that finds the command's processes by their marks; for `sh` or bash. */
export const MARKS_KEEPER: string = start + marks + markedLaunch + main;

/**
 * Kills the processes with the marks, for when a keeper was killed; for `sh` or bash. Arguments:
 * run ids and marks, each list joined by `|`. Prints `dead COUNT`.
 */
export const MARKS_SWEEP = `${start}${marks}finish\necho "dead $count"\n`;

/** Makes a keeper in Python a subreaper, and kills its tree; precedes the keeper's program. */
export const KEEPER_TREE: string = tree;

/** Keeper that is a subreaper; for Python. */
export const SUBREAPER_KEEPER: string = tree + subreaper;

/** Holds namespaces; for `sh` or bash. */
export const HOLDER: string = holder;

/** Joins the namespaces of a holder; for `sh` or bash. */
export const JOIN: string = join;

/** Runs a program as the foreground job of the terminal; for `sh` or bash. Not a keeper. */
export const TERMINAL_JOB: string = terminal;
