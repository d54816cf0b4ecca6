/** What a column holds, as far as it is used here. */
export type SqlValue = string | number | null;

/** A prepared statement; `DatabaseSync` of `node:sqlite` makes such ones. */
export interface SqlStatement {
  /** Runs it; tells how many rows changed. */
  run(...values: SqlValue[]): { changes: number | bigint };
  /** The first row. */
  get(...values: SqlValue[]): Record<string, unknown> | undefined;
  /** All rows. */
  all(...values: SqlValue[]): Record<string, unknown>[];
}

/** An open SQLite database, the port that `sys` fills. */
export interface SqlDatabase {
  /** Runs statements that give nothing back. */
  exec(sql: string): void;
  /** Prepares a statement. */
  prepare(sql: string): SqlStatement;
  /** Closes it. */
  close(): void;
}
