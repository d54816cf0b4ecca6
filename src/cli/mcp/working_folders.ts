import { isWithin, messageOf } from "../../base/mod.ts";
import { UsageError } from "../../command_line/mod.ts";
import type { HostFs } from "../../sys/mod.ts";
import { absolutePath } from "../paths/mod.ts";

/** The folders that commands may start in. */
export class WorkingFolders {
  /** The working folder of commands that name none. */
  readonly usual: string;
  /**
   * Folders that contain all working folders, without links; `undefined` if all folders may be
   * used.
   */
  readonly allowed: readonly string[] | undefined;
  readonly #files: Pick<HostFs, "realpath" | "stat">;

  private constructor(
    files: Pick<HostFs, "realpath" | "stat">,
    usual: string,
    allowed: readonly string[] | undefined,
  ) {
    this.#files = files;
    this.usual = usual;
    this.allowed = allowed;
  }

  /**
   * Finds the allowed folders, of which the first is the usual one. If `allow` is empty, all
   * folders are allowed, and `current` is the usual one.
   *
   * @throws {UsageError} A path is missing or not a folder.
   */
  static async open(
    files: Pick<HostFs, "realpath" | "stat">,
    current: string,
    allow: readonly string[],
  ): Promise<WorkingFolders> {
    const all = new WorkingFolders(files, current, undefined);
    const allowed = await Promise.all(allow.map((path) => all.find(path))).catch((error) => {
      throw new UsageError(messageOf(error));
    });
    const [first] = allowed;
    return first === undefined ? all : new WorkingFolders(files, first, allowed);
  }

  /**
   * The absolute path of a folder, without links. The given path may be relative to the usual
   * folder.
   *
   * @throws {RangeError} The path is missing, not a folder or not allowed.
   */
  async find(path: string): Promise<string> {
    const absolute = absolutePath(path, this.usual);
    let real: string;
    try {
      real = await this.#files.realpath(absolute);
      if ((await this.#files.stat(real)).kind !== "folder") throw new Error("it is not a folder");
    } catch (error) {
      throw new RangeError(`Cannot work in ${path}: ${whyNot(error)}`);
    }
    if (this.allowed === undefined || this.allowed.some((folder) => isWithin(real, folder))) {
      return real;
    }
    throw new RangeError(
      `Cannot work in ${path}: it is not in ${this.allowed.join(" or ")}; ` +
        "start the server with --allow-dir for it",
    );
  }
}

function whyNot(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such folder";
  if (code === "EACCES") return "permission denied";
  return messageOf(error);
}
