/** What to tell of whatever was thrown: an error's message, its name where that is empty. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
