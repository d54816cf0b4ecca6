import { fileError } from "./errors.ts";

/** Runs an action on a temporary file or folder; an error names its path. */
export async function attempt<Value>(path: string, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw fileError(`use ${path}`, path, error);
  }
}
