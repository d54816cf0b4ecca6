import { nameOnOneLine } from "../../base/mod.ts";
import type { AllowedVfs, ServeSummary } from "../../vfs/mod.ts";
import { counted } from "../text/mod.ts";

/** Names that are listed. */
const LISTED = 3;

/** Says which virtual files end with the program: whoever forgot to allow one would miss it. */
export async function virtualFilesLeft(vfs: AllowedVfs): Promise<string | undefined> {
  const names: string[] = [];
  let more = "";
  for await (const path of vfs.virtualFiles()) {
    if (names.length === LISTED) {
      more = " and more";
      break;
    }
    names.push(nameOnOneLine(path));
  }
  if (names.length === 0) return undefined;
  return `virtual, and gone now: ${names.join(", ")}${more} (to keep a file: -o FILE or ` +
    "--allow w:FILE)";
}

/** What a program did, in a line. */
export function summaryOf(summary: ServeSummary): string {
  const { requests, errors, opened, left, read, written } = summary;
  const parts = [
    `${counted(requests, "request")}, ${errors} refused`,
    `${counted(opened, "file")} opened, ${left} left open`,
    `${counted(read, "byte")} read, ${written} written`,
  ];
  return parts.join("; ");
}
