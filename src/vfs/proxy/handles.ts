import { BrokenPipeError, type ByteSource, type Chunk, type Pipe } from "../../streams/mod.ts";
import type { VfsEntry, VfsHandle, VfsMode, VfsOutput } from "../types.ts";
import { ProxyError } from "./errors.ts";
import { FIRST_HANDLE } from "./protocol.ts";

/** The end of a pipe for reading. */
export interface PipeToRead {
  readonly kind: "pipe to read";
  readonly source: ByteSource;
  /** The unread part of the lent chunk. */
  rest: Chunk;
  /** The next chunk, requested once `rest` was read: the write of `rest` waits for that. */
  ahead?: Promise<IteratorResult<Chunk, void>>;
}

/** The object behind a handle. */
export type Opened =
  | { readonly kind: "file"; readonly file: VfsHandle; offset: number }
  | { readonly kind: "replacement"; readonly output: VfsOutput }
  | { readonly kind: "listing"; readonly entries: AsyncIterator<VfsEntry> }
  | PipeToRead
  | { readonly kind: "pipe to write"; readonly sink: Pipe["sink"] };

/** An open handle of a client. */
export interface OpenFile {
  readonly handle: number;
  readonly path: string;
  readonly mode: VfsMode | "list";
  readonly openedAt: number;
  readonly opened: Opened;
  /** Bytes read and written through it. */
  read: number;
  written: number;
  /** False if the text protocol opened it for work below the top level; otherwise true. */
  topLevel: boolean;
}

interface Entry extends OpenFile {
  /** Settles when all earlier requests on the handle are done. */
  last: Promise<void> | undefined;
  closed: boolean;
  /** True for an end of a pipe that waits to be closed. */
  closing: boolean;
  /** Called when it is closed. */
  readonly watchers: Set<() => void>;
}

/** The open handles of one connection. A number is never reused. */
export class HandleTable {
  readonly #most: number;
  readonly #onClose: (file: OpenFile) => void;
  readonly #entries = new Map<number, Entry>();
  #next = FIRST_HANDLE;
  #opening = 0;

  /** Allows at most `most` open handles. `onClose` is called for each closed one. */
  constructor(most: number, onClose: (file: OpenFile) => void = () => {}) {
    this.#most = most;
    this.#onClose = onClose;
  }

  /** The open handles. */
  get open(): readonly OpenFile[] {
    return [...this.#entries.values()];
  }

  /** Opens something under a new number. */
  async add(
    path: string,
    mode: VfsMode | "list",
    open: () => Promise<Opened>,
  ): Promise<OpenFile> {
    if (this.#entries.size + this.#opening >= this.#most) {
      throw new ProxyError("E_RANGE", `${this.#most} handles are open: close some`);
    }
    this.#opening++;
    try {
      const opened = await open();
      const handle = this.#next++;
      const facts = { handle, path, mode, openedAt: Date.now(), opened, read: 0, written: 0 };
      const state = {
        last: undefined,
        closed: false,
        closing: false,
        watchers: new Set<() => void>(),
      };
      const entry: Entry = { ...facts, topLevel: true, ...state };
      this.#entries.set(handle, entry);
      return entry;
    } finally {
      this.#opening--;
    }
  }

  /** Returns the open handle of that number. */
  get(handle: number): OpenFile {
    return this.#entry(handle);
  }

  /** True if a request on the handle is pending. */
  isBusy(handle: number): boolean {
    return this.#entry(handle).last !== undefined;
  }

  /** Fails requests that wait for the other end of a pipe, when no client is left. */
  async failPipes(reason: unknown): Promise<void> {
    const opened = [...this.#entries.values()].map(({ opened }) => opened);
    for (const end of opened) if (end.kind === "pipe to write") await end.sink.abort(reason);
    // A write whose bytes were lent waits until the reader leaves.
    for (const end of opened) if (end.kind === "pipe to read") await end.source.return();
  }

  /** Calls `told` when a handle is closed, until the returned function is called. */
  watch(handle: number, told: () => void): () => void {
    if (handle < FIRST_HANDLE) return () => {};
    const { watchers } = this.#entry(handle);
    watchers.add(told);
    return () => watchers.delete(told);
  }

  /** Runs an action on a handle, after all earlier requests on it. */
  use<Result>(handle: number, action: (file: OpenFile) => Promise<Result>): Promise<Result> {
    const entry = this.#entry(handle);
    const checked = () => {
      if (entry.closed) throw closed(handle);
      return action(entry);
    };
    const result = entry.last === undefined ? checked() : entry.last.then(checked);
    const last = result.then(() => {}, () => {}).then(() => {
      if (entry.last === last) entry.last = undefined;
    });
    entry.last = last;
    return result;
  }

  /** Closes a handle, after all earlier requests on it. */
  close(handle: number): Promise<OpenFile> {
    return this.#end(handle, true);
  }

  /** Closes a handle like {@linkcode close}, but discards new contents of a file. */
  discard(handle: number): Promise<OpenFile> {
    return this.#end(handle, false);
  }

  #end(handle: number, complete: boolean): Promise<OpenFile> {
    const entry = this.#entry(handle);
    const isPipe = isEndOfPipe(entry);
    if (isPipe && entry.closing) throw closed(handle);
    entry.closing = true;
    const end = async () => {
      entry.closed = true;
      this.#entries.delete(handle);
      this.#onClose(entry);
      try {
        await release(entry.opened, complete);
      } finally {
        // A watcher may close the output as well: its complete part stays.
        for (const told of entry.watchers) told();
      }
      return entry;
    };
    // Requests that wait for the other end could wait for ever; only earlier writes must still
    // finish.
    const atOnce = isPipe && (entry.mode === "r" || !complete);
    return atOnce ? end() : this.use(handle, end);
  }

  /** Closes all handles, and discards new contents of files. Returns the handles that were open. */
  async closeAll(): Promise<readonly OpenFile[]> {
    const left = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of left) {
      await entry.last;
      entry.closed = true;
      this.#onClose(entry);
      await release(entry.opened, false).catch(() => {});
    }
    return left;
  }

  #entry(handle: number): Entry {
    const entry = this.#entries.get(handle);
    if (entry !== undefined) return entry;
    if (handle < FIRST_HANDLE) {
      throw new ProxyError("E_PERM", `handle ${handle} is not served here`);
    }
    if (handle < this.#next) throw closed(handle);
    throw new ProxyError("E_NOENT", `there is no handle ${handle}`);
  }
}

/** True if a handle is one end of a pipe, whose requests wait for the other end. */
export function isEndOfPipe({ opened }: OpenFile): boolean {
  return opened.kind === "pipe to read" || opened.kind === "pipe to write";
}

function closed(handle: number): ProxyError {
  return new ProxyError("E_CLOSED", `handle ${handle} is closed`);
}

async function release(opened: Opened, complete: boolean): Promise<void> {
  switch (opened.kind) {
    case "file":
      return await opened.file.close();
    case "listing":
      return void await opened.entries.return?.();
    case "replacement":
      return await (complete ? opened.output.close() : opened.output.abort());
    case "pipe to read":
      return void await opened.source.return();
    case "pipe to write":
      return await (complete ? opened.sink.close() : opened.sink.abort(new Error("cut off")));
  }
}

/** Reads at the handle's position, and advances it. */
export async function readOn(file: OpenFile, into: Chunk): Promise<number> {
  const { opened } = file;
  const count = opened.kind === "pipe to read"
    ? await readPipe(opened, into)
    : await readFile(file, into);
  file.read += count;
  return count;
}

async function readFile({ opened, handle }: OpenFile, into: Chunk): Promise<number> {
  if (opened.kind !== "file" || opened.file.mode === "w" || opened.file.mode === "a") {
    throw new ProxyError("E_PERM", `handle ${handle} was not opened for reading`);
  }
  const count = await opened.file.read(opened.offset, into);
  opened.offset += count;
  return count;
}

async function readPipe(opened: PipeToRead, into: Chunk): Promise<number> {
  while (opened.rest.length === 0) {
    opened.ahead ??= opened.source.next();
    const { done, value } = await opened.ahead;
    if (done === true) return 0;
    delete opened.ahead;
    opened.rest = value;
  }
  const part = opened.rest.subarray(0, into.length);
  into.set(part);
  opened.rest = opened.rest.subarray(part.length);
  if (opened.rest.length === 0) {
    opened.ahead = opened.source.next();
    // The next read reports the error.
    opened.ahead.catch(() => {});
  }
  return part.length;
}

/** Writes at the handle's position, and advances it. */
export async function writeOn(file: OpenFile, chunk: Chunk): Promise<void> {
  const { opened } = file;
  if (opened.kind === "listing" || file.mode === "r") {
    throw new ProxyError("E_PERM", `handle ${file.handle} was not opened for writing`);
  }
  if (opened.kind === "replacement") await opened.output.write(chunk);
  else if (opened.kind === "pipe to write") await writePipe(opened.sink, chunk);
  else if (opened.kind === "file") {
    await opened.file.write(opened.file.mode === "a" ? "end" : opened.offset, chunk);
    opened.offset += chunk.length;
  }
  file.written += chunk.length;
}

async function writePipe(sink: Pipe["sink"], chunk: Chunk): Promise<void> {
  try {
    await sink.write(chunk);
  } catch (error) {
    if (!(error instanceof BrokenPipeError)) throw error;
    throw new ProxyError("E_CLOSED", "the pipe's reader has left", error.code);
  }
}
