/** Text of anything that was thrown: an error's message, or its name if the message is empty. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
