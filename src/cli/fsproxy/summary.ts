import { nameOnOneLine } from "../../base/mod.ts";
import type { AllowedVfs, ServeSummary } from "../../vfs/mod.ts";
import { counted } from "../text/mod.ts";

/** Most names that are listed. */
const LISTED = 3;

/**
 * Lists the virtual files that end with the program, as the user may have forgotten to allow one.
 */
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
  return `virtual files that are gone now: ${
    names.join(", ")
  }${more} (to keep a file: -o FILE or ` +
    "--allow w:FILE)";
}

/** Describes the requests of a program in one line. */
export function summaryOf(summary: ServeSummary): string {
  const { requests, errors, opened, left, read, written } = summary;
  const parts = [
    `${counted(requests, "request")}, ${errors} refused`,
    `${counted(opened, "file")} opened, ${left} left open`,
    `${counted(read, "byte")} read, ${written} written`,
  ];
  return parts.join("; ");
}
