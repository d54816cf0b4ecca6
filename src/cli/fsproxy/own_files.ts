import { isWithin } from "../../base/mod.ts";
import { UsageError } from "../../command_line/mod.ts";
import { envValue, pathKind } from "../../sys/mod.ts";
import { usualFiles } from "../configuration/mod.ts";
import { absolutePath, shownPath } from "../paths/mod.ts";
import { usualStateFolder } from "../state/mod.ts";

/**
 * Files of llmcmd that no program may touch, whatever is allowed: its settings, which may hold
 * keys, and its state, such as layers that are not yet applied. A program that works inside the
 * state folder, where the gateway has its worktrees, is only kept from the layers.
 */
export function ownFiles(root: string): readonly string[] {
  const settings = usualFiles(envValue("HOME"), envValue("XDG_CONFIG_HOME"))
    .map((file) => absolutePath(file, root));
  const kept = usualStateFolder();
  if (kept === undefined) return settings;
  const state = absolutePath(kept, root);
  return [...settings, isWithin(root, state) ? `${state}/overlays` : state];
}

/**
 * Refuses to show in a sandbox a path that the program may not reach by its descriptor either.
 *
 * @throws {UsageError}
 */
export async function refuseOwnShown(shown: readonly string[], root: string): Promise<void> {
  const own = ownFiles(root).filter((path) => pathKind(path) !== "missing");
  const found = await shownPath(shown, own);
  if (found === undefined) return;
  const { path, kept } = found;
  throw new UsageError(`--show ${path} would show ${kept}, which is llmcmd's own: show less of it`);
}
