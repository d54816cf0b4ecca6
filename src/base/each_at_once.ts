/**
 * Runs an action for each item in order, at most `most` at a time, and resolves when all are done.
 *
 * After a failure it starts no more, waits for the running ones, and rejects with the first error.
 */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  most: number,
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const failed: unknown[] = [];
  const work = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      if (failed.length > 0) return;
      await action(next.value).catch((error) => failed.push(error));
    }
  };
  await Promise.all(Array.from({ length: most }, work));
  if (failed.length > 0) throw failed[0];
}
