import type { SqlDatabase } from "../ports/mod.ts";

/** A change to make in a transaction. */
interface Work {
  /** Makes the change and keeps its result. */
  run(): void;
  /** Settles the promise of the caller. */
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Group commit: all changes until `gather` resolves, such as in a turn of the event loop, for any
 * number of sessions, are one transaction, because a transaction takes many times as long as a row.
 * A promise resolves when its transaction is committed, which makes the change durable.
 *
 * No lock is held between turns. Where a common transaction fails, each change is made again in a
 * transaction of its own, so that one failing change does not undo the others.
 */
export class GroupCommit {
  readonly #database: SqlDatabase;
  readonly #gather: () => Promise<void>;
  #works: Work[] = [];
  readonly #changing: Set<string> = new Set();

  constructor(database: SqlDatabase, gather: () => Promise<void>) {
    this.#database = database;
    this.#gather = gather;
  }

  /** Does `action`, which changes a session, when `gather` resolves. */
  write<Result>(session: string, action: () => Result): Promise<Result> {
    this.#changing.add(session);
    return this.#add(action);
  }

  /**
   * Does `action`, which only reads a session (or all of them): at once, or after the changes of
   * that session that are still waiting, so that only committed data is read.
   */
  read<Result>(session: string | undefined, action: () => Result): Promise<Result> {
    const waits = session === undefined ? this.#works.length > 0 : this.#changing.has(session);
    return waits ? this.#add(action) : new Promise((resolve) => resolve(action()));
  }

  /** Makes the changes that are waiting. */
  flush(): void {
    const works = this.#works;
    this.#works = [];
    this.#changing.clear();
    if (works.length === 0) return;
    try {
      this.#transact(works);
    } catch (error) {
      const [only, ...others] = works;
      if (others.length === 0) return only?.reject(error);
      for (const work of works) this.#alone(work);
      return;
    }
    for (const work of works) work.resolve();
  }

  #add<Result>(action: () => Result): Promise<Result> {
    if (this.#works.length === 0) this.#gather().then(() => this.flush());
    return new Promise((resolve, reject) => {
      let end = () => {};
      this.#works.push({
        run() {
          const result = action();
          end = () => resolve(result);
        },
        resolve: () => end(),
        reject,
      });
    });
  }

  #alone(work: Work): void {
    try {
      this.#transact([work]);
    } catch (error) {
      return work.reject(error);
    }
    work.resolve();
  }

  #transact(works: readonly Work[]): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const work of works) work.run();
      this.#database.exec("COMMIT");
    } catch (error) {
      try {
        this.#database.exec("ROLLBACK");
      } catch {
        // After some errors, such as a full disk, SQLite has rolled back by itself.
      }
      throw error;
    }
  }
}
