/** What has become of a file; of one that was not touched nothing is known. */
type State = "created" | "doomed" | "overwritten";

/**
 * What patches have done to files. A file is told from others by itself, as GNU's does by its
 * number in the file system, and not by its name: that may be given to another file.
 */
export class FileHistory {
  readonly #ids = new Map<string, number>();
  readonly #states = new Map<number, State>();
  readonly #queued = new Set<number>();
  #last = 0;

  /** The file that has a name now. */
  idOf(name: string): number {
    const key = keyOf(name);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.newId();
    this.#ids.set(key, id);
    return id;
  }

  /** The number of no file yet. */
  newId(): number {
    return ++this.#last;
  }

  /** What has become of the file that has a name now. */
  stateOf(name: string): State | undefined {
    return this.#states.get(this.#ids.get(keyOf(name)) ?? 0);
  }

  /** Whether a file is to be removed at the end. */
  isDoomed(id: number): boolean {
    return this.#states.get(id) === "doomed";
  }

  /** Notes that a file is to be removed at the end. */
  doom(id: number): void {
    this.#states.set(id, "doomed");
  }

  /** Notes that the file of a name gives way to another, or to none. */
  overwrite(name: string): void {
    this.#states.set(this.idOf(name), "overwritten");
    this.#ids.delete(keyOf(name));
  }

  /** Notes that a patch has made the file that has a name now. */
  create(name: string): void {
    const id = this.newId();
    this.#ids.set(keyOf(name), id);
    this.#states.set(id, "created");
  }

  /** Whether a patch for that file waits to be written. */
  isQueued(name: string): boolean {
    return this.#queued.has(this.idOf(name));
  }

  /** Notes that one does. */
  queue(name: string): void {
    this.#queued.add(this.idOf(name));
  }
}

/** The same for all ways to write a name. */
function keyOf(name: string): string {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return (name.startsWith("/") ? "/" : "") + parts.join("/");
}
