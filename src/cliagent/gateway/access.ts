import { matchesKey } from "../keys.ts";
import type { ModelEntry } from "../registry/mod.ts";

/** What a caller has to show. */
export interface Access {
  /** A key that entries may name in `apiKeys`. */
  readonly key?: string | undefined;
  /** Whether every model may be used, whatever keys it names. */
  readonly owner?: boolean | undefined;
}

/**
 * Whether a caller may use a model: its owner, whoever brings one of the model's keys, and callers
 * without any key where the model names none.
 */
export async function mayUse(
  { apiKeys }: ModelEntry,
  { key, owner = false }: Access,
): Promise<boolean> {
  if (owner) return true;
  if (apiKeys === undefined) return key === undefined;
  return key !== undefined && await matchesKey(key, apiKeys);
}
