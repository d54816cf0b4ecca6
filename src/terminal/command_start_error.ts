/** A command could not be started at all. The message says why and what to do. */
export class CommandStartError extends Error {
  /** The error's name. */
  override readonly name = "CommandStartError";
}
