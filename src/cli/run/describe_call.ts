/** Describes a tool call in a short line, such as `pipe grep -v x from fd 3 to fd 1`. */
export function describeCall(name: string, input: unknown): string {
  if (typeof input !== "object" || input === null) return name;
  const { cmd, fd, in_fd, out_fd, code } = input as Record<string, unknown>;
  const parts = [name];
  if (typeof cmd === "string") parts.push(cmd);
  if (typeof fd === "number") parts.push(`fd ${fd}`);
  if (typeof in_fd === "number") parts.push(`from fd ${in_fd}`);
  if (typeof out_fd === "number") parts.push(`to fd ${out_fd}`);
  if (typeof code === "number") parts.push(String(code));
  return parts.join(" ").replace(/\s+/g, " ");
}
