import type { Kysely, Transaction } from 'kysely';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { waitForQuery } from '#lib/storage/wait-for-database.ts';
import type { Pause } from '../airtable/client.ts';

/**
 * The last read of the table, and whose turn it is to read. Times are Unix ms by the database's clock, 0 for never:
 * those of instances may differ.
 */
export type ReadState = Readonly<{
  nowMs: number;
  /** When the table's hook was called last, and the call that the last read came after. */
  calledAtMs: number;
  servedCallAtMs: number;
  /** The number of the newest claim to read, and until when it lasts. */
  claims: number;
  claimedUntilMs: number;
  /** No read is due before that. */
  pausedUntilMs: number;
  /** Airtable responds to nobody before that. */
  blockedUntilMs: number;
  /** The claim that the last read was made under; 0 before the first. */
  number: number;
  /** When that read began: the data is at least that new. */
  readAtMs: number;
  /** The same by the clock of the process that read. */
  readerReadAtMs: number;
}>;

type ClaimOptions = Readonly<{
  leaseMs: number;
  /** Until when no read is due. */
  pausedUntilMs: number;
}>;

export type PublishedRead = Readonly<{
  /** The hashes of its parts, in their order. */
  parts: readonly string[];
  readAtMs: number;
  readerReadAtMs: number;
  servedCallAtMs: number;
}>;

/** All methods throw StorageError only. */
export type ReadStore = Readonly<{
  find: () => Promise<ReadState>;
  /** Notes a call of the table's hook. */
  markCalled: () => Promise<void>;
  /** Makes the pause of all readers last at least so long. */
  block: (durationMs: number) => Promise<void>;
  /** Takes the turn to read; false if another process was faster. */
  claim: (seen: ReadState, options: ClaimOptions) => Promise<boolean>;
  renew: (claim: number, leaseMs: number) => Promise<void>;
  /** Lets another process read. */
  release: (claim: number) => Promise<void>;
  /** The hashes of all stored parts. */
  listParts: () => Promise<ReadonlySet<string>>;
  writePart: (hash: string, content: Uint8Array) => Promise<void>;
  /** For parts that are damaged: the next reader stores all of them again. */
  deleteParts: () => Promise<void>;
  /** Replaces the last read, and deletes parts that no read has; does nothing if another process has claimed since. */
  publish: (claim: number, read: PublishedRead) => Promise<void>;
  /** The hashes of a read's parts, in their order; none if another read has replaced it. */
  findParts: (number: number) => Promise<readonly string[]>;
  readPart: (hash: string) => Promise<Uint8Array | null>;
}>;

/** A claim lasts no longer, unless it is renewed. */
export const leaseMaxMs = 10_000;
/** At least so long between two reads that were due. */
export const pauseMs = 5_000;
/** Reads of tables, or with settings, that nobody uses any more. */
const unusedMs = 3_600_000;

export function isClaimed({ claimedUntilMs, nowMs }: ReadState): boolean {
  return isWithin(claimedUntilMs - nowMs, leaseMaxMs);
}

export function isPaused({ pausedUntilMs, nowMs }: ReadState): boolean {
  return isWithin(pausedUntilMs - nowMs, pauseMs);
}

/** A clock that was set back must not make a claim or a pause last for hours. */
function isWithin(leftMs: number, maxMs: number): boolean {
  return leftMs > 0 && leftMs <= maxMs;
}

/** Whether there is a read that is not older. */
export function hasRead({ number, nowMs, readAtMs }: ReadState, ageMaxMs: number): boolean {
  return number > 0 && nowMs >= readAtMs && nowMs - readAtMs < ageMaxMs;
}

type Connection = Readonly<{
  run: RunQuery;
  transact: RunTransaction;
  readClock: () => Promise<number>;
}>;

/** @param name equal in all processes that read the same table in the same way. */
export function createReadStore({ run, transact, readClock }: Connection, name: string): ReadStore {
  const update = (db: Kysely<Schema>) =>
    db.updateTable('marquee_table_reads').where('name', '=', name);

  return {
    async find() {
      const row = await run((db) => selectState(db, name));
      return toState(row ?? emptyRow, await readClock());
    },
    async markCalled() {
      const nowMs = await readClock();
      await transact(async (db) => {
        await insertRow(db, name);
        // The other names are those of another version, while versions overlap.
        await db
          .updateTable('marquee_table_reads')
          .set((row) => ({
            // Each call is later than the one before, whatever the clock does.
            called_at: row
              .case()
              .when('called_at', '<', nowMs)
              .then(nowMs)
              .else(row('called_at', '+', 1))
              .end(),
          }))
          .execute();
      });
    },
    async block(durationMs) {
      const untilMs = (await readClock()) + Math.ceil(durationMs);
      await transact(async (db) => {
        await insertRow(db, name);
        await update(db)
          .set({ blocked_until: untilMs })
          .where('blocked_until', '<', untilMs)
          .execute();
      });
    },
    claim: ({ claims, claimedUntilMs, nowMs }, { leaseMs, pausedUntilMs }) =>
      transact(async (db) => {
        await insertRow(db, name);
        if (claims === 0) await deleteUnused(db, { name, beforeMs: nowMs - unusedMs });
        const { numUpdatedRows } = await update(db)
          .set({
            claims: claims + 1,
            claimed_until: nowMs + leaseMs,
            paused_until: pausedUntilMs,
          })
          .where('claims', '=', claims)
          .where('claimed_until', '=', claimedUntilMs)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0;
      }),
    async renew(claim, leaseMs) {
      const untilMs = (await readClock()) + leaseMs;
      await transact((db) =>
        update(db).set({ claimed_until: untilMs }).where('claims', '=', claim).execute(),
      );
    },
    async release(claim) {
      await transact((db) =>
        update(db).set({ claimed_until: 0 }).where('claims', '=', claim).execute(),
      );
    },
    listParts: () =>
      run(async (db) => {
        const rows = await db
          .selectFrom('marquee_table_parts')
          .select('hash')
          .where('name', '=', name)
          .execute();
        return new Set(rows.map(({ hash }) => hash));
      }),
    async writePart(hash, content) {
      await transact((db) =>
        db
          .insertInto('marquee_table_parts')
          .values({ name, hash, content })
          .onConflict((on) => on.doNothing())
          .execute(),
      );
    },
    async deleteParts() {
      await transact((db) =>
        db.deleteFrom('marquee_table_parts').where('name', '=', name).execute(),
      );
    },
    publish: (claim, { parts, readAtMs, readerReadAtMs, servedCallAtMs }) =>
      transact(async (db) => {
        const { numUpdatedRows } = await update(db)
          .set({
            number: claim,
            read_at: readAtMs,
            reader_read_at: readerReadAtMs,
            served_call_at: servedCallAtMs,
            parts: parts.join(' '),
          })
          .where('claims', '=', claim)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return;
        await db
          .deleteFrom('marquee_table_parts')
          .where('name', '=', name)
          .where('hash', 'not in', parts)
          .execute();
      }),
    findParts: (number) =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_table_reads')
          .select('parts')
          .where('name', '=', name)
          .where('number', '=', number)
          .executeTakeFirst();
        return row?.parts.split(' ') ?? [];
      }),
    readPart: (hash) =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_table_parts')
          .select('content')
          .where('name', '=', name)
          .where('hash', '=', hash)
          .executeTakeFirst();
        return row?.content ?? null;
      }),
  };
}

const emptyRow = {
  called_at: 0,
  served_call_at: 0,
  claims: 0,
  claimed_until: 0,
  paused_until: 0,
  blocked_until: 0,
  number: 0,
  read_at: 0,
  reader_read_at: 0,
};

type Row = typeof emptyRow;

function selectState(db: Kysely<Schema>, name: string): Promise<Row | undefined> {
  return db
    .selectFrom('marquee_table_reads')
    .select([
      'called_at',
      'served_call_at',
      'claims',
      'claimed_until',
      'paused_until',
      'blocked_until',
      'number',
      'read_at',
      'reader_read_at',
    ])
    .where('name', '=', name)
    .executeTakeFirst();
}

function toState(row: Row, nowMs: number): ReadState {
  return {
    nowMs,
    calledAtMs: row.called_at,
    servedCallAtMs: row.served_call_at,
    claims: row.claims,
    claimedUntilMs: row.claimed_until,
    pausedUntilMs: row.paused_until,
    blockedUntilMs: row.blocked_until,
    number: row.number,
    readAtMs: row.read_at,
    readerReadAtMs: row.reader_read_at,
  };
}

async function insertRow(db: Transaction<Schema>, name: string): Promise<void> {
  await db
    .insertInto('marquee_table_reads')
    .values({ name, ...emptyRow, parts: '' })
    .onConflict((on) => on.doNothing())
    .execute();
}

type Unused = Readonly<{
  /** Of a read that is used. */
  name: string;
  beforeMs: number;
}>;

async function deleteUnused(db: Transaction<Schema>, { name, beforeMs }: Unused): Promise<void> {
  const rows = await db
    .deleteFrom('marquee_table_reads')
    .where('name', '!=', name)
    .where('read_at', '<', beforeMs)
    .where('claimed_until', '<', beforeMs)
    .returning('name')
    .execute();
  const names = rows.map((row) => row.name);
  if (names.length === 0) return;
  await db.deleteFrom('marquee_table_parts').where('name', 'in', names).execute();
}

/** The pause after a 429, for all processes. While the database is away, each knows only its own. */
export function createSharedPause(store: ReadStore): Pause {
  return {
    async leftMs() {
      try {
        const { blockedUntilMs, nowMs } = await waitForQuery(store.find());
        return Math.max(blockedUntilMs - nowMs, 0);
      } catch {
        return 0;
      }
    },
    start: (durationMs) => waitForQuery(store.block(durationMs)).catch(() => {}),
  };
}
