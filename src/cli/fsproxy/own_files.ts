import { isWithin } from "../../base/mod.ts";
import { envValue } from "../../sys/mod.ts";
import { absolutePath } from "../absolute_path.ts";
import { usualStateFolder } from "../agent_environment.ts";
import { usualFiles } from "../usual_config.ts";

/**
 * What of llmcmd's own no program may touch, whatever is allowed: its settings, which may hold keys,
 * and its state, such as layers that are still to be applied. A program that works in the state
 * folder, where the gateway has its worktrees, is only kept from the layers.
 */
export function ownFiles(root: string): readonly string[] {
  const settings = usualFiles(envValue("HOME"), envValue("XDG_CONFIG_HOME"))
    .map((file) => absolutePath(file, root));
  const kept = usualStateFolder();
  if (kept === undefined) return settings;
  const state = absolutePath(kept, root);
  return [...settings, isWithin(root, state) ? `${state}/overlays` : state];
}
