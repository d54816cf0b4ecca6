/** Runs one action at a time for each key, in the order of the calls. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the action after all earlier ones with the same key. */
  async run<Result>(key: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(action);
    const settled = turn.catch(() => {});
    this.#last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
