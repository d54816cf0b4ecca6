/** A count with its noun, such as `1 change` or `2 changes`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
