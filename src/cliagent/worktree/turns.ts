/** Lets those that name the same thing work one after another, in the order in which they came. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when all that named the same before have ended, however that was. */
  async take<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.then(() => {}, () => {});
    this.#last.set(name, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    }
  }
}
