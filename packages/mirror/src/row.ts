/** A row of a table, by column, and times as PostgreSQL reads them. */

export type Row = Readonly<Record<string, unknown>>;

export const isoTime = (ms: number): string => new Date(ms).toISOString();
