/** An open file that is a handle of the server at the other end of a connection. */
export interface RemoteHandle {
  /** The client of that connection. */
  readonly client: object;
  /** The server's number of the handle. */
  readonly handle: number;
  /** Moves the server's handle to an offset. */
  align(offset: number): Promise<void>;
  /** Returns the position after the server has used the handle; `offset` if it cannot tell. */
  settle(offset: number): Promise<number>;
  /** Closes the handle. New contents that were to replace a file are discarded. */
  discard(): Promise<void>;
}

const remotes = new WeakMap<object, RemoteHandle>();

/** Records the server's handle behind an open file. */
export function noteRemote(file: object, remote: RemoteHandle): void {
  remotes.set(file, remote);
}

/** Returns the server's handle behind an open file, if there is one. */
export function remoteOf(file: object): RemoteHandle | undefined {
  return remotes.get(file);
}
