import { fileError } from "./errors.ts";

/** Does something with a temporary file or folder; an error names it. */
export async function attempt<Value>(path: string, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw fileError(`use ${path}`, path, error);
  }
}
