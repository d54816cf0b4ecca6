import { matchesKey } from "../keys.ts";
import type { ModelEntry } from "../registry/mod.ts";

/** The credentials of a caller. */
export interface Access {
  /** A key, whose hash entries may list in `apiKeys`. */
  readonly key?: string | undefined;
  /** True for the gateway's owner, who may use every model. */
  readonly owner?: boolean | undefined;
}

/**
 * True if a caller may use a model.
 *
 * The owner may use every model. A model with `apiKeys` needs one of these keys; other callers may
 * use a model without `apiKeys` only if they give no key.
 */
export async function mayUse(
  { apiKeys }: ModelEntry,
  { key, owner = false }: Access,
): Promise<boolean> {
  if (owner) return true;
  if (apiKeys === undefined) return key === undefined;
  return key !== undefined && await matchesKey(key, apiKeys);
}
