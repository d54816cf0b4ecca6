/** A request that the mock has seen. */
export interface JournalEntry {
  /** The number of the request, from 1; it never starts over. */
  number: number;
  /** When it came, ISO 8601. */
  time: string;
  /** The path, without the query. */
  path: string;
  /** The headers. A few harmless ones have their values; the others have `[hidden]`. */
  headers: Record<string, string>;
  /** The decoded body, or its text when it is not JSON. */
  body: unknown;
  /** The scenario that matched. */
  scenario?: string;
  /** Index of the step that answered, counted from 0. */
  step?: number;
  /** For a step with a limited number of faults: which request to this step it was, from 1. */
  attempt?: number;
  /** The kind of the answer. `default`: nothing matched, or no step was left; `count`: tokens. */
  kind: "answer" | "default" | "fault" | "error" | "count";
  /** The names of the fault's fields. */
  fault?: string[];
  /** The HTTP status, 0 when the response never begins. */
  status: number;
  /** True where the answer was asked for as a stream. */
  stream: boolean;
  /**
   * The end of the response: `complete`, `cut` by a fault, `cancelled` by the client. Absent before
   * it.
   */
  end?: "complete" | "cut" | "cancelled";
}

/** Limits of a journal. */
export interface JournalLimits {
  /** Most requests kept. Default 1,000. */
  journalEntries: number;
  /** Most characters of request bodies kept. Default 16 Mi. */
  journalCharacters: number;
}

/** A record of requests with a limit: the oldest are dropped first. */
export class RequestJournal {
  readonly #limits: JournalLimits;
  #entries: { entry: JournalEntry; characters: number }[] = [];
  #characters = 0;
  #count = 0;

  /** Makes an empty journal. */
  constructor(limits: JournalLimits) {
    this.#limits = limits;
  }

  /** The requests kept, oldest first. */
  get entries(): readonly JournalEntry[] {
    return this.#entries.map(({ entry }) => entry);
  }

  /** The number of all requests, including those no longer kept. */
  get total(): number {
    return this.#count;
  }

  /**
   * Adds a request whose body has so many characters, and gives its entry, which may be completed
   * later. A body that is larger than the journal's limit is left out of the entry.
   */
  add(entry: Omit<JournalEntry, "number">, characters: number): JournalEntry {
    const { journalEntries, journalCharacters } = this.#limits;
    const added: JournalEntry = { number: ++this.#count, ...entry };
    if (characters > journalCharacters) {
      added.body = `[left out: ${characters} characters, limit ${journalCharacters}]`;
      characters = 0;
    }
    this.#entries.push({ entry: added, characters });
    this.#characters += characters;
    while (this.#entries.length > journalEntries || this.#characters > journalCharacters) {
      this.#characters -= this.#entries.shift()?.characters ?? 0;
    }
    return added;
  }

  /** Forgets all requests. Their numbers are not used again. */
  clear(): void {
    this.#entries = [];
    this.#characters = 0;
  }
}

/** Headers whose values are shown. */
const SHOWN = new Set([
  "accept",
  "content-length",
  "content-type",
  "user-agent",
  "x-stainless-retry-count",
]);

/** Hides the values of all headers but a few that can't carry a secret. */
export function hideHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, SHOWN.has(name) ? value : "[hidden]"]),
  );
}
