/** The warning that a non-empty output file is now empty. */
export function emptiedNote(path: string): string {
  return `${path} is empty now: nothing was written`;
}

/** The message about an output that did not replace its file. */
export function partialNote(partial: string): string {
  return `the partial output is in ${partial}`;
}
