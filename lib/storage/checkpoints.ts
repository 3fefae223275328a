import { stat } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

const checkEveryMs = 1_000;
/** Few checkpoints are cheap, and this much is read in an instant after a crash. */
export const walBytesMax = 16 * 1024 ** 2;

type CheckpointOptions = Readonly<{
  /** Of the database; its write-ahead log is beside it. */
  path: string;
  /** In a thread: a checkpoint waits for the disk. */
  reader: Kysely<Schema>;
}>;

/**
 * Moves the write-ahead log into the database whenever it has grown, since no connection does so by itself.
 * Several processes may try at once: one of them does it. @returns a function that ends it.
 */
export function startCheckpoints({ path, reader }: CheckpointOptions): () => void {
  let isUnderWay = false;

  async function check(): Promise<void> {
    const size = await stat(`${path}-wal`).then(
      (file) => file.size,
      () => 0,
    );
    if (size >= walBytesMax) await checkpoint(reader);
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
  const emptying = sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(reader);
  if ((await emptying).rows[0]?.busy !== 0) return;
  // Writes a page: the first to write to an empty log waits for the disk, which may not be the event loop.
  await sql`pragma user_version = 0`.execute(reader);
}
