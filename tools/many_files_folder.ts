import { statfsSync } from "node:fs";

const IN_MEMORY = "/dev/shm";
/** Tools that seek in what they are given, a folder too. */
const SEEKING: ReadonlySet<string> = new Set(["bash", "od", "tac", "tail", "xxd"]);
/** Bytes that must be free there. */
const ROOM = 2 * 1024 ** 3;

/**
 * Makes a temporary folder for thousands of small files that are removed soon: in memory, if there is
 * room and programs may be run from there. On ext4 the time of each new file grows with the number of
 * files that were removed in the last five seconds, which doubled the system's part of the time of
 * coverage and of the comparison with recorded answers.
 */
export async function makeManyFilesFolder(prefix: string): Promise<string> {
  return await Deno.makeTempDir(isUsable() ? { prefix, dir: IN_MEMORY } : { prefix });
}

/**
 * The same for cases of a GNU tool: some answer otherwise for a folder in memory, in which the
 * system lets programs seek as it does not on a disk.
 */
export async function makeCasesFolder(prefix: string, tools: Iterable<string>): Promise<string> {
  for (const tool of tools) {
    if (SEEKING.has(tool)) return await Deno.makeTempDir({ prefix });
  }
  return await makeManyFilesFolder(prefix);
}

function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const mount = Deno.readTextFileSync("/proc/mounts").split("\n")
      .find((line) => line.split(" ")[1] === IN_MEMORY);
    const options = mount?.split(" ")[3]?.split(",") ?? ["noexec"];
    return bavail * bsize >= ROOM && options.includes("rw") && !options.includes("noexec");
  } catch {
    // There is none, as on macOS.
    return false;
  }
}
