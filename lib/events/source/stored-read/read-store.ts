import type { Kysely, Transaction } from 'kysely';
import type { Connection } from '#lib/storage/connection.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { emptyRow, type ReadState, type Row, toState } from './read-state.ts';

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

/** Reads of tables, or with settings, that nobody uses any more. */
const unusedMs = 3_600_000;

/** @param name equal in all processes that read the same table in the same way. */
export function createReadStore(
  { run, transact, readClock }: Pick<Connection, 'run' | 'transact' | 'readClock'>,
  name: string,
): ReadStore {
  return {
    async find() {
      const row = await run((db) => selectState(db, name));
      return toState(row ?? emptyRow, await readClock());
    },
    async markCalled() {
      const nowMs = await readClock();
      await transact((db) => noteCall(db, name, nowMs));
    },
    async block(durationMs) {
      const untilMs = (await readClock()) + Math.ceil(durationMs);
      await transact((db) => blockUntil(db, name, untilMs));
    },
    claim: (seen, options) => transact((db) => takeClaim(db, name, { ...options, seen })),
    async renew(claim, leaseMs) {
      const untilMs = (await readClock()) + leaseMs;
      await transact((db) => setLease(db, name, { claim, untilMs }));
    },
    async release(claim) {
      await transact((db) => setLease(db, name, { claim, untilMs: 0 }));
    },
    async listParts() {
      const rows = await run((db) => partsOf(db, name).select('hash').execute());
      return new Set(rows.map(({ hash }) => hash));
    },
    async writePart(hash, content) {
      await transact((db) => insertPart(db, { name, hash, content }));
    },
    async deleteParts() {
      await transact((db) =>
        db.deleteFrom('marquee_table_parts').where('name', '=', name).execute(),
      );
    },
    publish: (claim, read) => transact((db) => replaceRead(db, name, { ...read, claim })),
    async findParts(number) {
      const row = await run((db) =>
        readsOf(db, name).select('parts').where('number', '=', number).executeTakeFirst(),
      );
      return row?.parts.split(' ') ?? [];
    },
    async readPart(hash) {
      const row = await run((db) =>
        partsOf(db, name).select('content').where('hash', '=', hash).executeTakeFirst(),
      );
      return row?.content ?? null;
    },
  };
}

function readsOf(db: Kysely<Schema>, name: string) {
  return db.selectFrom('marquee_table_reads').where('name', '=', name);
}

function partsOf(db: Kysely<Schema>, name: string) {
  return db.selectFrom('marquee_table_parts').where('name', '=', name);
}

function update(db: Kysely<Schema>, name: string) {
  return db.updateTable('marquee_table_reads').where('name', '=', name);
}

async function noteCall(db: Transaction<Schema>, name: string, nowMs: number): Promise<void> {
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
}

async function blockUntil(db: Transaction<Schema>, name: string, untilMs: number): Promise<void> {
  await insertRow(db, name);
  await update(db, name)
    .set({ blocked_until: untilMs })
    .where('blocked_until', '<', untilMs)
    .execute();
}

async function takeClaim(
  db: Transaction<Schema>,
  name: string,
  { seen, leaseMs, pausedUntilMs }: ClaimOptions & Readonly<{ seen: ReadState }>,
): Promise<boolean> {
  const { claims, claimedUntilMs, nowMs } = seen;
  await insertRow(db, name);
  if (claims === 0) await deleteUnused(db, { name, beforeMs: nowMs - unusedMs });
  const { numUpdatedRows } = await update(db, name)
    .set({ claims: claims + 1, claimed_until: nowMs + leaseMs, paused_until: pausedUntilMs })
    .where('claims', '=', claims)
    .where('claimed_until', '=', claimedUntilMs)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0;
}

async function setLease(
  db: Transaction<Schema>,
  name: string,
  { claim, untilMs }: Readonly<{ claim: number; untilMs: number }>,
): Promise<void> {
  await update(db, name).set({ claimed_until: untilMs }).where('claims', '=', claim).execute();
}

type Part = Readonly<{ name: string; hash: string; content: Uint8Array }>;

async function insertPart(db: Transaction<Schema>, part: Part): Promise<void> {
  await db
    .insertInto('marquee_table_parts')
    .values(part)
    .onConflict((on) => on.doNothing())
    .execute();
}

async function replaceRead(
  db: Transaction<Schema>,
  name: string,
  { claim, parts, ...read }: PublishedRead & Readonly<{ claim: number }>,
): Promise<void> {
  const { numUpdatedRows } = await update(db, name)
    .set({
      number: claim,
      read_at: read.readAtMs,
      reader_read_at: read.readerReadAtMs,
      served_call_at: read.servedCallAtMs,
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
}

function selectState(db: Kysely<Schema>, name: string): Promise<Row | undefined> {
  return readsOf(db, name)
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
    .executeTakeFirst();
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
