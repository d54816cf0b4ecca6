import { toText } from "@std/streams/to-text";
import type { HostProcess } from "../sys/mod.ts";

/** Reads a short-lived helper's output to its end. */
export async function collect(
  process: HostProcess,
): Promise<{ status: number; stdout: string; stderr: string }> {
  const [stdout, stderr, status] = await Promise.all([
    toText(process.stdout),
    toText(process.stderr),
    process.status,
    process.closeStdin(),
  ]);
  return { status, stdout, stderr };
}
