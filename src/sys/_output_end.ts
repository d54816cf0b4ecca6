/** The end of an output that replaces a file: `close` or `abort`, whichever is called first. */
export class OutputEnd {
  #ended: Promise<void> | undefined;

  /** True once it was closed or aborted. */
  get begun(): boolean {
    return this.#ended !== undefined;
  }

  /** Puts the new contents in place by `replace`; settles as the first end does. */
  close(replace: () => Promise<void>): Promise<void> {
    return this.#ended ??= replace();
  }

  /** Gives the new contents up by `giveUp`, if this is the first end; else waits for that. */
  async abort(giveUp: () => Promise<void>): Promise<void> {
    // Whoever called `close` got its error; where it failed, it kept the partial output.
    if (this.#ended !== undefined) await this.#ended.catch(() => {});
    else await (this.#ended = giveUp());
  }
}
