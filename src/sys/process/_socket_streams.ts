import type { Socket } from "node:net";

/** Bytes in both directions, such as a connected pair of sockets. */
export interface Duplex {
  /**
   * What the other end writes. Cancelling it drops what still comes, and lets the other end write.
   */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * What the other end reads. Closing it is an end of file there, and the other direction goes on;
   * aborting it ends both.
   */
  readonly writable: WritableStream<Uint8Array>;
}

/** A socket's two directions. It is closed when both are over. */
export function duplexOf(socket: Socket, name: string): Duplex {
  // Else it would end its own direction at the other one's end.
  socket.allowHalfOpen = true;
  let open = 2;
  const done = () => {
    if (--open === 0) socket.destroy();
  };
  return { readable: readableOf(socket, done), writable: writableOf(socket, name, done) };
}

/**
 * What comes from a socket. No more is read ahead than the 64 KiB that the socket holds itself, so
 * that a reader which stops also stops the writer at the other end. `done` is called when nothing
 * more is read.
 */
export function readableOf(
  socket: Socket,
  done: () => void = () => socket.destroy(),
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let wake = () => {};
  // As long as there is a listener to `readable`, `resume()` does not let data flow away: the
  // runtime calls it when the process has ended.
  for (const event of ["readable", "end", "close", "error"]) socket.on(event, () => wake());
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      for (;;) {
        // Without a size, it would give one write of the other end at a time, however short.
        const { readableLength } = socket;
        const chunk: unknown = readableLength > 0 ? socket.read(readableLength) : socket.read();
        if (chunk instanceof Uint8Array) return controller.enqueue(plainBytes(chunk));
        if (socket.readableEnded) {
          done();
          return controller.close();
        }
        if (socket.errored !== null) throw socket.errored;
        if (socket.destroyed) throw new Error("The process was given up before this was read");
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
 * What goes to a socket. A write resolves when the system has taken the bytes, and rejects with
 * `Deno.errors.BrokenPipe` when nobody can read them any more. Closing never rejects. `done` is
 * called when it is closed.
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
      // The stream calls `abort()` when the write that is going on has ended, which may be never.
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

/** The same bytes, as an array that is not one of Node's buffers. */
function plainBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, byteOffset, length)
    : Uint8Array.from(bytes);
}
