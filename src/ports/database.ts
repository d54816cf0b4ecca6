/** The types of column values that are used here. */
export type SqlValue = string | number | null;

/** A prepared statement, as `DatabaseSync` of `node:sqlite` makes them. */
export interface SqlStatement {
  /** Runs it and returns the number of changed rows. */
  run(...values: SqlValue[]): { changes: number | bigint };
  /** The first row. */
  get(...values: SqlValue[]): Record<string, unknown> | undefined;
  /** All rows. */
  all(...values: SqlValue[]): Record<string, unknown>[];
}

/** An open SQLite database. */
export interface SqlDatabase {
  /** Runs statements that have no result. */
  exec(sql: string): void;
  /** Prepares a statement. */
  prepare(sql: string): SqlStatement;
  /** Closes it. */
  close(): void;
}
