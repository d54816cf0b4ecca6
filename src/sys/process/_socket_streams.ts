import type { Socket } from "node:net";

/** A byte connection in both directions, such as a connected socket. */
export interface Duplex {
  /**
   * Bytes from the other end. After cancelling, later bytes are dropped, so that the other end can
   * still write.
   */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Bytes to the other end. Closing it is an end of file there and leaves the other direction open;
   * aborting it ends both.
   */
  readonly writable: WritableStream<Uint8Array>;
}

/** The two directions of a socket, which is closed when both have ended. */
export function duplexOf(socket: Socket, name: string): Duplex {
  // Otherwise an end of file from the other end would close this direction, too.
  socket.allowHalfOpen = true;
  let open = 2;
  const done = () => {
    if (--open === 0) socket.destroy();
  };
  return { readable: readableOf(socket, done), writable: writableOf(socket, name, done) };
}

/**
 * Bytes from a socket. At most the socket's own 64 KiB are read ahead, so a reader that stops also
 * stops the writer at the other end. `done` is called when reading has ended.
 */
export function readableOf(
  socket: Socket,
  done: () => void = () => socket.destroy(),
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let wake = () => {};
  // While `readable` has a listener, `resume()` does not discard data; the runtime calls it when
  // the process has ended.
  for (const event of ["readable", "end", "close", "error"]) socket.on(event, () => wake());
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      for (;;) {
        // Without a size, it would return one write of the other end at a time, however short.
        const { readableLength } = socket;
        const chunk: unknown = readableLength > 0 ? socket.read(readableLength) : socket.read();
        if (chunk instanceof Uint8Array) return controller.enqueue(plainBytes(chunk));
        if (socket.readableEnded) {
          done();
          return controller.close();
        }
        if (socket.errored !== null) throw socket.errored;
        if (socket.destroyed) throw new Error("The process was released before this was read");
        await new Promise<void>((resolve) => wake = resolve);
      }
    },
    cancel() {
      socket.removeAllListeners("readable");
      socket.resume();
      done();
    },
  }, { highWaterMark: 0 });
}

/**
 * Bytes to a socket. A write resolves when the system has taken the bytes, and rejects with
 * `Deno.errors.BrokenPipe` when the reader has gone. Closing never rejects. `done` is called when
 * it is closed.
 */
export function writableOf(
  socket: Socket,
  name: string,
  done: () => void = () => socket.destroy(),
): WritableStream<Uint8Array> {
  let fail = (_error: Error) => {};
  const broken = (cause?: Error) =>
    new Deno.errors.BrokenPipe(`Cannot write to ${name}: nobody reads it any more`, { cause });
  return new WritableStream<Uint8Array>({
    start(controller) {
      fail = (error) => controller.error(error);
      // The stream calls `abort()` after the pending write has ended, which may be never.
      controller.signal.addEventListener("abort", () => void socket.destroy());
      socket.on("error", (error: Error) => fail(broken(error)));
      socket.on("close", () => fail(broken()));
    },
    write(chunk, controller) {
      return new Promise<void>((resolve, reject) => {
        fail = (error) => {
          controller.error(error);
          reject(error);
        };
        socket.write(chunk, (error) => error ? fail(broken(error)) : resolve());
      });
    },
    async close() {
      if (!socket.destroyed) {
        await new Promise<void>((resolve) => {
          socket.once("close", () => resolve());
          socket.end(() => resolve());
        });
      }
      done();
    },
    abort: () => void socket.destroy(),
  });
}

/** The same bytes as a plain array instead of one of Node's buffers. */
function plainBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, byteOffset, length)
    : Uint8Array.from(bytes);
}
