import type { Chunk } from "../../streams/mod.ts";
import type { Vfs } from "../types.ts";
import type { HandleTable } from "./handles.ts";
import type { ProxyLlm } from "./llm.ts";
import type { Extension, Params } from "./protocol.ts";
import type { StdioHandles } from "./stdio.ts";

/** State of one client's connection, which operations act on. */
export interface ProxyConnection {
  readonly vfs: Vfs;
  readonly handles: HandleTable;
  readonly stdio: StdioHandles;
  /** What does `QUOTA` and `LLMCMD`; `denied` where there is one that this client may not use. */
  readonly llm: ProxyLlm | "denied" | undefined;
  /** Tasks of `LLMCMD` that run. */
  tasks: number;
  /** Fires when the connection ends. */
  readonly over: AbortSignal;
  /** What `hello` may ask for. */
  readonly offered: ReadonlySet<Extension>;
  /** Whether a `read` of more than the chunk gives a chunk, and not an error. */
  readonly clamp: boolean;
  /** What `hello` has asked for. */
  granted: ReadonlySet<Extension>;
  chunk: number;
  /** Does what waits for the other end of a pipe: it is none of the requests in flight. */
  aside<Result>(action: () => Promise<Result>): Promise<Result>;
  /** Lends an array of at least that many bytes, and takes it back. */
  lend(size: number): Chunk;
  giveBack(array: Chunk): void;
}

/** The answer to a request: fields, or bytes that were read into a lent array. */
export type Answer =
  | { readonly fields?: Params | undefined; readonly bytes?: undefined }
  | { readonly bytes: Chunk; readonly length: number };
