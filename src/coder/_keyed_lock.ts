/** Lets only one action a key run at a time, in the order they came. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the action when those before it with the same key are done. */
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
