/** Facts about a failure besides its message. */
export interface LlmErrorOptions extends ErrorOptions {
  /** The HTTP status of the answer, when there was one. */
  status?: number | undefined;
  /** The endpoint's error code, such as `invalid_api_key`, or one of ours, such as `timeout`. */
  code?: string | undefined;
}

/**
 * The model's endpoint failed: an HTTP error, a broken or silent connection, or an answer that is
 * not what the API promises. The message never contains the API key.
 */
export class LlmError extends Error {
  /** `LlmError` */
  override readonly name = "LlmError";
  /** The HTTP status of the answer, when there was one. */
  readonly status?: number;
  /**
   * The endpoint's error code, or one of ours: `connection`, `redirect`, `timeout`, `protocol`
   * (the answer is not what the API promises).
   */
  readonly code?: string;

  /** Makes an error; `message` must not contain secrets. */
  constructor(message: string, options: LlmErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    if (options.status !== undefined) this.status = options.status;
    if (options.code !== undefined) this.code = options.code;
  }
}
