import { type ByteSource, type RandomAccess, readFully } from "../../streams/mod.ts";
import type { Feed, Pipeline } from "../pipeline/mod.ts";

/** Bytes read at one position of an input. */
export interface InputSlice {
  /** The offset of `bytes`. */
  offset: number;
  bytes: Uint8Array;
  /** True if the input is known to end right after `bytes`. */
  ended: boolean;
}

/** A descriptor that can be read and piped from. */
export interface Input {
  /** Reads up to `count` bytes from `offset`. */
  peek(offset: number, count: number, signal: AbortSignal): Promise<InputSlice>;
  /** Sets the offset at which a read ended. */
  moveTo(position: number): void;
  /** Throws when {@linkcode Input.pipeTo} would. */
  checkPipe(): void;
  /**
   * Gives all bytes from the beginning to a pipe. `where` names the pipe in later errors. Throws
   * when the beginning is no longer available.
   */
  pipeTo(where: string): ByteSource;
  /**
   * The descriptor that the model must close before a pipe can read this input to its end;
   * `undefined` if the input does not wait for the model. Reads ahead, within the replay window, to
   * find out.
   */
  waitsFor(signal: AbortSignal): Promise<number | undefined>;
  /** The offset at which the last read ended. */
  readonly position: number;
  /** The pipe fed by the model that this input starts from, if any. */
  readonly feed: Feed | undefined;
  /** The pipe that has taken it over. */
  readonly went: string | undefined;
  /** The commands that produce this input, if it comes out of a pipe. */
  readonly pipeline: Pipeline | undefined;
  /** True once some of it was read or piped. */
  readonly touched: boolean;
  /** True if it can be piped only once. */
  readonly once: boolean;
}

/** Reads up to `count` bytes from `offset`; fewer come only at the end. */
export async function readSlice(
  from: Pick<RandomAccess, "read">,
  offset: number,
  count: number,
): Promise<InputSlice> {
  const bytes = new Uint8Array(count);
  const length = await readFully(from, offset, bytes);
  return { offset, bytes: bytes.subarray(0, length), ended: length < count };
}
