/** An open file that is a handle of the server at the other end of a connection. */
export interface RemoteHandle {
  /** The client that has the connection. */
  readonly client: object;
  /** The handle's number there. */
  readonly handle: number;
  /** Moves the handle there to an offset. */
  align(offset: number): Promise<void>;
  /** Where the handle stands after the server has used it; `offset` where it can't tell. */
  settle(offset: number): Promise<number>;
  /** Closes it; what was to replace a file does not. */
  discard(): Promise<void>;
}

const remotes = new WeakMap<object, RemoteHandle>();

/** Notes what is behind an open file. */
export function noteRemote(file: object, remote: RemoteHandle): void {
  remotes.set(file, remote);
}

/** What is behind an open file, if that is a handle of a server. */
export function remoteOf(file: object): RemoteHandle | undefined {
  return remotes.get(file);
}
