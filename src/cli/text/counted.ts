/** A number of things in English: `1 change`, `2 changes`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
