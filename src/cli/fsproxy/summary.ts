import type { ServeSummary } from "../../vfs/mod.ts";

/** What a program did, in a line. */
export function summaryOf(summary: ServeSummary): string {
  const { requests, errors, opened, left, read, written } = summary;
  const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
  const parts = [
    `${counted(requests, "request")}, ${errors} refused`,
    `${counted(opened, "file")} opened, ${left} left open`,
    `${counted(read, "byte")} read, ${written} written`,
  ];
  return parts.join("; ");
}
