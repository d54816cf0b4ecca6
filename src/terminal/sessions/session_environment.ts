import { processHost } from "../../sys/mod.ts";
import { looksSecret, UNATTENDED } from "../environment.ts";

/**
 * The environment of a program on a terminal: that of other commands, but with the user's own
 * values of those variables that other commands get replaced, and with changes (`null` leaves a
 * variable out).
 */
export function sessionEnvironment(
  commands: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const env = new Map(Object.entries(commands));
  const own = processHost().env;
  for (const name of Object.keys(UNATTENDED)) {
    const value = own[name];
    if (value === undefined || looksSecret(name, value)) env.delete(name);
    else env.set(name, value);
  }
  // These describe another terminal.
  for (const name of ["COLUMNS", "LINES", "TERMCAP"]) env.delete(name);
  env.set("TERM", "xterm-256color");
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) env.delete(name);
    else env.set(name, value);
  }
  return Object.fromEntries(env);
}
