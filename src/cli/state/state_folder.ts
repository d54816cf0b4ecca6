import { envValue } from "../../sys/mod.ts";

/**
 * The folder for this user's state; `undefined` where neither HOME nor XDG_STATE_HOME is set, of
 * which blank values count as not set. The XDG Base Directory Specification ignores relative paths.
 */
export function usualStateFolder(): string | undefined {
  const xdg = envValue("XDG_STATE_HOME");
  if (xdg?.startsWith("/")) return `${xdg}/llmcmd`;
  const home = envValue("HOME");
  return home === undefined || home.trim() === "" ? undefined : `${home}/.local/state/llmcmd`;
}
