/** What a user is told of an output file that had something and is empty now. */
export function emptiedNote(path: string): string {
  return `${path} is empty now: nothing was written`;
}

/** What a user is told of an output that did not take its place. */
export function partialNote(partial: string): string {
  return `the partial output is in ${partial}`;
}
