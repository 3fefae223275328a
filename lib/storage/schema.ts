import type { Generated, Kysely, Transaction } from 'kysely';
import type { AuditAction, anchorAction } from './audit-actions.ts';
import { accountTables } from './tables/account-tables.ts';
import { eventTables } from './tables/event-tables.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** Runs a query on a database whose tables are up to date. */
export type RunQuery = <T>(query: (db: Kysely<Schema>) => Promise<T>) => Promise<T>;

/** Runs a change of several rows: all of it or nothing. */
export type RunTransaction = <T>(change: (db: Transaction<Schema>) => Promise<T>) => Promise<T>;

/** Where the amount of a request comes from: the upstream, or a price times reported or estimated tokens. */
export type CostSource = 'reported' | 'price' | 'estimate';

/** The values of each claim that a rule of the settings names. */
export type MemberClaims = Readonly<Record<string, readonly string[]>>;

/**
 * The tables after all migrations, in SQL that both databases understand: times are Unix ms, days are `YYYY-MM-DD` in
 * UTC, booleans are 0 or 1. Types are derived from it; a test compares it with what the migrations make.
 */
export const tables = { ...accountTables, ...eventTables } as const;

type Tables = typeof tables;

/** Columns with few values. */
type Narrow = {
  marquee_usage: { cost_source: CostSource | null };
  marquee_audit_log: { action: AuditAction | typeof anchorAction };
  marquee_deliveries: { outcome: 'delivered' | 'given-up' | null };
  marquee_upstream_slots: { kind: 'running' | 'minute' };
  marquee_webhooks: { state: 'active' | 'paused' | 'disabled' };
};

/** What a column contains, by its SQL. */
type Value<Sql> = Sql extends `${string} default ${string}`
  ? Generated<Base<Sql>>
  : Sql extends `${string}not null${string}` | `${string}primary key`
    ? Base<Sql>
    : Base<Sql> | null;

type Base<Sql> = Sql extends `text${string}`
  ? string
  : Sql extends `bytea${string}`
    ? Uint8Array
    : number;

type Row<T extends keyof Tables> = {
  -readonly [C in keyof Tables[T]]: T extends keyof Narrow
    ? C extends keyof Narrow[T]
      ? Narrow[T][C]
      : Value<Tables[T][C]>
    : Value<Tables[T][C]>;
};

/** The tables as queries see them. */
export type Schema = { [T in keyof Tables]: Row<T> } & {
  /** Of Kysely's migrator. */
  marquee_migrations: { name: string; timestamp: string };
};
