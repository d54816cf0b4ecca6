import type { HostFs } from "../../ports/mod.ts";
import type { ByteSource, Chunk } from "../../streams/mod.ts";
import type { Vfs, VfsKind } from "../types.ts";

/** A path at which a layer differs from the lower files. */
export interface OverlayChange {
  /** The path, absolute. */
  readonly path: string;
  /** Kind of the change. */
  readonly kind: "added" | "changed" | "removed";
  /** Kind of the file now; for a removed file, its former kind. */
  readonly what: VfsKind;
}

/** A change that was not applied. */
export interface OverlayRefusal {
  /** The path, absolute. */
  readonly path: string;
  /** The reason, such as `it has changed meanwhile`. */
  readonly why: string;
}

/** The result of `apply()`. */
export interface OverlayApplied {
  /** Paths at which the lower files now match the layer. */
  readonly applied: readonly string[];
  /** Refused changes, which are still in the layer. */
  readonly refused: readonly OverlayRefusal[];
}

/** Two texts to compare. The function that compares them closes both. */
export interface OverlayTexts {
  /** The old text; empty if the file is new. */
  readonly before: ByteSource;
  /** The new text; empty if the file was removed. */
  readonly after: ByteSource;
  /** Names for the lines with `---` and `+++`, in this order. */
  readonly labels: readonly [string, string];
  /** Stops the comparison. */
  readonly signal: AbortSignal;
}

/** Makes a unified diff of two different texts, from the line with `---` on. */
export type OverlayCompare = (texts: OverlayTexts) => ByteSource;

/** Options of overlays. */
export interface OverlayOptions {
  /**
   * Most bytes of the layer's files and its log, which is rewritten when it is far longer than
   * necessary. Beyond, anything that makes the layer grow fails with `EDQUOT`; reading, truncating
   * and removing still work. No limit by default.
   */
  readonly quota?: number | undefined;
}

/** Options that stop an operation. */
export interface OverlaySignal {
  /** Rejects the operation with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Operations on a layer. */
export interface OverlayLayer {
  /** The layer's changes, sorted by path. Does not compare bytes: a file may be unchanged. */
  changes(): readonly OverlayChange[];
  /**
   * The changes against the present lower files, in the format of `git diff`, for `git apply` and
   * `patch -p1`. Unchanged files are left out. Paths are relative to the root. A binary file is
   * only reported as different; folders are left out. The stream obeys back-pressure, and fails
   * with a `VfsError` if a file cannot be read.
   */
  diff(compare: OverlayCompare, options?: OverlaySignal): ReadableStream<Chunk>;
  /** The changes that `apply()` would refuse now. */
  conflicts(options?: OverlaySignal): Promise<readonly OverlayRefusal[]>;
  /**
   * Applies the changes to the lower files. A change is refused if its file has changed there since
   * the layer first changed it (by kind, size and time), with all changes that depend on it. The
   * others are applied and leave the layer. A lower file that matches the layer already is not a
   * conflict.
   *
   * New contents are first written beside their places, 128 files at a time, and take them when all
   * of these are complete; files are removed last. After a failure, an abort or a crash, the rest
   * is still in the layer and can be applied again. Nothing may write to the overlay meanwhile.
   */
  apply(options?: OverlaySignal): Promise<OverlayApplied>;
  /** Discards all changes. Open files can still be read and written. */
  discard(): Promise<void>;
}

/** Files with a layer over them: reads fall through it, writes stay in it. */
export interface OverlayVfs extends Vfs, OverlayLayer, AsyncDisposable {}

/** The host's files with a layer over them. */
export interface OverlayHostFs extends HostFs, AsyncDisposable {
  /** The layer's changes, sorted by path. */
  changes(): readonly OverlayChange[];
}
