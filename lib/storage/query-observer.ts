import type { LogEvent } from 'kysely';

/** What is worth knowing of queries. */
export type QueryObserver = Readonly<{
  /** How long a query or transaction has waited for a connection, in ms; 0 where one was free. */
  onWait: (waitMs: number) => void;
  /** A query that took long: what it does and its first table, such as `select marquee_usage`. */
  onSlowQuery: (query: Readonly<{ name: string; durationMs: number }>) => void;
}>;

export const silentObserver: QueryObserver = { onWait: () => {}, onSlowQuery: () => {} };

const slowMs = 200;

/** A log for Kysely, which would print failed queries: errors are thrown, and logged where they are handled. */
export function watchQueries({ onSlowQuery }: QueryObserver): (event: LogEvent) => void {
  return ({ query, queryDurationMillis: durationMs }) => {
    if (durationMs >= slowMs) onSlowQuery({ name: nameQuery(query.sql), durationMs });
  };
}

function nameQuery(sql: string): string {
  const [verb, table] = [/^\w+/, /\bmarquee_\w+/].map((part) => part.exec(sql)?.[0]);
  return [verb, table].join(' ').trim();
}
