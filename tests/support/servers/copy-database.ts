import { readFileSync, writeFileSync } from 'node:fs';
import { openDatabase } from '#lib/database.ts';
import { createFolder } from '#lib/storage/create-folder.ts';
import { toSqlitePath } from '#lib/storage/database-file.ts';
import { hasDatabase } from '#lib/storage/find-database.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

let migrated: Promise<Uint8Array> | null = null;

/** Copies a database with all tables and no rows into a folder that has none: that is faster than its migrations. */
export async function copyDatabase(dataDir: string): Promise<void> {
  if (await hasDatabase({ databaseUrl: null, dataDir })) return;
  migrated ??= migrate();
  const bytes = await migrated;
  createFolder(dataDir);
  writeFileSync(toSqlitePath(dataDir), bytes, { mode: 0o600 });
}

async function migrate(): Promise<Uint8Array> {
  using folder = makeTemporaryFolder();
  const database = await openDatabase({ databaseUrl: null, dataDir: folder.path });
  await database.close();
  return readFileSync(toSqlitePath(folder.path));
}
