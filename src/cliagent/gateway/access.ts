import { matchesKey } from "../keys.ts";
import type { ModelEntry } from "../registry/mod.ts";

/** Whether a caller with that key may use a model. */
export async function mayUse({ apiKeys }: ModelEntry, key: string | undefined): Promise<boolean> {
  return apiKeys === undefined || (key !== undefined && await matchesKey(key, apiKeys));
}
