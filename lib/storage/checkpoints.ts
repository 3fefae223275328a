import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

const checkEveryMs = 1_000;
/** Of 4 kB. Few checkpoints are cheap, and this much is read in an instant after a crash. */
const walPagesMax = 4_096;

type CheckpointOptions = Readonly<{
  db: Kysely<Schema>;
  /** In a thread: a checkpoint waits for the disk. */
  reader: Kysely<Schema>;
  /** Whether the files that are open are still those on the disk. */
  checkFiles: () => Promise<boolean>;
}>;

/**
 * Moves the write-ahead log into the database whenever it has grown, since no connection does so by itself.
 * Several processes may try at once: one of them does it. @returns a function that ends it.
 */
export function startCheckpoints({ db, reader, checkFiles }: CheckpointOptions): () => void {
  let isUnderWay = false;

  async function check(): Promise<void> {
    if (!(await checkFiles())) return;
    const state = sql<{ log: number }>`pragma wal_checkpoint(noop)`.execute(db);
    const [{ log: pages } = { log: 0 }] = (await state).rows;
    if (pages >= walPagesMax) await checkpoint(reader);
  }

  const timer = setInterval(() => {
    if (isUnderWay) return;
    isUnderWay = true;
    // What is wrong with the disk is reported by those who write.
    check()
      .catch(() => {})
      .finally(() => {
        isUnderWay = false;
      });
  }, checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function checkpoint(reader: Kysely<Schema>): Promise<void> {
  // Most of it, while others write.
  await sql`pragma wal_checkpoint(passive)`.execute(reader);
  // The log is begun anew in the same file: to let that grow again makes a transaction cost a seventh more.
  const restarting = sql<{ busy: number }>`pragma wal_checkpoint(restart)`.execute(reader);
  if ((await restarting).rows[0]?.busy !== 0) return;
  // Writes a page: the first to write to a new log waits for the disk, which may not be the event loop.
  await sql`pragma user_version = 0`.execute(reader);
}
