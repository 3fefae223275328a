import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Runs a query on a database whose tables are up to date. */
export type Run = <T>(query: (db: Kysely<Schema>) => Promise<T>) => Promise<T>;
