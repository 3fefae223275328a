import type { Config } from '#lib/config/config.ts';
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
