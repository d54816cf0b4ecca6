import { envValue } from "../../sys/mod.ts";

/**
 * The folder for this user's state; `undefined` if neither HOME nor XDG_STATE_HOME is set. A blank
 * HOME counts as not set, and so does a relative XDG_STATE_HOME, as the XDG Base Directory
 * Specification demands.
 */
export function usualStateFolder(): string | undefined {
  const xdg = envValue("XDG_STATE_HOME");
  if (xdg?.startsWith("/")) return `${xdg}/llmcmd`;
  const home = envValue("HOME");
  return home === undefined || home.trim() === "" ? undefined : `${home}/.local/state/llmcmd`;
}
