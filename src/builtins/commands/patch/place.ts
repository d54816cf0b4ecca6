import type { Direction } from "./direction.ts";
import type { PatchFiles } from "./files.ts";
import { isSafeName, type Target } from "./find.ts";
import type { FilePatch } from "./heading.ts";
import type { PatchSettings } from "./options.ts";
import { PatchError, type Talk } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

/** The file that one patch reads, and the one that it writes. */
export class PatchPlace {
  /** The file that is read, once it was looked at. */
  target: Target | undefined;
  /** The name of the one that is written; `undefined` if the patch was skipped before. */
  name: string | undefined;
  /** Whether rejects are not even counted. */
  dropsRejects = false;
  readonly #patch: FilePatch;
  readonly #direction: Direction;
  readonly #settings: PatchSettings;
  readonly #files: PatchFiles;
  readonly #talk: Talk;

  /** Knows no file yet. */
  constructor(
    patch: FilePatch,
    direction: Direction,
    settings: PatchSettings,
    files: PatchFiles,
    talk: Talk,
  ) {
    this.#patch = patch;
    this.#direction = direction;
    this.#settings = settings;
    this.#files = files;
    this.#talk = talk;
  }

  /** Closes the file that is read. */
  async close(): Promise<void> {
    if (typeof this.target?.input === "object") await this.target.input.close();
  }

  /**
   * Finds out what is written, makes its folder, and skips a patch that cannot be applied.
   * `wasGit` tells whether the patch before was one of git's.
   *
   * @throws {PatchError} If the patch needs what the file ports cannot do.
   */
  async prepare(found: Target | undefined, wasGit: boolean): Promise<void> {
    this.target = found;
    const { git, style } = this.#patch;
    const direction = this.#direction;
    const { reverse } = direction;
    const talk = this.#talk;
    if (wasGit && git === undefined) {
      await this.#files.flush();
      if (!direction.skip) await this.#reopen();
    }
    if (found === undefined || direction.skip) return;
    const type = git?.otherType(reverse);
    if (type !== undefined) {
      const types = `from 0${type.from} to 0${type.to}`;
      talk.say(`File ${quoteName(found.name)}: can't change file type ${types}.\n`);
      direction.skip = true;
      return;
    }
    git?.check(reverse, this.#files.setsModes);
    this.name = this.#outputName(found);
    if (git !== undefined) await this.#findQueued(found.name, this.name);
    const { output, flags, file } = this.#settings;
    if (this.target?.input === "folder") {
      talk.say(`File ${quoteName(found.name)} is not a regular file -- refusing to patch\n`);
      direction.skip = true;
    }
    if (output === undefined && !flags.has("dryRun")) {
      if (file === undefined && !isSafeName(this.name)) {
        talk.say(`Invalid file name ${quoteName(this.name)} -- skipping patch\n`);
        direction.skip = true;
        this.dropsRejects = true;
      } else {
        // GNU's puts a temporary file beside it, in a folder where the name ends with a slash.
        await this.#files.folders.make(`${this.name}.o`);
      }
    }
    if (!direction.skip && style === "binary") {
      talk.say(`File ${quoteName(this.name)}: git binary diffs are not supported.\n`);
      direction.skip = true;
    }
  }

  #outputName(found: Target): string {
    const { output } = this.#settings;
    if (output !== undefined) return output;
    const { git, old, new: fresh } = this.#patch;
    if (git?.move === undefined) return found.name;
    const name = (this.#direction.reverse ? old : fresh).name?.name;
    if (name === undefined || (name === found.name && old.name === undefined)) {
      throw new PatchError(`Cannot ${git.move} file ${quoteName(found.name)} without its names`);
    }
    return name;
  }

  /** Writes what waits for the file before it is patched again, and looks at it anew. */
  async #findQueued(from: string, name: string): Promise<void> {
    const { history } = this.#files;
    const exists = async (): Promise<boolean> =>
      name === from ? this.target?.input !== "missing" : await this.#files.exists(name);
    if (!await exists()) return;
    if (history.isQueued(name)) {
      await this.#files.flush();
      await this.#reopen();
      if (!await exists()) return;
    }
    history.queue(name);
  }

  async #reopen(): Promise<void> {
    const { target } = this;
    if (target === undefined) return;
    await this.close();
    const { history } = this.#files;
    const { name } = target;
    const input = await this.#files.open(name, true);
    this.target = { name, input, id: input === "missing" ? history.newId() : history.idOf(name) };
  }

  /** Tells what is being patched. */
  announce(): void {
    const { target, name } = this;
    const talk = this.#talk;
    if (target === undefined || name === undefined || this.#direction.skip || talk.silent) return;
    const { git, old, new: fresh } = this.#patch;
    const isOther = name !== target.name;
    const stays = !isOther && git?.renames === true;
    const done = git?.move === "copy" ? "copied" : git?.move === "rename" ? "renamed" : "read";
    const source = !stays
      ? target.name
      : target.name === old.name?.name
      ? fresh.name?.name
      : old.name?.name;
    const from = isOther || stays
      ? ` (${stays ? "already " : ""}${done} from ${source ?? "(null)"})`
      : "";
    const doing = this.#settings.flags.has("dryRun") ? "checking" : "patching";
    talk.say(`${doing} file ${quoteName(name)}${from}\n`);
    if (talk.verbose) talk.say("Using Plan A...\n");
  }
}
