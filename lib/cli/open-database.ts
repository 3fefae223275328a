import type { Config } from '#lib/config/config.ts';
import { silentLog } from '#lib/http/log.ts';
import { announce } from '#lib/shared-state/announcements.ts';
import { createSharedRedis } from '#lib/shared-state/redis.ts';
import { type Database, openDatabase } from '#lib/storage/database.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';

/**
 * A wrong DATA_DIR or DATABASE_URL would otherwise look like an empty database.
 * @throws Error of one line if there is none.
 */
export async function requireDatabase(storage: Config['storage'], advice?: string): Promise<void> {
  if (await hasDatabase(storage)) return;
  const problem = `There is no Marquee database yet (${nameDatabase(storage)}).`;
  throw new Error(advice === undefined ? problem : `${problem} ${advice}`);
}

/**
 * Opens the database for a command that changes keys or members: all instances apply the change at once;
 * without Redis they notice it within 5 seconds. @throws StorageError of one line.
 */
export async function openDatabaseToChange(storage: Config['storage']): Promise<Database> {
  const { redisUrl } = storage;
  if (redisUrl === null) return openDatabase(storage);
  const redis = createSharedRedis({ url: redisUrl, log: silentLog });
  const onKeysChanged = () => announce(redis, 'keys-changed');
  const database = await openDatabase({ ...storage, onKeysChanged });
  return {
    ...database,
    async close() {
      await database.close();
      await redis.close();
    },
  };
}
