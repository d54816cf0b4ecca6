/** The end of an output that replaces a file: `close` or `abort`, whichever is called first. */
export class OutputEnd {
  #ended: Promise<void> | undefined;

  /** True once it was closed or aborted. */
  get begun(): boolean {
    return this.#ended !== undefined;
  }

  /** Puts the new contents in place with `replace`; a later call settles as the first end does. */
  close(replace: () => Promise<void>): Promise<void> {
    return this.#ended ??= replace();
  }

  /**
   * Discards the new contents with `giveUp` if this is the first end; otherwise waits for that end.
   */
  async abort(giveUp: () => Promise<void>): Promise<void> {
    // The caller of `close` got its error; a failed `close` has kept the partial output.
    if (this.#ended !== undefined) await this.#ended.catch(() => {});
    else await (this.#ended = giveUp());
  }
}
