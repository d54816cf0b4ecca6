import type { Chunk } from "../../streams/mod.ts";
import type { Vfs } from "../types.ts";
import type { HandleTable } from "./handles.ts";
import type { ProxyLlm } from "./llm.ts";
import type { Extension, Params } from "./protocol.ts";
import type { StdioHandles } from "./stdio.ts";

/** State of a client's connection, which the operations use. */
export interface ProxyConnection {
  readonly vfs: Vfs;
  readonly handles: HandleTable;
  readonly stdio: StdioHandles;
  /** Serves `QUOTA` and `LLMCMD`; `denied` if there is an LLM that this client may not use. */
  readonly llm: ProxyLlm | "denied" | undefined;
  /** Number of running tasks of `LLMCMD`. */
  tasks: number;
  /** Fires when the connection ends. */
  readonly over: AbortSignal;
  /** Extensions that `hello` can request. */
  readonly offered: ReadonlySet<Extension>;
  /** True if a `read` of more than a chunk returns a chunk instead of an error. */
  readonly clamp: boolean;
  /** Extensions that `hello` has requested. */
  granted: ReadonlySet<Extension>;
  chunk: number;
  /** Runs an action that waits for the other end of a pipe, without counting it as in flight. */
  aside<Result>(action: () => Promise<Result>): Promise<Result>;
  /** Lends an array of at least that many bytes; `giveBack` returns it. */
  lend(size: number): Chunk;
  giveBack(array: Chunk): void;
}

/** The answer to a request: fields, or bytes in a lent array. */
export type Answer =
  | { readonly fields?: Params | undefined; readonly bytes?: undefined }
  | { readonly bytes: Chunk; readonly length: number };
