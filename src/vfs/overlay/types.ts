import type { HostFs } from "../../ports/mod.ts";
import type { ByteSource, Chunk } from "../../streams/mod.ts";
import type { Vfs, VfsKind } from "../types.ts";

/** A path at which a layer shows something else than the lower files had. */
export interface OverlayChange {
  /** The path, absolute. */
  readonly path: string;
  /** What was done there. */
  readonly kind: "added" | "changed" | "removed";
  /** What it is now; of something that was removed, what it was. */
  readonly what: VfsKind;
}

/** A change that was not applied. */
export interface OverlayRefusal {
  /** The path, absolute. */
  readonly path: string;
  /** Why, such as `it has changed meanwhile`. */
  readonly why: string;
}

/** What `apply()` has done. */
export interface OverlayApplied {
  /** The paths that are now in the lower files as the layer had them. */
  readonly applied: readonly string[];
  /** What was refused, and is still in the layer. */
  readonly refused: readonly OverlayRefusal[];
}

/** Two texts to compare. Who compares them closes both. */
export interface OverlayTexts {
  /** The old text; empty if the file is new. */
  readonly before: ByteSource;
  /** The new text; empty if the file was removed. */
  readonly after: ByteSource;
  /** What the lines with `---` and `+++` name, in this order. */
  readonly labels: readonly [string, string];
  /** Stops it. */
  readonly signal: AbortSignal;
}

/** Makes a unified diff of two texts that differ: from the line with `---` on. */
export type OverlayCompare = (texts: OverlayTexts) => ByteSource;

/** Options of overlays. */
export interface OverlayOptions {
  /**
   * Bytes that the layer may have: those of its files, and of its log, which is written anew where
   * it becomes far longer than what it says. Beyond, what would make it grow fails with `EDQUOT`;
   * what is there can be read, cut and removed. No limit if absent.
   */
  readonly quota?: number | undefined;
}

/** Stops an operation. */
export interface OverlaySignal {
  /** Rejects with its reason when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** What is in a layer, and what can be done with it. */
export interface OverlayLayer {
  /** What the layer has changed, sorted by path. Compares no bytes: a file may be as it was. */
  changes(): readonly OverlayChange[];
  /**
   * The changes from the lower files as they are now, as `git diff` shows them, which `git apply`
   * and `patch -p1` take; nothing for what is the same. Paths start from the root. Of binary files
   * it says only that they differ, and nothing of folders. Reads as fast as it is read; fails with
   * a `VfsError` if a file can't be read.
   */
  diff(compare: OverlayCompare, options?: OverlaySignal): ReadableStream<Chunk>;
  /** What `apply()` would refuse now. */
  conflicts(options?: OverlaySignal): Promise<readonly OverlayRefusal[]>;
  /**
   * Puts the changes into the lower files. What has changed there since the layer first changed it
   * (by kind, size and time) is refused, with all that needs it; the rest is applied and is no
   * longer in the layer. What is there already as the layer has it is no conflict.
   *
   * New contents are written beside their places first, 128 files at a time, and take them when
   * all are complete; files are removed last. After a failure, an abort or a crash the rest is
   * still in the layer, and can be applied again. Nobody may write to the overlay meanwhile.
   */
  apply(options?: OverlaySignal): Promise<OverlayApplied>;
  /** Forgets all changes. Files that are open can still be read and written. */
  discard(): Promise<void>;
}

/** Files with a layer over them: reads fall through it, writes stay in it. */
export interface OverlayVfs extends Vfs, OverlayLayer, AsyncDisposable {}

/** The host's files with a layer over them. */
export interface OverlayHostFs extends HostFs, AsyncDisposable {
  /** What the layer has changed, sorted by path. */
  changes(): readonly OverlayChange[];
}
