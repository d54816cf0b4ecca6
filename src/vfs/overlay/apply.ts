import { eachAtOnce } from "../../base/mod.ts";
import { type Before, isSame, type Leaf, type Node } from "./tree.ts";
import { split } from "../_paths.ts";
import type { Vfs, VfsInfo, VfsOutput } from "../types.ts";
import { infoAt, layerSide, sameBytes } from "./contents.ts";
import { AT_ONCE } from "./layer_quota.ts";
import { type Difference, differencesOf } from "./differences.ts";
import type { LayerState } from "./layer_state.ts";
import { dependentsOf } from "./_dependents.ts";
import type { OverlayApplied, OverlayRefusal } from "./types.ts";

/** Most new files that wait for their places at once: each uses a descriptor. */
const BATCH = 128;

/** A difference, with the present state of the lower files. */
interface Step extends Difference {
  readonly now: VfsInfo | undefined;
}

/** A new file that is complete but not in its place yet. */
interface Staged {
  readonly step: Step;
  readonly output: VfsOutput;
}

/** Applies a layer to the lower files. */
export class Applying {
  readonly #state: LayerState;
  readonly #lower: Vfs;
  readonly #signal: AbortSignal;
  readonly #refused: Map<string, string> = new Map();
  readonly #applied: string[] = [];
  /** Lower folders, with the result of checking that their path has no links. */
  readonly #folders: Map<string, Promise<boolean>> = new Map();
  /** Paths of new folders at which the lower files have something else. */
  readonly #replaced: Set<string> = new Set();
  /** Former paths of links that were moved. */
  readonly #moved: Set<string> = new Set();
  /** Paths of links that a killed apply moved without recording it. */
  readonly #placed: Set<string> = new Set();
  #steps: Step[] = [];

  constructor(state: LayerState, lower: Vfs, signal: AbortSignal) {
    this.#state = state;
    this.#lower = lower;
    this.#signal = signal;
  }

  /** Returns the changes that would be refused. */
  async conflicts(): Promise<OverlayRefusal[]> {
    await this.#check();
    this.#spread();
    return this.#refusals();
  }

  /** Applies the layer. */
  async run(): Promise<OverlayApplied> {
    await this.#done(await this.#check());
    this.#spread();
    await this.#copyOverwritten();
    await this.#makeFolders(({ path, now }) => now === undefined && !this.#isLate(path));
    await this.#writeFiles();
    await this.#moveLinks();
    this.#spread();
    await this.#removeAll();
    await this.#makeFolders(() => true);
    await this.#writeLate();
    return { applied: this.#applied.sort(), refused: this.#refusals() };
  }

  #refusals(): OverlayRefusal[] {
    return [...this.#refused].map(([path, why]) => ({ path, why }))
      .sort((a, b) => a.path < b.path ? -1 : 1);
  }

  /**
   * Compares the lower files with their recorded state. Returns the steps that are done already.
   */
  async #check(): Promise<Step[]> {
    const steps: { readonly step: Step; readonly isDone: boolean }[] = [];
    const look = async (difference: Difference, index: number) => {
      steps[index] = await this.#look(difference);
    };
    const waiting: (readonly [Difference, number])[] = [];
    const flush = () => eachAtOnce(waiting.splice(0), AT_ONCE, ([item, at]) => look(item, at));
    const differences = differencesOf(this.#state.tree);
    await eachAtOnce(differences, AT_ONCE, (difference) => this.#findPlaced(difference));
    for (const [index, difference] of differences.entries()) {
      if (difference.after?.kind !== "folder") waiting.push([difference, index]);
      else {
        // The entries of a folder depend on what is at its path now.
        await flush();
        await look(difference, index);
      }
    }
    await flush();
    this.#steps = steps.flatMap(({ step, isDone }) => isDone ? [] : [step]);
    return steps.flatMap(({ step, isDone }) => isDone ? [step] : []);
  }

  /** Examines one difference, and records the reason if it is refused. */
  async #look(difference: Difference): Promise<{ step: Step; isDone: boolean }> {
    this.#signal.throwIfAborted();
    const { path, after } = difference;
    try {
      const step = { ...difference, now: await this.#infoOf(path) };
      if (await this.#isDone(step)) return { step, isDone: true };
      if (after?.kind === "folder" && step.now !== undefined) this.#replaced.add(path);
      const why = await this.#conflict(step);
      if (why !== undefined) this.#refused.set(path, why);
      return { step, isDone: false };
    } catch (error) {
      this.#refuse(path, error);
      return { step: { ...difference, now: undefined }, isDone: false };
    }
  }

  /** Detects a link that was moved already: renaming does not change its properties. */
  async #findPlaced({ path, after }: Difference): Promise<void> {
    const from = after?.kind === "link" ? after.from : undefined;
    const before = from === undefined ? undefined : this.#state.tree.before.get(from);
    if (from === undefined || before?.kind !== "link") return;
    try {
      if (await infoAt(this.#lower, from) !== undefined) return;
      if (isSame(before, await infoAt(this.#lower, path))) this.#placed.add(path);
    } catch {
      // The error is reported when the step itself is examined.
    }
  }

  /**
   * Reads the lower file's state at a path; `undefined` below a path that must become a folder
   * first.
   */
  async #infoOf(path: string): Promise<VfsInfo | undefined> {
    return this.#isLate(path) ? undefined : await infoAt(this.#lower, path);
  }

  /** Returns the reason why a step would lose something of the lower files, if it would. */
  async #conflict({ path, before, after, now }: Step): Promise<string | undefined> {
    if (!isSame(before, now) && !(now === undefined && givesPlace(before, after))) {
      if (now === undefined) return "it has been removed meanwhile";
      return before === undefined ? "it has been made meanwhile" : "it has changed meanwhile";
    }
    if (!this.#isLate(path) && !await this.#isInPlace(split(path).folder)) {
      return "its folder is a link now";
    }
    if (after === undefined || after.kind === "folder" || after.content !== undefined) {
      return undefined;
    }
    if (after.kind === "other") return "it is not a regular file: move it yourself";
    const { from } = after;
    if (from === undefined) return "its bytes are lost";
    const same = isSame(this.#state.tree.before.get(from), await infoAt(this.#lower, from));
    return same ? undefined : `it was moved from ${from}, which has changed meanwhile`;
  }

  /** True if the lower files already match the layer. */
  async #isDone({ path, after, now }: Step): Promise<boolean> {
    if (after === undefined || now === undefined) return after === now;
    if (after.kind !== now.kind) return false;
    if (after.kind === "folder") return true;
    if (after.kind !== "file") return this.#placed.has(path);
    if (after.mode !== undefined && now.mode !== undefined) {
      if (after.mode !== (now.mode & 0o777)) return false;
    }
    if (await this.#sizeOf(after) !== now.size) return false;
    const side = await layerSide(this.#state.layer, this.#lower, after);
    return side !== undefined &&
      await sameBytes(await side.open(), await this.#lower.read(path));
  }

  /** Size of a file's new contents; `undefined` if these are gone. */
  async #sizeOf({ content, from }: Leaf): Promise<number | undefined> {
    if (content !== undefined) return await this.#state.sizeOf(content);
    return from === undefined ? undefined : (await infoAt(this.#lower, from))?.size;
  }

  /** True if a folder's path still has no links. */
  #isInPlace(folder: string): Promise<boolean> {
    let found = this.#folders.get(folder);
    if (found === undefined) {
      found = this.#lower.realpath(folder).then((real) => real === folder, async () => {
        // The boundary may hide the folder, or it may not exist yet.
        const info = await infoAt(this.#lower, folder).catch(() => undefined);
        return info?.kind !== "link";
      });
      this.#folders.set(folder, found);
    }
    return found;
  }

  /** Refuses steps that depend on refused ones. */
  #spread(): void {
    for (const [path, why] of dependentsOf(this.#steps, this.#refused)) {
      this.#refused.set(path, why);
    }
  }

  /** Copies moved bytes into the layer before another file overwrites their old place. */
  async #copyOverwritten(): Promise<void> {
    const written = new Set(this.#open().filter(({ after }) => after).map(({ path }) => path));
    for (const { path, after, now } of this.#open()) {
      if (after?.kind !== "file" || after.from === undefined) continue;
      const late = now !== undefined && now.kind !== "file" || this.#isLate(path);
      if (!late && !written.has(after.from)) continue;
      await this.#attempt(path, () => this.#state.copyUpClosed(after));
    }
  }

  /** True if something above a path must be removed first, such as a link to another folder. */
  #isLate(path: string): boolean {
    const { folder } = split(path);
    return folder !== "/" && (this.#replaced.has(folder) || this.#isLate(folder));
  }

  async #makeFolders(which: (step: Step) => boolean): Promise<void> {
    const done: Step[] = [];
    for (const step of this.#open()) {
      const { path, after } = step;
      if (after?.kind !== "folder" || !which(step) || !await this.#hasFolder(path)) continue;
      await this.#attempt(path, async () => {
        // The owner must be able to create files in the folder.
        const mode = (after.mode ?? 0o755) | 0o700;
        await this.#lower.mkdir(path, mode === 0o755 ? {} : { mode });
        done.push(step);
      });
    }
    await this.#done(done);
  }

  async #writeFiles(): Promise<void> {
    const ready: Step[] = [];
    const folders = new Map<string, boolean>();
    for (const step of this.#open()) {
      const { path, after, now } = step;
      if (after?.kind !== "file" || now !== undefined && now.kind !== "file") continue;
      if (this.#isLate(path)) continue;
      const { folder } = split(path);
      const found = folders.get(folder) ?? await this.#hasFolder(path);
      folders.set(folder, found);
      if (found) ready.push(step);
    }
    for (let at = 0; at < ready.length; at += BATCH) {
      await this.#writeBatch(ready.slice(at, at + BATCH));
    }
  }

  async #writeBatch(steps: readonly Step[]): Promise<void> {
    const staged: Staged[] = [];
    const done: Step[] = [];
    try {
      await eachAtOnce(steps, AT_ONCE, (step) =>
        this.#attempt(step.path, async () => {
          staged.push({ step, output: await this.#stage(step) });
        }));
      await eachAtOnce(staged, AT_ONCE, ({ step, output }) =>
        this.#attempt(step.path, async () => {
          if (!isSame(step.now, await infoAt(this.#lower, step.path))) {
            throw new Error("it has changed meanwhile");
          }
          await output.close();
          done.push(step);
        }));
    } finally {
      for (const { output } of staged) await output.abort();
      await this.#done(done);
    }
  }

  /** Writes new contents to a temporary file beside their place. */
  async #stage({ path, after, now }: Step): Promise<VfsOutput> {
    const side = after?.kind === "file"
      ? await layerSide(this.#state.layer, this.#lower, after)
      : undefined;
    if (side === undefined) throw new Error("its bytes are gone");
    // Sets the mode only if it differs: not every Vfs supports that.
    const { mode } = side;
    const usual = now === undefined ? 0o644 : now.mode === undefined ? mode : now.mode & 0o777;
    const output = await this.#lower.write(path, {
      exclusive: now === undefined,
      ...(mode === undefined || (mode & 0o777) === usual ? {} : { mode: mode & 0o777 }),
    });
    try {
      for await (const chunk of await side.open()) {
        this.#signal.throwIfAborted();
        await output.write(chunk);
      }
      return output;
    } catch (error) {
      await output.abort(error);
      throw error;
    }
  }

  /** Moves links. A link whose new place is another link's old place waits for that link. */
  async #moveLinks(): Promise<void> {
    let waiting = this.#open().filter(({ after }) => after?.kind === "link");
    for (let before = Infinity; waiting.length > 0 && waiting.length < before;) {
      before = waiting.length;
      const sources = new Set(waiting.map(linkOf));
      const later: Step[] = [];
      for (const step of waiting) {
        const { path, now } = step;
        const free = !this.#isLate(path) &&
          (now === undefined || now.kind === "file" || now.kind === "link");
        if (sources.has(path) || !free || !await this.#hasFolder(path)) later.push(step);
        else await this.#attempt(path, () => this.#moveLink(step));
      }
      waiting = later;
    }
    for (const step of waiting) {
      this.#refused.set(step.path, `move the link ${linkOf(step)} there yourself`);
    }
  }

  async #moveLink(step: Step): Promise<void> {
    const { path, now } = step;
    const from = linkOf(step);
    if (from === undefined) throw new Error("it is gone");
    const expected = this.#moved.has(path) ? undefined : now;
    if (!isSame(expected, await infoAt(this.#lower, path))) {
      throw new Error("it has changed meanwhile");
    }
    await this.#lower.rename(from, path);
    this.#moved.add(from);
    await this.#done([step]);
  }

  /** Removes what is gone or must make room for something else: a folder after its contents. */
  async #removeAll(): Promise<void> {
    const gone = this.#open().filter(({ after, now }) =>
      now !== undefined && after?.kind !== now.kind
    ).reverse();
    const isFolder = ({ now }: Step) => now?.kind === "folder";
    const done: Step[] = [];
    const remove = (step: Step) => this.#attempt(step.path, () => this.#remove(step, done));
    await eachAtOnce(gone.filter((step) => !isFolder(step)), AT_ONCE, remove);
    for (const step of gone.filter(isFolder)) await remove(step);
    await this.#done(done);
  }

  async #remove(step: Step, done: Step[]): Promise<void> {
    const { path, after, now } = step;
    const info = await infoAt(this.#lower, path);
    if (info !== undefined) {
      if (!isSame(now, info)) throw new Error("it has changed meanwhile");
      await this.#lower.remove(path);
    }
    if (after === undefined) done.push(step);
  }

  /** Writes files to places that had to be cleared first. */
  async #writeLate(): Promise<void> {
    for (const step of this.#open()) {
      const { path, after } = step;
      if (after?.kind !== "file") continue;
      await this.#attempt(path, async () => {
        const output = await this.#stage({ ...step, now: undefined });
        await output.close();
        await this.#done([step]);
      });
    }
  }

  /** The remaining steps, sorted. */
  #open(): Step[] {
    return this.#steps.filter(({ path }) => !this.#refused.has(path));
  }

  /** True if the folder above a path exists. */
  async #hasFolder(path: string): Promise<boolean> {
    const { folder } = split(path);
    if (folder === "/") return true;
    try {
      return (await infoAt(this.#lower, folder))?.kind === "folder";
    } catch {
      // The boundary hides the folder: operations in it report the error.
      return true;
    }
  }

  /** Runs an action; if it fails, refuses this path only. */
  async #attempt(path: string, action: () => Promise<void>): Promise<void> {
    this.#signal.throwIfAborted();
    try {
      await action();
    } catch (error) {
      this.#signal.throwIfAborted();
      this.#refuse(path, error);
    }
  }

  #refuse(path: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#refused.set(path, message.replace(/^Cannot [^:]*: /, ""));
  }

  /** Records applied steps: the layer forgets them. */
  async #done(steps: readonly Step[]): Promise<void> {
    if (steps.length === 0) return;
    await this.#state.forget(steps.map(({ path }) => path));
    const paths = new Set(steps.map(({ path }) => path));
    this.#steps = this.#steps.filter(({ path }) => !paths.has(path));
    this.#applied.push(...paths);
  }
}

/**
 * True if the old entry must be removed before the new one can take its place. A killed apply may
 * have removed or moved it, so that its absence loses nothing.
 */
function givesPlace(before: Before | undefined, after: Node | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  return before.kind === "link" || before.kind !== after.kind;
}

/** The former path of a link that is to be moved. */
function linkOf({ after }: Step): string | undefined {
  return after?.kind === "link" ? after.from : undefined;
}
