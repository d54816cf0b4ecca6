import { statfsSync } from "node:fs";

const IN_MEMORY = "/dev/shm";
/** Tools that seek in their input, even if that is a directory. */
const SEEKING: ReadonlySet<string> = new Set(["bash", "od", "tac", "tail", "xxd"]);
/** Bytes that must be free in memory. */
const ROOM = 2 * 1024 ** 3;

/**
 * Makes a temporary folder for thousands of short-lived small files: in memory, if there is room
 * and programs may be executed there. On ext4 a new file takes longer the more files were removed
 * in the last five seconds. That doubled the system time of the coverage run and of the comparison
 * with recorded answers.
 */
export async function makeManyFilesFolder(prefix: string): Promise<string> {
  return await Deno.makeTempDir(isUsable() ? { prefix, dir: IN_MEMORY } : { prefix });
}

/**
 * Makes such a folder for cases of a GNU tool. Tools that seek get a folder on disk: seeking in a
 * directory succeeds in memory, but not on a disk, and some tools then answer differently.
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
    // There is no such folder, as on macOS.
    return false;
  }
}
