/** An error in the configuration. The message names the file or variable and what to do. */
export class ConfigError extends Error {
  /** The error's name. */
  override readonly name = "ConfigError";
}
